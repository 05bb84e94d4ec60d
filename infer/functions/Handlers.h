//===- Handlers.h - what operations of shape functions compute --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter's table, in parts: one per dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_HANDLERS_H
#define BROADLOOM_INFER_FUNCTIONS_HANDLERS_H

#include "infer/functions/Evaluator.h"

namespace broadloom::infer {

class HandlerTable {
public:
  /// `handle` takes an Evaluator and an OpT.
  template <typename OpT, Step (*handle)(Evaluator &, OpT)> void add() {
    handlers[mlir::TypeID::get<OpT>()] = [](Evaluator &evaluator,
                                            mlir::Operation *op) {
      return handle(evaluator, llvm::cast<OpT>(op));
    };
  }
  Evaluator::Handler lookup(mlir::TypeID id) const {
    return handlers.lookup(id);
  }

private:
  llvm::DenseMap<mlir::TypeID, Evaluator::Handler> handlers;
};

void addArithHandlers(HandlerTable &table);
/// Part of addShapeHandlers.
void addComparisonHandlers(HandlerTable &table);
void addControlHandlers(HandlerTable &table);
void addLoomHandlers(HandlerTable &table);
void addShapeHandlers(HandlerTable &table);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_HANDLERS_H
