//===- GuardReport.h - what became of each obligation -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for each statement that an obligation makes and that needed more than
// the types of its operands side by side; one row for an obligation that was
// proved whole. Rows are in program order.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_GUARDREPORT_H
#define BROADLOOM_INFER_GUARDREPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace broadloom::infer {

enum class GuardStatus : uint8_t { Proved, RunTime, Refuted };

/// "proved", "run-time" or "refuted".
constexpr const char *guardStatusName(GuardStatus status) {
  return status == GuardStatus::Proved    ? "proved"
         : status == GuardStatus::RunTime ? "run-time"
                                          : "refuted";
}

struct GuardReport {
  struct Row {
    std::string function;
    /// The operation as the user wrote it, e.g. `tosa.add`.
    std::string operation;
    /// `file:line:column`, or what else the location says; empty if unknown.
    std::string location;
    /// Result axis, -1 where the row is about none.
    int64_t axis = -1;
    /// What must hold.
    std::string obligation;
    GuardStatus status = GuardStatus::RunTime;
    /// By what it is proved or refuted, or why it is left to run time.
    std::string reason;
  };
  std::vector<Row> rows;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_GUARDREPORT_H
