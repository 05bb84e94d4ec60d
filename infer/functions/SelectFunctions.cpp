//===- SelectFunctions.cpp - part of a library's text ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/SelectFunctions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

static constexpr StringLiteral kFunction = "shape.func @", kCall = "@",
                               kMapping = "} mapping {", kMap = " = @";

/// The symbol at the beginning of `text`.
static StringRef takeName(StringRef text) {
  return text.take_while([](char c) { return isAlnum(c) || c == '_'; });
}

namespace {

class FunctionSelector {
public:
  FunctionSelector(StringRef text, const StringSet<> &operations)
      : operations(operations) {
    text.split(lines, '\n');
    while (mapping < lines.size() && lines[mapping] != kMapping)
      ++mapping;
    findFunctions();
    for (StringRef line : ArrayRef(lines).drop_front(mapping))
      if (isWanted(line))
        select(line.split(kMap).second);
  }

  std::string write() const {
    std::string out;
    for (size_t i = 0; i < mapping; ++i)
      out += ((kept[i] ? lines[i] : "") + "\n").str();
    out += kMapping;
    StringRef separator = "\n";
    for (StringRef line : ArrayRef(lines).drop_front(mapping))
      if (isWanted(line)) {
        out += (separator + line.rtrim(',')).str();
        separator = ",\n";
      }
    return out + "\n}\n";
  }

private:
  /// Finds the lines of each function. Those outside are kept, but for
  /// comments.
  void findFunctions() {
    kept.resize(mapping);
    for (size_t i = 0; i < mapping; ++i) {
      StringRef line = lines[i];
      kept[i] = !line.starts_with("//");
      if (!line.consume_front(kFunction))
        continue;
      Range &range = functions[takeName(line)];
      range.first = i;
      for (; i < mapping && lines[i] != "}"; ++i)
        kept[i] = false;
      range.last = i;
      kept[i] = false;
    }
  }

  /// Whether the line maps one of the operations.
  bool isWanted(StringRef line) const {
    auto [operation, function] = line.split(kMap);
    return !function.empty() && operations.contains(operation.trim());
  }

  /// Selects the function whose name `text` begins with, and what it calls.
  void select(StringRef text) {
    auto found = functions.find(takeName(text));
    if (found == functions.end() || kept[found->second.first])
      return;
    auto [first, last] = found->second;
    for (size_t i = first; i <= last; ++i)
      kept[i] = true;
    for (size_t i = first + 1; i < last; ++i)
      for (StringRef rest = lines[i].split(kCall).second; !rest.empty();
           rest = rest.split(kCall).second)
        select(rest);
  }

  struct Range {
    size_t first, last;
  };

  const StringSet<> &operations;
  SmallVector<StringRef> lines;
  /// The line where the mapping begins.
  size_t mapping = 0;
  StringMap<Range> functions;
  /// For each line before the mapping: whether the result has it.
  std::vector<bool> kept;
};

} // namespace

std::string broadloom::infer::selectFunctions(StringRef text,
                                              const StringSet<> &operations) {
  return FunctionSelector(text, operations).write();
}
