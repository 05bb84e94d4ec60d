//===- LineGroups.h - which lines of a program are folded -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page folds lines of a program that a reader of its shapes passes over:
// constants, locations and the data of constants.
//
// Invariant: groups follow each other and have every line once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_LINEGROUPS_H
#define BROADLOOM_DRIVER_REPORT_LINEGROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace broadloom::report {

struct LineGroup {
  /// Lines `begin` to `end`, without `end`, counted from 0.
  size_t begin, end;
  /// What is folded: "constants", "locations" or "data of constants". Empty for
  /// a line that is shown.
  llvm::StringRef what;
};

/// Lines for which `isShown` is true are not folded, and neither is a single
/// constant.
std::vector<LineGroup>
groupLines(llvm::ArrayRef<llvm::StringRef> lines,
           llvm::function_ref<bool(size_t line)> isShown);

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_LINEGROUPS_H
