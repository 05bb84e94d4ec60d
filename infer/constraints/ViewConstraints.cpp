//===- ViewConstraints.cpp - views of memory ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold where a program over memory sees memory in another shape
// (mem-11): a view has no elements that its allocation does not have.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/MemoryViews.h"
#include "infer/analysis/TensorMemory.h"
#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "shape/Memory.h"
#include "shape/Message.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

int64_t getBytes(MemRefType type) {
  return getLeastBytes(type.getElementType());
}

class ViewWriter {
public:
  explicit ViewWriter(ConstraintWriter &w) : w(w) {}

  void constrain(memref::ReinterpretCastOp op) {
    SmallVector<Index> sizes = op.getMixedSizes();
    constrainSizes(sizes, op.getType());
    Index low = op.getMixedOffsets().front(), high = low;
    Claim isEmpty(false);
    for (auto [size, stride] : llvm::zip_equal(sizes, op.getMixedStrides())) {
      Index way = w.multiply(w.subtract(size, w.get(1)), stride);
      Claim isBack = w.less(stride, w.get(0));
      low = w.add(low, w.choose(isBack, way, w.get(0)));
      high = w.add(high, w.choose(isBack, w.get(0), way));
      isEmpty = w.either(isEmpty, w.equal(size, w.get(0)));
    }
    auto [first, end] = getReach(op.getSource());
    Claim isInside = w.both(w.atMost(first, low), w.less(high, end));
    w.constrain(w.either(isEmpty, isInside),
                "the view reaches from element {0} to element {1} of " +
                    name(op.getSource()) +
                    ", whose memory has elements {2} to {3}",
                {low, high, first, w.subtract(end, w.get(1))});
  }

  /// The base is memory of one element, which need not exist where it only
  /// serves to make other views.
  void constrain(memref::ExtractStridedMetadataOp op) {
    if (llvm::all_of(op.getBaseBuffer().getUsers(), [](Operation *user) {
          return isa<memref::ReinterpretCastOp>(user);
        }))
      return;
    auto [first, end] = getReach(op.getSource());
    w.constrain(w.both(w.atMost(first, w.get(0)), w.less(w.get(0), end)),
                "the base of " + name(op.getSource()) +
                    " is no element of its memory",
                {});
  }

  void constrain(memref::CollapseShapeOp op) {
    Claim isEmpty(false);
    for (int64_t axis : llvm::seq<int64_t>(0, op.getSrcType().getRank()))
      isEmpty = w.either(isEmpty, w.equal(getExtent(op, axis), w.get(0)));
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices()))
      if (group.size() > 1)
        constrainGroup(op, axis, group, isEmpty);
  }

  void constrain(memref::ExpandShapeOp op) {
    SmallVector<Index> shape = op.getMixedOutputShape();
    for (auto [axis, size] : llvm::enumerate(shape))
      w.constrainResult(op.getResultType(), axis, size);
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      Index extent = w.getExtent(op.getSrc(), axis);
      SmallVector<Index> shown = {extent}, sizes;
      Claim natural(true);
      for (int64_t member : group) {
        sizes.push_back(shape[member]);
        natural = w.both(natural, w.isNatural(shape[member]));
      }
      llvm::append_range(shown, sizes);
      w.constrain(w.both(natural, w.equal(w.multiply(sizes), extent)),
                  name(op.getSrc(), axis) +
                      " has extent {0} and cannot become " +
                      ConstraintWriter::spellShape(sizes.size(), 1),
                  shown);
    }
    for (auto [axis, size] : llvm::enumerate(shape))
      constrainByMemory(size, axis, op.getResultType());
  }

  void constrain(memref::ViewOp op) {
    SmallVector<Index> sizes;
    MemRefType type = op.getType();
    ValueRange dynamic = op.getSizes();
    for (int64_t extent : type.getShape()) {
      if (!ShapedType::isDynamic(extent)) {
        sizes.push_back(w.get(extent));
        continue;
      }
      sizes.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    }
    constrainSizes(sizes, type);
    Index shift = op.getByteShift();
    if (std::optional<int64_t> known = getConstantIntValue(shift))
      shift = w.get(*known);
    Index bytes = w.multiply(w.multiply(sizes), w.get(getBytes(type)));
    Index extent = w.getExtent(op.getSource(), 0);
    w.constrain(
        w.both(w.isNatural(shift), w.atMost(w.add(shift, bytes), extent)),
        "the view takes {0} bytes of " + name(op.getSource(), 0) +
            " from {1} on, but the extent is {2}",
        {bytes, shift, extent});
    constrainAlignment(op.getSource(), shift, getBytes(type),
                       "the view of " + name(op.getSource()) +
                           " begins at an address");
  }

  void constrain(memref::AssumeAlignmentOp op) {
    auto type = cast<MemRefType>(op.getMemref().getType());
    Index offset = w.get(type.getStridesAndOffset().second);
    if (ShapedType::isDynamic(type.getStridesAndOffset().second))
      offset = getMetadata(op.getMemref()).getOffset();
    constrainAlignment(
        op.getMemref(), w.multiply(offset, w.get(getBytes(type))),
        op.getAlignment(), name(op.getMemref()) + " begins at an address");
  }

