//===- CollectReport.cpp - passes behind it add to a report ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/Passes.h"
#include "infer/report/CollectedReport.h"
#include "infer/report/FixedExtents.h"
#include "infer/report/OperationNumber.h"
#include "infer/report/ReportRow.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMCOLLECTREPORT
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

struct LoomCollectReportPass
    : infer::impl::LoomCollectReportBase<LoomCollectReportPass> {
  void runOnOperation() override {
    numberOperations(getOperation());
    markOwnGuards(getOperation());
    GuardReport *report = into ? into : &own;
    getAnalysis<CollectedReport>().into = report;
    getOperation()->walk([&](FunctionOpInterface function) {
      addFixedExtents(function, *report);
    });
  }

  /// The caller's report, or null.
  GuardReport *into = nullptr;
  GuardReport own;
};

} // namespace

std::unique_ptr<Pass> infer::createLoomCollectReport(GuardReport *into) {
  auto pass = std::make_unique<LoomCollectReportPass>();
  pass->into = into;
  return pass;
}
