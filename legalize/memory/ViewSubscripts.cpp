//===- ViewSubscripts.cpp - elements of views in what they view -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/ViewSubscripts.h"

#include "dialect/MemoryViews.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Arithmetic = NestNumbers::Arithmetic;
using Subscript = Subscripts::value_type;

bool legalize::isInsideRoot(Value memory) {
  for (;;) {
    Operation *op = memory.getDefiningOp();
    Value viewed = loom::getViewed(op);
    if (!viewed)
      return true;
    if (isa<memref::ReinterpretCastOp>(op))
      return false;
    memory = viewed;
  }
}

namespace {

/// Goes from one view to what it views.
class ViewStep {
public:
  ViewStep(const Subscripts &of, NestNumbers &numbers)
      : of(of), numbers(numbers) {}

  Subscripts run(Operation *view) {
    auto type = dyn_cast<MemRefType>(loom::getViewed(view).getType());
    size_t rank = type ? type.getRank() : 0;
    Subscripts in =
        llvm::TypeSwitch<Operation *, Subscripts>(view)
            .Case<memref::CastOp>([&](auto) { return of; })
            .Case<memref::SubViewOp, memref::TransposeOp, memref::ExpandShapeOp,
                  memref::CollapseShapeOp, memref::ReinterpretCastOp>(
                [&](auto op) { return get(op); })
            .Default([](Operation *) { return Subscripts(); });
    // Of other views, the elements are any.
    return in.size() == rank ? in : Subscripts(rank);
  }

private:
  Subscript plus(const Subscript &a, const Subscript &b) {
    return numbers.apply(Arithmetic::Add, a, b);
  }
  Subscript times(const Subscript &a, const Subscript &b) {
    return numbers.apply(Arithmetic::Multiply, a, b);
  }

  /// A subscript is multiplied by the step and moved by the offset of its axis.
  Subscripts get(memref::SubViewOp op) {
    llvm::SmallBitVector dropped = loom::getDroppedAxes(op);
    Subscripts in;
    size_t next = 0;
    for (auto [axis, offset, step] :
         llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
      Subscript at = numbers.get(offset);
      if (!dropped.test(axis) && next < of.size())
        at = plus(at, times(of[next++], numbers.get(step)));
      in.push_back(at);
    }
    return in;
  }

  Subscripts get(memref::TransposeOp op) {
    Subscripts in(of.size());
    for (auto [axis, from] : llvm::enumerate(op.getPermutation().getResults()))
      in[cast<AffineDimExpr>(from).getPosition()] = of[axis];
    return in;
  }

  /// Axes that were one are counted in row-major order.
  Subscripts get(memref::ExpandShapeOp op) {
    SmallVector<OpFoldResult> extents = op.getMixedOutputShape();
    Subscripts in;
    for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
      Subscript at = numbers.get(OpFoldResult(zero(op)));
      for (int64_t axis : group)
        at = plus(times(at, numbers.get(extents[axis])), of[axis]);
      in.push_back(at);
    }
    return in;
  }

  /// One axis is several, whose extents are constants but for the first.
  Subscripts get(memref::CollapseShapeOp op) {
    MemRefType type = op.getSrcType();
    Subscripts in;
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      SmallVector<int64_t> extents;
      for (int64_t from : group)
        extents.push_back(type.getDimSize(from));
      llvm::append_range(in, split(op, of[axis], extents));
    }
    // All axes, each of extent 1, may become none.
    in.resize(type.getRank(), numbers.get(OpFoldResult(zero(op))));
    return in;
  }

  /// Places are counted from the first element of row-major memory.
  Subscripts get(memref::ReinterpretCastOp op) {
    Value source = op.getSource();
    while (auto cast = source.getDefiningOp<memref::CastOp>())
      source = cast.getSource();
    auto type = dyn_cast<MemRefType>(source.getType());
    // A view may be of a part, and the elements outside of that.
    if (!type || loom::getViewed(source.getDefiningOp()) ||
        !type.getLayout().isIdentity())
      return {};
    Subscript at = numbers.get(op.getMixedOffsets().front());
    for (auto [subscript, stride] : llvm::zip_equal(of, op.getMixedStrides()))
      at = plus(at, times(subscript, numbers.get(stride)));
    return split(op, at, type.getShape());
  }

  /// The subscripts of the element number `at` in row-major order.
  Subscripts split(Operation *op, Subscript at, ArrayRef<int64_t> extents) {
    Subscripts in(extents.size());
    for (size_t axis = extents.size(); axis-- > 0;) {
      bool isFirst = llvm::all_of(extents.take_front(axis),
                                  [](int64_t extent) { return extent == 1; });
      if (isFirst) {
        in[axis] = at;
        for (size_t before = 0; before < axis; ++before)
          in[before] = numbers.get(OpFoldResult(zero(op)));
        return in;
      }
      if (ShapedType::isDynamic(extents[axis]))
        return in;
      Subscript extent = numbers.get(
          OpFoldResult(Builder(op->getContext()).getIndexAttr(extents[axis])));
      in[axis] = numbers.apply(Arithmetic::Modulo, at, extent);
      at = numbers.apply(Arithmetic::FloorDivide, at, extent);
    }
    return in;
  }

  static Attribute zero(Operation *op) {
    return Builder(op->getContext()).getIndexAttr(0);
  }

  const Subscripts &of;
  NestNumbers &numbers;
};

} // namespace

Subscripts legalize::getSubscriptsIn(Value root, Value memory,
                                     Subscripts subscripts,
                                     NestNumbers &numbers) {
  while (memory != root) {
    Operation *view = memory.getDefiningOp();
    memory = loom::getViewed(view);
    subscripts = ViewStep(subscripts, numbers).run(view);
  }
  return subscripts;
}
