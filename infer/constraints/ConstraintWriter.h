//===- ConstraintWriter.h - what must hold of extents -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes constraints over extents and other indices before an operation: a
// small arithmetic that folds what types and constants determine.
//
// Indices are mathematical integers: they never wrap.
//
// Invariant: known values are emitted only for messages. All emitted conditions
// are signed comparisons of sums and products, which the analysis can read
// (sf-6).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWRITER_H
#define BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWRITER_H

#include "infer/constraints/ShapeValues.h"

#include "mlir/IR/OpDefinition.h"

namespace broadloom::infer {

/// An index: an attribute if it is known, else a value.
using Index = mlir::OpFoldResult;

/// A condition: a known truth value, or a value.
class Claim {
public:
  Claim(bool holds) : known(holds) {}
  Claim(mlir::Value holds) : value(holds) {}

  std::optional<bool> getKnown() const { return known; }
  mlir::Value getValue() const { return value; }

private:
  std::optional<bool> known;
  mlir::Value value;
};

/// What follows a message, with {0}, {1}, ... for values of type index.
struct MessageTail {
  std::string text;
  llvm::SmallVector<mlir::Value> values;
};

class ConstraintWriter {
public:
  /// For formulas that are templates.
  using Number = Index;

  /// Writes constraints of `op`. `all`: also those that types prove, for a
  /// report.
  ConstraintWriter(mlir::Operation *op, ShapeValues &shapes, bool all);

  Index get(int64_t number) const;
  /// The extent of an axis of a tensor whose rank is known.
  Index getExtent(mlir::Value tensor, int64_t axis);
  /// The shape of a tensor, as a value of the program.
  mlir::Value getShape(mlir::Value tensor) { return shapes.get(tensor, op); }
  /// The broadcast of shapes, as a value of the program.
  mlir::Value broadcast(llvm::ArrayRef<mlir::Value> operands) {
    return shapes.broadcast(builder, getLoc(), operands);
  }
  /// The rank of a tensor.
  Index getRank(mlir::Value tensor);
  /// Any integer as an index.
  Index getIndex(mlir::Value value);
  static std::optional<int64_t> getKnown(Index index);

  Index add(Index a, Index b);
  Index subtract(Index a, Index b);
  Index multiply(Index a, Index b);
  Index multiply(llvm::ArrayRef<Index> factors);
  /// Rounded down; `b` is positive.
  Index divide(Index a, Index b);
  /// The remainder of `a`, a number of elements, divided by the positive `b`.
  Index remainder(Index a, int64_t b);

  Claim equal(Index a, Index b) {
    return compare(mlir::arith::CmpIPredicate::eq, a, b);
  }
  Claim atMost(Index a, Index b) {
    return compare(mlir::arith::CmpIPredicate::sle, a, b);
  }
  Claim less(Index a, Index b) {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }
  /// At least 0.
  Claim isNatural(Index a) { return atMost(get(0), a); }
  /// The claim that a computed index fits 63 bits.
  Claim fits(Index a) {
    return atMost(a, get(std::numeric_limits<int64_t>::max() - 1));
  }
  /// `a` where the claim holds, else `b`.
  Index choose(Claim claim, Index a, Index b);
  Claim both(Claim a, Claim b);
  Claim either(Claim a, Claim b);
  Claim isNot(Claim a);

  /// Records the claim. `message` has {0}, {1}, ... for the values. What
  /// follows it delays no guard: a value that a guard does not have is `?`.
  void constrain(Claim claim, const llvm::Twine &message,
                 llvm::ArrayRef<Index> values,
                 llvm::function_ref<MessageTail()> getTail = nullptr);

  /// Records that an axis of a result has the extent that its type declares,
  /// which the operands may not determine (rt-4).
  void constrainResult(mlir::ShapedType declared, int64_t axis, Index is);

  /// `{0}x{1}x{2}`, counted from `first`: a shape in a message.
  static std::string spellShape(size_t count, size_t first = 0);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return op->getLoc(); }
  /// Converts to a value of the program, before the operation.
  mlir::Value materialise(Index index);
  mlir::Value materialise(Claim claim);

private:
  Claim compare(mlir::arith::CmpIPredicate predicate, Index a, Index b);

  mlir::Operation *op;
  ShapeValues &shapes;
  bool all;
  mlir::OpBuilder builder;
};

/// The claim that a slice of `size` elements from `offset` on, in steps of
/// `stride`, is inside an axis.
Claim liesInside(ConstraintWriter &w, Index offset, Index size, Index stride,
                 Index extent);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWRITER_H
