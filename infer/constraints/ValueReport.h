//===- ValueReport.h - shapes of values in a report -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a report about the values of a function: their types, with
// symbols for open extents, and the meaning of these symbols.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_VALUEREPORT_H
#define BROADLOOM_INFER_CONSTRAINTS_VALUEREPORT_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/report/GuardReport.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

namespace broadloom::infer {

class ValueReport {
public:
  ValueReport(mlir::FunctionOpInterface func, ShapeAnalysis &analysis,
              GuardReport &report)
      : func(func), analysis(analysis), report(report) {}

  void addArguments();
  /// The results of `op`, if that is an operation of the program or a map that
  /// stands for one.
  void addResults(mlir::Operation *op);
  /// Adds the symbols in the types so far, described by the place of their
  /// first use.
  void addSymbols();

private:
  void add(mlir::Value value, int64_t number, unsigned index);

  mlir::FunctionOpInterface func;
  ShapeAnalysis &analysis;
  GuardReport &report;
  std::map<SymbolId, std::string> shown;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_VALUEREPORT_H
