//===- VectorLanes.h - vectors as their elements ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector becomes its elements, its lanes, in row-major order. Then every rule
// for numbers and accesses is one for vectors, and LLVM makes vectors of the
// processor's size.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_VECTORLANES_H
#define BROADLOOM_LEGALIZE_MEMORY_VECTORLANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Sequence.h"

namespace broadloom::legalize {

using Lanes = llvm::SmallVector<mlir::Value>;
using Position = llvm::SmallVector<int64_t>;

/// The lanes of the vectors of a function, and what makes them.
class VectorLanes {
public:
  explicit VectorLanes(mlir::FunctionOpInterface func)
      : b(func.getOperation()), loc(func->getLoc()), func(func) {}

  /// Goes on in front of `op`.
  void begin(mlir::Operation *op) {
    b.setInsertionPoint(op);
    loc = op->getLoc();
  }

  static Position getPosition(mlir::VectorType type, int64_t lane) {
    Position position(type.getRank());
    for (int64_t axis = type.getRank(); axis-- > 0;) {
      position[axis] = lane % type.getDimSize(axis);
      lane /= type.getDimSize(axis);
    }
    return position;
  }
  static int64_t getLane(mlir::VectorType type,
                         llvm::ArrayRef<int64_t> position) {
    int64_t lane = 0;
    for (auto [extent, at] : llvm::zip_equal(type.getShape(), position))
      lane = lane * extent + at;
    return lane;
  }
  static int64_t count(mlir::Type type) {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }

  /// The lanes of a vector; a number is one.
  Lanes get(mlir::Value value) {
    if (!llvm::isa<mlir::VectorType>(value.getType()))
      return {value};
    return lanes.lookup(value);
  }
  void set(mlir::Value value, Lanes values) {
    if (llvm::isa<mlir::VectorType>(value.getType()))
      lanes[value] = std::move(values);
    else
      value.replaceAllUsesWith(values.front());
  }
  /// Sets each lane of the result of `op` by its number and position.
  template <typename Function>
  void setEach(mlir::Value result, Function function) {
    auto type = llvm::dyn_cast<mlir::VectorType>(result.getType());
    Lanes values;
    for (int64_t lane : llvm::seq<int64_t>(count(result.getType())))
      values.push_back(
          function(lane, type ? getPosition(type, lane) : Position()));
    set(result, std::move(values));
  }

  mlir::Value index(int64_t number) {
    return mlir::arith::ConstantIndexOp::create(b, loc, number);
  }
  mlir::Value add(mlir::Value a, int64_t number) {
    return number == 0 ? a
                       : mlir::Value(mlir::arith::AddIOp::create(
                             b, loc, a, index(number)));
  }
  mlir::Value both(mlir::Value a, mlir::Value c) {
    return a ? mlir::Value(mlir::arith::AndIOp::create(b, loc, a, c)) : c;
  }
  mlir::Value truth(bool holds) {
    return mlir::arith::ConstantIntOp::create(b, loc, holds, 1);
  }
  mlir::Value zero(mlir::Type type) {
    return mlir::arith::ConstantOp::create(
        b, loc, llvm::cast<mlir::TypedAttr>(b.getZeroAttr(type)));
  }
  /// What `kind` makes of a new number and those before it, where the mask, if
  /// there is one, holds.
  mlir::Value combine(mlir::vector::CombiningKind kind, mlir::Value value,
                      mlir::Value before, mlir::Value condition = {}) {
    return mlir::vector::makeArithReduction(b, loc, kind, value, before,
                                            /*fastmath=*/nullptr, condition);
  }

  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::FunctionOpInterface func;
  /// The mask around the operation; empty for none.
  Lanes mask;

private:
  llvm::DenseMap<mlir::Value, Lanes> lanes;
};

/// Sets the lanes of the results of `op`, which accesses no memory.
void lowerVectorValue(mlir::Operation *op, VectorLanes &lanes);

/// The same for what combines lanes, and for lanes in other places; false if
/// `op` does neither.
bool lowerVectorSum(mlir::Operation *op, VectorLanes &lanes);
bool lowerVectorPart(mlir::Operation *op, VectorLanes &lanes);

/// Numbers in place of the vectors that loops, branches and calls pass on.
void carryLanes(mlir::FunctionOpInterface func);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_VECTORLANES_H
