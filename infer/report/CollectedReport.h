//===- CollectedReport.h - a report that passes add to ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of a pipeline, as an analysis of its module. The pass
// loom-collect-report makes it; each later pass adds rows, continues after
// errors about shapes, and also records what types prove or refute. Without the
// analysis, passes do none of this (decision 38).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_COLLECTEDREPORT_H
#define BROADLOOM_INFER_REPORT_COLLECTEDREPORT_H

#include "infer/report/GuardReport.h"

#include "mlir/Pass/AnalysisManager.h"

#include <functional>
#include <optional>

namespace broadloom::infer {

class CollectedReport {
public:
  explicit CollectedReport(mlir::Operation *) {}

  /// Never invalidated: rows are about the program as it was written.
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) {
    return false;
  }

  /// The report of the pass that calls this with
  /// `getCachedAnalysis<CollectedReport>()`; null where there is none.
  static GuardReport *
  get(std::optional<std::reference_wrapper<CollectedReport>> cached) {
    return cached ? cached->get().into : nullptr;
  }

  GuardReport *into = nullptr;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_COLLECTEDREPORT_H
