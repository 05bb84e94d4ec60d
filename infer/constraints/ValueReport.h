//===- ValueReport.h - shapes of values in a report -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report tells of the values of a function: their types, in which
// symbols stand for open extents, and what these symbols mean.
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
  /// The symbols in the types so far, in the words of where they are met first.
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
