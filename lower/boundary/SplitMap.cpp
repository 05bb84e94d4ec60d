//===- SplitMap.cpp - a map of slices of boundaries in parts
//-----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along each axis, the elements of a map's result that read the sources of all
// boundaries inside are those from the largest `low - offset` of its slices up
// to the least `low + extent - offset` (bnd-4). They may be none: what is ahead
// of them and what is behind them are all elements then.
//
//===----------------------------------------------------------------------===//

#include "lower/boundary/SplitMap.h"
#include "lower/boundary/Boundary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;

bool lower::isPlain(tensor::ExtractSliceOp slice) {
  return slice.getType().getRank() == slice.getSourceType().getRank() &&
         llvm::all_of(slice.getMixedStrides(), [](OpFoldResult stride) {
           return getConstantIntValue(stride) == 1;
         });
}

bool lower::hasAllExtents(loom::MapOp map, unsigned number) {
  auto type = dyn_cast<RankedTensorType>(map.getOperand(number).getType());
  auto result = dyn_cast<RankedTensorType>(map.getResult(0).getType());
  if (!type || !result || type.getRank() != result.getRank())
    return false;
  if (ArrayAttr kinds = map.getKindsAttr())
    return cast<loom::AccessAttr>(kinds[number])
        .areAll(loom::AxisAccess::Match);
  return type.hasStaticShape() && type.getShape() == result.getShape();
}

namespace {

/// An operand that reads a boundary, from `offsets` on.
struct Slice {
  Boundary boundary;
  SmallVector<OpFoldResult> offsets;
};

/// The elements of an axis that read the sources inside, between two ends.
struct AxisParts {
  OpFoldResult extent;
  OpFoldResult begin, size;
  OpFoldResult end, rest;
};

/// Computes a map in parts.
class Splitter {
public:
  Splitter(loom::MapOp map, const llvm::DenseSet<Operation *> &boundaries)
      : b(map), loc(map.getLoc()), map(map), boundaries(boundaries),
        sizes(b, loc) {}

  /// Replaces the results of the map.
  void split() {
    for (auto [number, operand] : llvm::enumerate(map.getOperands()))
      if (hasAllExtents(map, number))
        if (auto slice = findSlice(operand))
          slices.insert({unsigned(number), std::move(*slice)});
    if (slices.empty())
      return;
    auto type = cast<RankedTensorType>(map.getResult(0).getType());
    rank = type.getRank();
    for (int64_t axis : llvm::seq(rank))
      axes.push_back(findParts(type, axis));
    SmallVector<OpFoldResult> extents;
    for (const AxisParts &parts : axes)
      extents.push_back(parts.extent);
    for (Type result : map.getResultTypes())
      wholes.push_back(tensor::EmptyOp::create(b, loc, extents,
                                               getElementTypeOrSelf(result)));
    findCovers();
    computeFrom(0, Box());
    for (auto [result, whole] : llvm::zip_equal(map.getResults(), wholes))
      result.replaceAllUsesWith(
          castTo(b, loc, whole, cast<RankedTensorType>(result.getType())));
    map.erase();
  }

private:
  std::optional<Slice> findSlice(Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return std::nullopt;
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    for (;;) {
      if (boundaries.contains(operand.getDefiningOp()))
        return Slice{*getBoundary(operand), offsets};
      if (auto cast = operand.getDefiningOp<tensor::CastOp>()) {
        operand = cast.getSource();
        if (!isa<RankedTensorType>(operand.getType()))
          return std::nullopt;
        continue;
      }
      auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || !isPlain(slice))
        return std::nullopt;
      for (auto [offset, more] :
           llvm::zip_equal(offsets, slice.getMixedOffsets()))
        offset = sizes.add(offset, more);
      operand = slice.getSource();
    }
  }

