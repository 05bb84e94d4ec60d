//===- ScalarNames.cpp - names of a function's scalars --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/ScalarNames.h"

#include "dialect/ArgumentName.h"
#include "poly/RelationText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Whether the grammar of relations has the name, which is no output's.
static bool isName(StringRef name) {
  bool isOutput =
      name.starts_with("r") && llvm::all_of(name.drop_front(), llvm::isDigit);
  return !isOutput && poly::isName(name.str());
}

ScalarNames::ScalarNames(func::FuncOp func) {
  llvm::StringSet<> used;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    std::string name = "arg" + std::to_string(i);
    if (!func.isExternal()) {
      StringRef given = loom::getArgumentName(func.getArgument(i));
      if (isName(given) && !given.contains('_') && !given.starts_with("arg"))
        name = given.str();
    }
    if (!used.insert(name).second)
      name = "arg" + std::to_string(i);
    used.insert(name);
    arguments.push_back(name);
  }
}

std::string ScalarNames::get(loom::ScalarReference scalar) const {
  const std::string &argument = arguments[scalar.argument];
  return scalar.isExtent() ? argument + "_" + std::to_string(scalar.axis)
                           : argument;
}

std::string legalize::describeScalar(func::FuncOp func,
                                     loom::ScalarReference scalar) {
  std::string argument =
      loom::getArgumentText(func.getArgument(scalar.argument));
  return scalar.isExtent()
             ? "axis " + std::to_string(scalar.axis) + " of " + argument
             : argument;
}
