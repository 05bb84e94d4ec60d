//===- GuardReport.h - what became of each constraint -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for each constraint and axis of each operation. Legalization, shape
// functions and the analysis all fill this structure.
//
// Invariant: after finish(), rows are in program order, those of one operation
// in the order in which they were decided.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_GUARDREPORT_H
#define BROADLOOM_INFER_REPORT_GUARDREPORT_H

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace broadloom::infer {

enum class GuardStatus : uint8_t {
  Proved,
  RunTime,
  Refuted,
  /// Neither decided nor checked by a guard: the program has not the numbers
  /// that it is about.
  Unchecked,
  /// An extent of an argument for which calls have no choice (FixedExtents.h).
  Fixed,
};

/// "proved", "run-time", "refuted", "unchecked" or "fixed".
constexpr const char *guardStatusName(GuardStatus status) {
  return status == GuardStatus::Proved    ? "proved"
         : status == GuardStatus::RunTime ? "run-time"
         : status == GuardStatus::Refuted ? "refuted"
         : status == GuardStatus::Fixed   ? "fixed"
                                          : "unchecked";
}

struct GuardReport {
  struct Row {
    std::string function;
    /// The operation as the user wrote it, e.g. `tosa.add`.
    std::string operation;
    /// `file:line:column`; empty if unknown.
    std::string location;
    /// The names in the location, and from where it is called
    /// (dialect/LocationText.h); empty where there are none.
    std::string names;
    /// Result axis, or that of an argument whose extent is fixed; -1 where the
    /// row is about none.
    int64_t axis = -1;
    /// What must hold.
    std::string constraint;
    GuardStatus status = GuardStatus::RunTime;
    /// By what it is proved or refuted, or why it is left to run time.
    std::string reason;
    /// The operation's number in the program (OperationNumber.h), -1 where it
    /// has none.
    int64_t operationNumber = -1;
  };

  /// An argument or result with its shape in symbols.
  struct Value {
    std::string function;
    /// Of the operation that gives it; -1 for the function's arguments.
    int64_t operationNumber = -1;
    unsigned index = 0;
    /// Such as `tensor<s0x4xf32>`.
    std::string type;
    /// The variable that is taken as this argument; empty for all others.
    std::string variable = "";
  };

  /// What a symbol stands for.
  struct Symbol {
    std::string function;
    std::string name;
    std::string meaning;
  };

  /// Whether all constraints have been decided; else there is what was found
  /// before the program was refused.
  bool isComplete = false;
  /// Whether an error has been told; the program is looked at further all the
  /// same.
  bool isRefused = false;
  std::vector<Row> rows;
  /// The numbers of operations whose own types contradict each other. What
  /// these types refute is an error wherever it stands. ext-2
  std::unordered_set<int64_t> contradicted;
  std::vector<Value> values;
  std::vector<Symbol> symbols;

  /// Puts the rows in program order.
  void finish();
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_GUARDREPORT_H
