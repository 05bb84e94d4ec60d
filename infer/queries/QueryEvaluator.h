//===- QueryEvaluator.h - evaluating a shape query over numbers -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to EvaluateQuery.cpp and QueryControl.cpp: the state of one query.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_QUERYEVALUATOR_H
#define BROADLOOM_INFER_QUERIES_QUERYEVALUATOR_H

#include "dialect/LoomDialect.h"
#include "infer/functions/Datum.h"
#include "infer/queries/EvaluateQuery.h"
#include "shape/Broadcast.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SaveAndRestore.h"

namespace broadloom::infer {

/// An index, an i1 or a `!loom.shape`; only the field of its type is used.
struct QueryValue {
  Number number;
  ConditionId condition = Numbers::kUnknown;
  ShapeDatum shape;
};

class QueryEvaluator {
public:
  /// All existing symbols have names.
  QueryEvaluator(Numbers &numbers, llvm::ArrayRef<std::string> names)
      : numbers(numbers), names(names), numNamed(numbers.getSymbols().size()) {}
  QueryShapes run(mlir::func::FuncOp query,
                  const std::vector<Shape> &arguments);

private:
  std::string getArgumentText(int32_t index) const;
  bool checkMemory(int32_t index, mlir::TensorType type, const Shape &shape);
  bool bindArgument(int32_t index, mlir::Type type, const Shape &shape,
                    mlir::Block::args_iterator &next);
  /// False where a guard fails.
  bool evaluate(mlir::Block &block);
  void evaluate(mlir::Operation *op);
  void evaluate(loom::RequireOp op);
  void evaluate(loom::RequireBroadcastOp op);
  void evaluate(loom::RequireFunctionOp op);
  void evaluate(loom::BroadcastOp op);
  void evaluate(mlir::scf::IfOp op);
  void evaluate(mlir::scf::ForOp op);
  void evaluateAnyIteration(mlir::scf::ForOp op, Bounds indices);
  void evaluate(mlir::scf::WhileOp op);
  /// Gives `values` to the arguments of `block` and evaluates it.
  bool enter(mlir::Block &block, const std::vector<QueryValue> &values);
  bool isFarEnough() const { return steps > kMaxSteps; }
  void evaluate(mlir::func::CallOp op);
  void compute(mlir::Operation *op);
  Number computeWord(mlir::Operation *op);

  Number getNumber(mlir::Value value);
  ConditionId getCondition(mlir::Value value);
  ShapeDatum getShape(mlir::Value value);
  /// The text of the value in a message: a number or a shape.
  std::string getText(mlir::Value value);
  std::vector<QueryValue> getAll(mlir::ValueRange range);
  void setUnknown(mlir::Value value);
  void setNumber(mlir::Value value, Number number) {
    values[value].number = std::move(number);
  }
  void set(mlir::Value value, ShapeDatum shape) {
    values[value].shape = std::move(shape);
  }
  QueryValue select(ConditionId condition, const QueryValue &a,
                    const QueryValue &b);
  void fail(mlir::Operation *op, llvm::StringRef origin,
            const std::string &text);

  Numbers &numbers;
  /// Of the arguments, for messages.
  llvm::ArrayRef<std::string> names;
  SymbolId numNamed;
  llvm::DenseMap<mlir::Value, QueryValue> values;
  QueryShapes answer;
  /// Whether every call reaches the operation that is evaluated.
  bool certain = true;
  /// Whether the body of a loop is evaluated once for all iterations.
  bool isAnyIteration = false;
  /// The limit of iterations of a loop that is evaluated.
  static constexpr uint64_t kMaxIterations = 4096;
  /// The limit of evaluated operations, beyond which calls and loops are not
  /// evaluated.
  static constexpr uint64_t kMaxSteps = 1 << 20;
  /// The number of evaluated operations, which can grow exponentially with the
  /// depth of calls.
  uint64_t steps = 0;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_QUERYEVALUATOR_H