  AxisParts findParts(RankedTensorType type, int64_t axis) {
    AxisParts parts;
    unsigned first = slices.begin()->first;
    parts.extent =
        type.isDynamicDim(axis)
            ? tensor::getMixedSize(b, loc, map.getOperand(first), axis)
            : OpFoldResult(b.getIndexAttr(type.getDimSize(axis)));
    OpFoldResult begin = sizes.get(0), end = parts.extent;
    llvm::DenseSet<std::pair<Operation *, void *>> seen;
    for (auto &[number, slice] : slices) {
      const Boundary &boundary = slice.boundary;
      if (!seen.insert({boundary.op, slice.offsets[axis].getOpaqueValue()})
               .second)
        continue;
      OpFoldResult from =
          sizes.subtract(boundary.low[axis], slice.offsets[axis]);
      OpFoldResult extent = tensor::getMixedSize(b, loc, boundary.source, axis);
      begin = sizes.greatest(begin, from);
      end = sizes.least(end, sizes.add(from, extent));
    }
    parts.begin = sizes.least(begin, parts.extent);
    parts.size = sizes.greatest(sizes.subtract(end, parts.begin), sizes.get(0));
    parts.end = sizes.add(parts.begin, parts.size);
    parts.rest = sizes.subtract(parts.extent, parts.end);
    return parts;
  }

  /// Computes what is inside along the axes before `axis`: in front, in
  /// between, and behind.
  void computeFrom(int64_t axis, Box box) {
    if (axis == rank)
      return computePart(box, rank);
    const AxisParts &parts = axes[axis];
    computeEnd(axis, box, sizes.get(0), parts.begin);
    if (getConstantIntValue(parts.size) != 0) {
      Box inside = box;
      inside.offsets.push_back(parts.begin);
      inside.sizes.push_back(parts.size);
      computeFrom(axis + 1, inside);
    }
    computeEnd(axis, box, parts.end, parts.rest);
  }

  void computeEnd(int64_t axis, Box box, OpFoldResult begin,
                  OpFoldResult size) {
    if (getConstantIntValue(size) == 0)
      return;
    box.offsets.push_back(begin);
    box.sizes.push_back(size);
    for (int64_t behind = axis + 1; behind < rank; ++behind) {
      box.offsets.push_back(sizes.get(0));
      box.sizes.push_back(axes[behind].extent);
    }
    computePart(box, axis);
  }

