//===- OrderInputs.cpp - arguments that are given by name -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/OrderInputs.h"

#include "runtime/calls/ElementTypes.h"
#include "shape/TakesText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <optional>

using namespace broadloom;
using llvm::StringRef;

/// Whether the text is a type such as `2x?xf32`.
static bool isType(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  return elementTypeFromName(parts.pop_back_val()) &&
         llvm::all_of(parts, [](StringRef extent) {
           return !extent.empty() &&
                  extent.find_first_not_of("0123456789?-") == StringRef::npos;
         });
}

StringRef broadloom::getNamePart(StringRef input) {
  size_t end = input.find('=');
  bool isName = end != StringRef::npos && !isType(input.take_front(end).trim());
  return isName ? input.take_front(end + 1) : StringRef();
}

/// The argument that `input` names; the longest name counts, since names may
/// have a `=`.
static std::optional<size_t> findNamed(StringRef input,
                                       llvm::ArrayRef<std::string> names) {
  if (getNamePart(input).empty())
    return std::nullopt;
  std::optional<size_t> found;
  for (auto [i, name] : llvm::enumerate(names))
    if (!name.empty() && input.starts_with(name + "=") &&
        (!found || name.size() > names[*found].size()))
      found = i;
  return found;
}

/// An error if `input`, which names no argument, begins as if it did and is no
/// file.
static std::string explainUnknown(StringRef input,
                                  llvm::ArrayRef<std::string> names) {
  StringRef name = getNamePart(input).rtrim('=');
  bool isWord = !name.empty() && !llvm::isDigit(name.front()) &&
                llvm::all_of(name, [](char c) {
                  return llvm::isAlnum(c) || c == '_' || c == '.';
                });
  if (!isWord || llvm::sys::fs::exists(input))
    return "";
  std::string text = "there is no argument '" + name.str() + "'";
  std::vector<std::string> known;
  for (const std::string &other : names)
    if (!other.empty())
      known.push_back("'" + other + "'");
  return text + (known.empty() ? ", since arguments have no names here; give "
                                 "inputs in their order"
                               : "; there are: " + llvm::join(known, ", "));
}

std::string broadloom::orderInputs(std::vector<std::string> &inputs,
                                   llvm::ArrayRef<std::string> names) {
  if (inputs.size() != names.size())
    return "";
  std::vector<std::optional<std::string>> ordered(inputs.size());
  std::vector<std::string> unnamed;
  for (const std::string &input : inputs) {
    std::optional<size_t> index = findNamed(input, names);
    if (!index) {
      if (std::string error = explainUnknown(input, names); !error.empty())
        return error;
      unnamed.push_back(input);
    } else if (ordered[*index]) {
      return argumentText(*index, names[*index]) + " is given twice";
    } else {
      ordered[*index] = input.substr(names[*index].size() + 1);
    }
  }
  auto next = unnamed.begin();
  for (auto [input, given] : llvm::zip(inputs, ordered))
    input = given ? *given : *next++;
  return "";
}
