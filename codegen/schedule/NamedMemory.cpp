//===- NamedMemory.cpp - memory that scripts name -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "dialect/ArgumentName.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "shape/Message.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopAccesses;

/// Whether `name` is what errors call the result of an operation, of which the
/// place may be left out, or begin anywhere in the path or with the line.
static bool isResult(StringRef name, StringRef text) {
  auto [what, place] = text.split(" at ");
  auto [given, givenPlace] = name.split(" at ");
  if (given != what || place.empty() || !place.ends_with(givenPlace))
    return false;
  StringRef before = place.drop_back(givenPlace.size());
  return givenPlace.empty() ||
         (givenPlace.contains(':') &&
          (before.empty() || StringRef(":/\\").contains(before.back())));
}

/// The memrefs of the loop that have the name in the program, with or without
/// its `%`, or that errors call so.
static SmallVector<Value> findMemory(const LoopAccesses &facts,
                                     StringRef name) {
  SmallVector<Value> found;
  for (const auto &[memory, isWritten] : facts.memory) {
    Value origin = memory;
    while (auto cast = origin.getDefiningOp<memref::CastOp>())
      origin = cast.getSource();
    Operation *op = origin.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(origin);
    StringRef own = argument ? loom::getArgumentName(argument) : StringRef();
    std::string text = infer::describeMemory(memory),
                inText = loom::getValueName(origin);
    bool isNamed = (!own.empty() && own == name) ||
                   (!inText.empty() && StringRef(inText).ends_with(name) &&
                    inText.size() - name.size() <= 1);
    if (isNamed || text == name ||
        (op && isResult(name, infer::describeResult(op))))
      found.push_back(memory);
  }
  return found;
}

Value LoopEdit::getMemory(scf::ForOp loop, const LoopAccesses &facts,
                          StringRef name) {
  SmallVector<Value> found = findMemory(facts, name);
  if (found.size() == 1)
    return found.front();
  std::vector<std::string> texts;
  std::string start = describeLoop(loop) + " touches ";
  if (found.empty()) {
    for (const auto &[other, isWritten] : facts.memory)
      texts.push_back(infer::describeMemory(other));
    refuse(start + "no memory '" + name + "', but " + joinWithAnd(texts), loop);
    return nullptr;
  }
  for (Value other : found) {
    std::string type;
    llvm::raw_string_ostream(type) << other.getType();
    texts.push_back(infer::describeMemory(other) + " of type " + type);
  }
  refuse(start + std::to_string(found.size()) + " memrefs '" + name + "', " +
             joinWithAnd(texts) + ", but a copy is of one",
         loop);
  return nullptr;
}
