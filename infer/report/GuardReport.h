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
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace broadloom::infer {

enum class GuardStatus : uint8_t {
  Proved,
  RunTime,
  Refuted,
  /// Neither decided nor checked by a guard: the program cannot compute its
  /// numbers.
  Unchecked,
  /// Not a constraint: an extent of an argument that the source of the program
  /// fixed (FixedExtents.h).
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
    /// The axis of the result, or of the argument whose extent is fixed; -1 for
    /// none.
    int64_t axis = -1;
    /// What must hold.
    std::string constraint;
    /// The same for a constraint that is proved: a message of a failure that
    /// cannot be has `?` for its numbers. Empty where that is no other text.
    std::string whereProved = "";
    GuardStatus status = GuardStatus::RunTime;
    /// The reason why it is proved or refuted, or why it is left to run time.
    std::string reason;
    /// The operation's number in the program (OperationNumber.h), -1 where it
    /// has none.
    int64_t operationNumber = -1;
    /// Whether it is proved by numbers of the program alone, without a symbol.
    bool isStatic = false;
    /// Whether it is about accesses in loops that are checked together.
    bool isOfLoops = false;
  };

  /// An argument or result with its shape in symbols.
  struct Value {
    std::string function;
    /// The number of the operation that computes it; -1 for the function's
    /// arguments.
    int64_t operationNumber = -1;
    unsigned index = 0;
    /// Such as `tensor<s0x4xf32>`.
    std::string type;
    /// The variable that is passed as this argument; empty for other arguments.
    std::string variable = "";
    /// The name of this argument in the program; empty if it has none.
    std::string name = "";
  };

  /// The meaning of a symbol.
  struct Symbol {
    std::string function;
    std::string name;
    std::string meaning;
  };

  /// What becomes of a loop over memory.
  struct Loop {
    std::string function;
    std::string operation;
    /// As of a row.
    std::string location;
    int64_t operationNumber = -1;
    bool isParallel = false;
    /// Why it is parallel, or why its iterations stay in order.
    std::string reason;
  };

  /// What becomes of an operation of a schedule.
  struct Edit {
    enum class Outcome : uint8_t { Made, Refused, LeftOut, Unchanged };

    /// Such as `transform.loom.tile`.
    std::string operation;
    /// As of a row.
    std::string location;
    Outcome outcome = Outcome::Made;
    /// Why it is not made, or changes nothing.
    std::string reason;
    /// The loops of the function behind it, as a schedule tree; empty where it
    /// only names loops.
    std::string tree;
  };

  /// Whether all constraints have been decided. Otherwise the report has the
  /// rows that were made before the program was rejected.
  bool isComplete = false;
  /// Whether an error was reported. Passes continue nevertheless.
  bool isRefused = false;
  std::vector<Row> rows;
  /// The numbers of operations whose own types contradict each other. A
  /// constraint that these types refute is an error on any path. ext-2
  std::unordered_set<int64_t> contradicted;
  /// The numbers of accesses that are checked in front of a loop, which has a
  /// row: their own rows are left out unless they are refuted.
  std::unordered_set<int64_t> checkedInFront;
  /// By the numbers of accesses in loops: why no loop has a check for them.
  std::unordered_map<int64_t, std::string> notInFront;
  std::vector<Value> values;
  std::vector<Symbol> symbols;
  std::vector<Loop> loops;
  /// The loops as schedule trees in front of a schedule, and its operations.
  std::string tree;
  std::vector<Edit> edits;

  /// Puts the rows in program order, with the texts of their statuses, and
  /// leaves out those of accesses that are checked in front of a loop.
  void finish();
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_GUARDREPORT_H
