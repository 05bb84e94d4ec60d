//===- Evaluator.h - one evaluation of a shape function ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter: a table with one handler per operation that shape functions
// may have. The table defines the language: the verifier of libraries rejects
// all other operations. Folders of operations are not called.
//
// Invariant: a handler gives each result of its operation a value, or returns
// Stop. After Stop nothing more of the function (of the branch, where a branch
// need not be taken) is evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_EVALUATOR_H
#define BROADLOOM_INFER_FUNCTIONS_EVALUATOR_H

#include "infer/functions/Evaluate.h"
#include "infer/numbers/Conditions.h"

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

enum class Step : bool { Stop, Go };

class Evaluator {
public:
  using Handler = Step (*)(Evaluator &, mlir::Operation *);

  /// `library` may be null where no function is called.
  Evaluator(const ShapeLibrary *library, const Request &request,
            const EvaluationOptions &options, Numbers &numbers,
            Outcome &outcome)
      : numbers(numbers), request(request), library(library), options(options),
        outcome(outcome) {}

  /// The handler of an operation; null if shape functions cannot have it.
  static Handler getHandler(mlir::Operation *op);

  /// Calls a function with `arguments`, which its results replace.
  Step call(mlir::Operation *at, mlir::shape::FuncOp function,
            std::vector<Datum> &values);
  mlir::shape::FuncOp getCallee(mlir::Operation *apply) const {
    return library ? library->getCallee(apply) : mlir::shape::FuncOp();
  }
  /// Evaluates one operation of a program, not of a shape function. False if
  /// there is no answer, or if it depends on unproved constraints: its results
  /// are then unknown.
  bool evaluateAlone(mlir::Operation *op);
  /// Evaluates a block; `yielded` gets what its terminator yields.
  Step run(mlir::Block &block, std::vector<Datum> *yielded);

  // Values. Each getter returns an unknown value if nothing is known.
  Number getNumber(mlir::Value value);
  ConditionId getCondition(mlir::Value value);
  std::shared_ptr<const ShapeDatum> getShape(mlir::Value value);
  std::shared_ptr<const OperandDatum> getOperand(mlir::Value value);
  std::shared_ptr<const ListDatum> getList(mlir::Value value);
  mlir::Type getType(mlir::Value value);
  mlir::Attribute getEncoding(mlir::Value value);
  Datum getDatum(mlir::Value value);
  Step set(mlir::Value value, Datum datum);
  /// Null if the value has not been computed.
  const Datum *find(mlir::Value value) const;
  void forget(mlir::Value value) { values.erase(value); }
  /// Fails if the number is nothing, or no word, because it is too large.
  Step setNumber(mlir::Operation *op, const std::optional<Number> &number);
  Step setCondition(mlir::Operation *op, ConditionId condition);
  Step setShape(mlir::Value value, ShapeDatum shape);
  Datum makeUnknown(mlir::Type type);
  /// `number` is the number of the operand in its operation, -1 for none.
  Datum makeOperand(const Operand &operand, int32_t number = -1);
  /// The join of two values, as after a branch.
  Datum join(ConditionId condition, const Datum &a, const Datum &b);
  /// A constant's values, read from its attribute if need be.
  ShapeDatum getValue(const OperandDatum &operand);
  std::optional<ShapeDatum> readIntegers(mlir::Attribute attribute);

  /// Requires a condition to hold, on the path that is being taken.
  Step constrain(mlir::Operation *at, ConditionId condition,
                 llvm::StringRef message, std::vector<Datum> values = {},
                 std::string statement = {});
  /// Whether proved constraints are listed too.
  bool keepsProved() const { return options.keepProved; }
  /// Whether a refuted constraint is already about these two, so that further
  /// failures follow from it.
  bool hasTold(const Datum &a, const Datum &b) const;
  /// The operation cannot be valid (on this path).
  Step fail(mlir::Operation *at, const llvm::Twine &message);
  /// There is no answer.
  Step giveUp(mlir::Location location, const llvm::Twine &message);
  /// Gives all results of `op` unknown values, and records that constraints
  /// inside it, if any, have not been evaluated.
  Step skip(mlir::Operation *op, const llvm::Twine &why);
  /// Whether a number is not negative, given the constraints so far.
  bool isNotNegative(const Number &number) const {
    return infer::isNotNegative(numbers, number);
  }
  /// Records an extent of a result that depends on data.
  void addDataExtent(DataExtent data) {
    outcome.dataExtents.push_back(std::move(data));
  }
  /// Counts work against the limit.
  Step charge(mlir::Operation *at, uint64_t steps);

  /// While it lives, evaluation is on a path that is taken only if `condition`
  /// holds.
  class Path {
  public:
    Path(Evaluator &evaluator, ConditionId condition);
    ~Path();

  private:
    Evaluator &evaluator;
    ConditionId before;
    unsigned numFacts;
    Numbers::Scope scope;
  };
  /// Whether evaluation has ended, as opposed to only the current path.
  bool isStopped() const { return stopped; }

  Numbers &numbers;
  const Request &request;

private:
  const ShapeLibrary *library;
  const EvaluationOptions &options;
  Outcome &outcome;
  /// The elements of operands of which nothing is known.
  llvm::SmallDenseMap<int32_t, ShapeDatum> dataOf;
  llvm::DenseMap<mlir::Value, Datum> values;
  ConditionId path = Numbers::kTrue;
  unsigned numFacts = 0;
  uint64_t steps = 0;
  size_t sizeAtStart = 0;
  unsigned depth = 0;
  /// Whether evaluation has ended.
  bool stopped = false;
  /// Whether single operations of a program are evaluated, and no function.
  bool isAlone = false;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_EVALUATOR_H
