//===- LineGroups.cpp - which lines of a program are folded ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/LineGroups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace broadloom;
using namespace broadloom::report;
using llvm::StringRef;

static constexpr StringRef kConstants = "constants", kLocations = "locations",
                           kData = "data of constants";

/// Whether the line is `%0 = tosa.const ...` or of another constant.
static bool isConstant(StringRef line) {
  line = line.ltrim();
  if (!line.starts_with("%"))
    return false;
  StringRef operation = line.split(" = ").second;
  operation.consume_front("\"");
  operation = operation.take_until(
      [](char c) { return !llvm::isAlnum(c) && c != '.' && c != '_'; });
  return llvm::is_contained({StringRef("tosa.const"),
                             StringRef("tosa.const_shape"),
                             StringRef("arith.constant")},
                            operation);
}

std::vector<LineGroup>
report::groupLines(llvm::ArrayRef<StringRef> lines,
                   llvm::function_ref<bool(size_t line)> isShown) {
  std::vector<LineGroup> groups;
  bool isData = false;
  for (auto [i, line] : llvm::enumerate(lines)) {
    isData |= line.starts_with("{-#");
    StringRef what = isData                     ? kData
                     : isShown(i)               ? ""
                     : isConstant(line)         ? kConstants
                     : line.starts_with("#loc") ? kLocations
                                                : "";
    if (line.rtrim().ends_with("#-}"))
      isData = false;
    if (!what.empty() && !groups.empty() && groups.back().what == what)
      groups.back().end = i + 1;
    else
      groups.push_back({i, i + 1, what});
  }
  for (LineGroup &group : groups)
    if (group.what == kConstants && group.end == group.begin + 1)
      group.what = "";
  return groups;
}
