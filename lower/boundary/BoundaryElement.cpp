//===- BoundaryElement.cpp - one element of what goes on ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/boundary/BoundaryElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;

namespace {
/// `Arithmetic` of findPlace() on values.
class PlaceEmitter {
public:
  using Number = Value;

  PlaceEmitter(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value get(int64_t number) {
    return arith::ConstantIndexOp::create(b, loc, number);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subtract(Value x, Value y) {
    return arith::SubIOp::create(b, loc, x, y);
  }
  Value least(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }
  Value greatest(Value x, Value y) {
    return arith::MaxSIOp::create(b, loc, x, y);
  }
  Value modulo(Value x, Value y) {
    Value rest = arith::RemSIOp::create(b, loc, x, y);
    Value isLess =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, get(0));
    return arith::SelectOp::create(b, loc, isLess, add(rest, y), rest);
  }

private:
  OpBuilder &b;
  Location loc;
};
} // namespace

BoundaryKind lower::getKind(loom::BoundaryMode mode) {
  static_assert(
      int(loom::BoundaryMode::Constant) == int(BoundaryKind::Constant) &&
      int(loom::BoundaryMode::Replicate) == int(BoundaryKind::Replicate) &&
      int(loom::BoundaryMode::Reflect) == int(BoundaryKind::Reflect) &&
      int(loom::BoundaryMode::Symmetric) == int(BoundaryKind::Symmetric) &&
      int(loom::BoundaryMode::Wrap) == int(BoundaryKind::Wrap));
  return BoundaryKind(int(mode));
}

static Value emitReflected(OpBuilder &b, Location loc, loom::BoundaryMode mode,
                           Value index, Value extent) {
  PlaceEmitter emitter(b, loc);
  return findPlace(emitter, lower::getKind(mode), index, extent);
}

Value lower::emitIsInside(OpBuilder &b, Location loc, Value index,
                          Value extent) {
  // An index before the source wraps, and is then beyond its extent.
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                               extent);
}

Value lower::emitPlace(OpBuilder &b, Location loc, loom::BoundaryMode mode,
                       Value index, Value extent, bool selects) {
  Value inside = emitIsInside(b, loc, index, extent);
  if (selects)
    return arith::SelectOp::create(b, loc, inside, index,
                                   emitReflected(b, loc, mode, index, extent));
  return scf::IfOp::create(
             b, loc, inside,
             [&](OpBuilder &then, Location) {
               scf::YieldOp::create(then, loc, index);
             },
             [&](OpBuilder &other, Location) {
               scf::YieldOp::create(
                   other, loc, emitReflected(other, loc, mode, index, extent));
             })
      .getResult(0);
}

Value BoundaryElement::emit(
    OpBuilder &b, Location loc,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> read,
    llvm::function_ref<Value(OpBuilder &)> fill) const {
  SmallVector<Value> places(indices);
  Value all;
  for (int64_t axis : llvm::seq<int64_t>(indices.size())) {
    if (isInside.test(axis))
      continue;
    if (mode != loom::BoundaryMode::Constant) {
      places[axis] = emitPlace(b, loc, mode, indices[axis], extents[axis]);
      continue;
    }
    Value inside = emitIsInside(b, loc, indices[axis], extents[axis]);
    if (int64_t more = interior.empty() ? 0 : interior[axis]) {
      Value step = arith::ConstantIndexOp::create(b, loc, more + 1);
      Value rest = arith::RemUIOp::create(b, loc, indices[axis], step);
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value isElement =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, zero);
      inside = arith::AndIOp::create(b, loc, inside, isElement);
      places[axis] = arith::DivUIOp::create(b, loc, indices[axis], step);
    }
    all = all ? Value(arith::AndIOp::create(b, loc, all, inside)) : inside;
  }
  if (!all)
    return read(b, places);
  return scf::IfOp::create(
             b, loc, all,
             [&](OpBuilder &then, Location) {
               scf::YieldOp::create(then, loc, read(then, places));
             },
             [&](OpBuilder &other, Location) {
               scf::YieldOp::create(other, loc, fill(other));
             })
      .getResult(0);
}