  /// Computes a part of the results, which is known to be inside the sources
  /// along the axes before `firstOpen`.
  void computePart(const Box &box, int64_t firstOpen) {
    llvm::MapVector<Operation *, std::pair<Value, Box>> made;
    if (firstOpen < rank)
      makeStrips(box, firstOpen, made);
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(map.getOperands())) {
      auto it = slices.find(number);
      if (it == slices.end()) {
        operands.push_back(takeOther(number, box));
        continue;
      }
      const Slice &slice = it->second;
      Box from = box;
      for (int64_t axis : llvm::seq(rank)) {
        OpFoldResult at = sizes.add(box.offsets[axis], slice.offsets[axis]);
        OpFoldResult base = firstOpen < rank
                                ? made[slice.boundary.op].second.offsets[axis]
                                : slice.boundary.low[axis];
        from.offsets[axis] = sizes.subtract(at, base);
      }
      operands.push_back(takeBox(b, loc,
                                 firstOpen < rank
                                     ? made[slice.boundary.op].first
                                     : slice.boundary.source,
                                 from));
    }
    compute(operands, box);
  }

  /// Finds what all slices of each boundary cover together.
  void findCovers() {
    for (int64_t axis : llvm::seq(rank)) {
      llvm::DenseSet<std::pair<Operation *, void *>> seen;
      for (auto &[number, slice] : slices) {
        OpFoldResult offset = slice.offsets[axis];
        Operation *op = slice.boundary.op;
        if (!seen.insert({op, offset.getOpaqueValue()}).second)
          continue;
        // The sizes are the largest offsets until all are known.
        Box &cover = covers.try_emplace(op).first->second;
        if (int64_t(cover.offsets.size()) == axis) {
          cover.offsets.push_back(offset);
          cover.sizes.push_back(offset);
        }
        cover.offsets[axis] = sizes.least(cover.offsets[axis], offset);
        cover.sizes[axis] = sizes.greatest(cover.sizes[axis], offset);
      }
      for (auto &[op, cover] : covers)
        cover.sizes[axis] =
            sizes.subtract(cover.sizes[axis], cover.offsets[axis]);
    }
  }

  /// Makes the elements of each boundary that a part reads.
  void makeStrips(const Box &box, int64_t firstOpen,
                  llvm::MapVector<Operation *, std::pair<Value, Box>> &made) {
    for (auto &[number, slice] : slices) {
      Operation *op = slice.boundary.op;
      if (made.contains(op))
        continue;
      const Box &cover = covers[op];
      Box strip;
      for (int64_t axis : llvm::seq(rank)) {
        strip.offsets.push_back(
            sizes.add(box.offsets[axis], cover.offsets[axis]));
        strip.sizes.push_back(sizes.add(box.sizes[axis], cover.sizes[axis]));
      }
      made[op] = {computeBox(b, loc, slice.boundary, strip, firstOpen), strip};
    }
  }

  /// The part of an operand that reads no boundary.
  Value takeOther(unsigned number, const Box &box) {
    Value operand = map.getOperand(number);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || type.getRank() == 0)
      return operand;
    ArrayAttr kinds = map.getKindsAttr();
    int64_t missing = rank - type.getRank();
    Box from;
    for (int64_t axis : llvm::seq(type.getRank())) {
      auto access = kinds
                        ? cast<loom::AccessAttr>(kinds[number]).getAxes()[axis]
                        : loom::AxisAccess::RunTime;
      OpFoldResult offset = box.offsets[axis + missing],
                   size = box.sizes[axis + missing];
      OpFoldResult extent = tensor::getMixedSize(b, loc, operand, axis);
      std::optional<int64_t> known = getConstantIntValue(extent);
      if (access == loom::AxisAccess::One || known == 1) {
        offset = sizes.get(0);
        size = sizes.get(1);
      } else if (access == loom::AxisAccess::RunTime && !known) {
        std::tie(offset, size) = chooseRange(extent, offset, size);
      } else if (known && extent != axes[axis + missing].extent) {
        // Behind a guard that always fails, types may contradict each other,
        // which attributes must not.
        offset = sizes.getValue(offset);
        size = sizes.getValue(size);
      }
      from.offsets.push_back(offset);
      from.sizes.push_back(size);
    }
    return takeBox(b, loc, operand, from);
  }

  /// All of an axis of one element, which is repeated; else a part of it.
  std::pair<OpFoldResult, OpFoldResult>
  chooseRange(OpFoldResult extent, OpFoldResult offset, OpFoldResult size) {
    Value one = sizes.getValue(sizes.get(1)),
          zero = sizes.getValue(sizes.get(0));
    Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        sizes.getValue(extent), one);
    Value from =
        arith::SelectOp::create(b, loc, isOne, zero, sizes.getValue(offset));
    Value count =
        arith::SelectOp::create(b, loc, isOne, one, sizes.getValue(size));
    return {from, count};
  }

  void compute(ArrayRef<Value> operands, const Box &box) {
    SmallVector<int64_t> shape = decomposeMixedValues(box.sizes).first;
    SmallVector<Type> types;
    for (Type result : map.getResultTypes())
      types.push_back(
          RankedTensorType::get(shape, getElementTypeOrSelf(result)));
    auto part = loom::MapOp::create(b, loc, types, operands);
    part->setDiscardableAttrs(map->getDiscardableAttrDictionary());
    if (ArrayAttr kinds = map.getKindsAttr())
      part.setKindsAttr(kinds);
    IRMapping mapping;
    map.getBody().cloneInto(&part.getBody(), mapping);
    for (auto [whole, result] : llvm::zip_equal(wholes, part.getResults()))
      whole = putBox(b, loc, result, whole, box);
  }

  OpBuilder b;
  Location loc;
  loom::MapOp map;
  const llvm::DenseSet<Operation *> &boundaries;
  Sizes sizes;
  int64_t rank = 0;
  /// The operands that read boundaries, by their numbers.
  llvm::MapVector<unsigned, Slice> slices;
  SmallVector<AxisParts> axes;
  /// The offsets of each boundary's slices: the least one, and by how much
  /// others are beyond it.
  llvm::MapVector<Operation *, Box> covers;
  /// The results as far as they are there.
  SmallVector<Value> wholes;
};

} // namespace

void lower::splitMap(loom::MapOp map,
                     const llvm::DenseSet<Operation *> &boundaries) {
  Splitter(map, boundaries).split();
}