private:
  static std::string name(Value memory) {
    return escapeTemplate(describeMemory(memory));
  }
  static std::string name(Value memory, int64_t axis) {
    return "axis " + std::to_string(axis) + " of " + name(memory);
  }

  memref::ExtractStridedMetadataOp getMetadata(Value memory) {
    return memref::ExtractStridedMetadataOp::create(w.getBuilder(), w.getLoc(),
                                                    memory);
  }

  /// Whether the base of `memory` is that of the allocation `root`.
  static bool isAllocation(Value root) {
    return isa_and_nonnull<memref::AllocOp, memref::AllocaOp,
                           memref::GetGlobalOp>(root.getDefiningOp());
  }

  /// The root of `memory`, or the view of bytes on the way to it, which has a
  /// base of its own.
  static Value getBase(Value memory) {
    while (!memory.getDefiningOp<memref::ViewOp>()) {
      Value viewed = loom::getViewed(memory.getDefiningOp());
      if (!viewed)
        break;
      memory = viewed;
    }
    return memory;
  }

  /// The elements of the allocation, counted from the base.
  std::pair<Index, Index> getReach(Value memory) {
    Value base = getBase(memory);
    auto type = dyn_cast<MemRefType>(base.getType());
    if (isAllocation(base) && type && type.getLayout().isIdentity()) {
      Index end = w.get(1);
      for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
        end = w.multiply(end, w.getExtent(base, axis));
      return {w.get(0), end};
    }
    auto reach = loom::ReachOp::create(w.getBuilder(), w.getLoc(),
                                       w.getBuilder().getIndexType(),
                                       w.getBuilder().getIndexType(), memory);
    return {reach.getFirst(), reach.getEnd()};
  }

  void constrainAlignment(Value memory, Index bytes, int64_t alignment,
                          const Twine &what) {
    if (alignment == 1)
      return;
    // Memory that the program makes is aligned to 64 bytes.
    Index address = bytes;
    if (alignment > 64 || !isAllocation(getBase(memory)))
      address = w.add(memref::ExtractAlignedPointerAsIndexOp::create(
                          w.getBuilder(), w.getLoc(), memory)
                          .getResult(),
                      bytes);
    w.constrain(w.equal(w.remainder(address, alignment), w.get(0)),
                what + " that is no multiple of " + Twine(alignment), {});
  }

  void constrainByMemory(Index size, int64_t axis, MemRefType type) {
    if (ConstraintWriter::getKnown(size))
      return;
    w.constrain(w.atMost(size, w.get(getMostElements(type))),
                "axis " + Twine(axis) +
                    " has extent {0}, which no memory can hold",
                size);
  }

  void constrainSizes(ArrayRef<Index> sizes, MemRefType type) {
    for (auto [axis, size] : llvm::enumerate(sizes)) {
      w.constrain(
          w.isNatural(size),
          "axis " + Twine(axis) + " has extent {0}, expected at least 0", size);
      constrainByMemory(size, axis, type);
    }
    // Axes of stride 0 may have more elements than the memory.
    w.constrain(w.atMost(w.multiply(sizes), w.get(getMostElements(type))),
                "the view has shape " +
                    ConstraintWriter::spellShape(sizes.size()) +
                    ", which no memory can hold",
                sizes);
  }

  Index getExtent(memref::CollapseShapeOp op, int64_t axis) {
    return w.getExtent(op.getSrc(), axis);
  }

  /// The axes of `group` are one axis in memory: the stride of each is that of
  /// the axes behind it times their number of elements. Axes of extent 1 have
  /// any stride.
  void constrainGroup(memref::CollapseShapeOp op, int64_t axis,
                      ArrayRef<int64_t> group, Claim isEmpty) {
    MemRefType type = op.getSrcType();
    bool isRowMajor = type.getLayout().isIdentity();
    SmallVector<int64_t> known(type.getStridesAndOffset().first);
    memref::ExtractStridedMetadataOp metadata;
    if (!isRowMajor && llvm::is_contained(known, ShapedType::kDynamic))
      metadata = getMetadata(op.getSrc());
    auto getStride = [&](int64_t member) -> Index {
      if (ShapedType::isDynamic(known[member]))
        return metadata.getStrides()[member];
      return w.get(known[member]);
    };
    Index count = w.get(1), step;
    for (int64_t member : llvm::reverse(group)) {
      Index size = getExtent(op, member);
      if (!isRowMajor && member != group.back()) {
        Index stride = getStride(member);
        Claim isFree =
            w.either(w.equal(size, w.get(1)), w.equal(count, w.get(1)));
        w.constrain(
            w.either(
                isEmpty,
                w.either(isFree, w.equal(stride, w.multiply(step, count)))),
            name(op.getSrc(), member) +
                " has stride {0}, but the axes behind it have {1} elements in "
                "steps of {2}, so that these are no one axis in memory",
            {stride, count, step});
        step = w.choose(w.equal(count, w.get(1)), stride, step);
      } else if (!isRowMajor) {
        step = getStride(member);
      }
      count = w.multiply(count, size);
    }
    w.constrain(w.fits(count),
                "the extent of axis " + Twine(axis) +
                    " of the result does not fit 63 bits",
                {});
  }

  ConstraintWriter &w;
};

} // namespace

bool infer::constrainView(Operation *op, ConstraintWriter &writer) {
  ViewWriter w(writer);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp,
            memref::CollapseShapeOp, memref::ExpandShapeOp, memref::ViewOp,
            memref::AssumeAlignmentOp>([&](auto it) {
        w.constrain(it);
        return true;
      })
      .Default([](Operation *) { return false; });
}
