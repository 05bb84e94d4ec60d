//===- CheckFormats.h - the forms of a report -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `broadloom check` writes. The program's text is untrusted: whatever it
// holds, the output is well formed in its language.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_CHECKFORMATS_H
#define BROADLOOM_DRIVER_REPORT_CHECKFORMATS_H

#include "driver/CheckedProgram.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace broadloom::report {

/// How many rows have each status.
struct StatusCounts {
  size_t proved = 0, runTime = 0, refuted = 0, unchecked = 0, fixed = 0;
  /// How many of the proved ones are about known numbers alone.
  size_t staticOnes = 0;

  size_t total() const {
    return proved + runTime + refuted + unchecked + fixed;
  }
  void add(const infer::GuardReport::Row &row);
  /// "7 constraints: 5 proved, 2 at run time, none refuted".
  std::string toString() const;
  /// "5 proved (4 static), 2 at run time", without statuses that no row has.
  std::string listParts() const;
};

/// Rows of one function, from `begin` to `end`.
struct FunctionRows {
  std::string name;
  size_t begin = 0, end = 0;
  StatusCounts counts;
};

/// The functions that have rows, in the order of the rows; and all together.
std::vector<FunctionRows> groupByFunction(const infer::GuardReport &report);
StatusCounts countAll(const infer::GuardReport &report);

/// Rows of one kind of operation.
struct OperationRows {
  llvm::StringRef operation;
  StatusCounts counts;
};

/// The kinds of operations that have rows; the kind with most rows first.
std::vector<OperationRows> groupByOperation(const infer::GuardReport &report);

/// The whole report in a sentence: "every shape is proved; nothing is checked
/// when it runs", "1 of 7 constraints is checked when it runs; 6 are proved".
std::string describeVerdict(const CheckedProgram &program);

/// Whether to list rows of a status.
using IsListed = llvm::function_ref<bool(infer::GuardStatus)>;

/// Whether a reader has to look at rows of a status: they are not proved.
inline bool isOpen(infer::GuardStatus status) {
  return status != infer::GuardStatus::Proved;
}

/// For a terminal of 100 columns: the verdict, rows, and a line for each kind
/// of operation. Counts are of all rows.
void writeText(const CheckedProgram &program, IsListed isListed,
               llvm::raw_ostream &out);
/// An array of objects, one per row.
void writeJson(const CheckedProgram &program, IsListed isListed,
               llvm::raw_ostream &out);
/// One self-contained page. `title` names the program.
void writeHtml(const CheckedProgram &program, llvm::StringRef title,
               llvm::raw_ostream &out);

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_CHECKFORMATS_H
