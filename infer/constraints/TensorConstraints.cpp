//===- TensorConstraints.cpp - constraints of the tensor dialect ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomBoundary.h"
#include "dialect/MemoryFunction.h"
#include "infer/analysis/TensorMemory.h"
#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/IndexConstraints.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// The constraints of one operation of the tensor dialect.
class TensorWriter {
public:
  explicit TensorWriter(ConstraintWriter &w) : w(w) {}

  void constrain(tensor::DimOp op);
  void constrain(tensor::ExtractSliceOp op);
  void constrain(tensor::InsertSliceOp op) { constrainInsertion(op); }
  void constrain(tensor::ParallelInsertSliceOp op) { constrainInsertion(op); }
  void constrain(tensor::CollapseShapeOp op);
  void constrain(tensor::ExpandShapeOp op);
  void constrain(tensor::ReshapeOp op);
  void constrain(tensor::PadOp op) { constrainPadding(op); }
  void constrain(loom::BoundaryOp op);
  void constrain(tensor::ConcatOp op);
  void constrainElement(Value tensor, ValueRange indices);
  void constrainByMemory(Index size, int64_t axis, int64_t most);
  void constrainSizes(Value result, ValueRange sizes);

private:
  void constrainSlice(Value whole, OffsetSizeAndStrideOpInterface slice);
  template <typename Op> void constrainInsertion(Op op);
  template <typename Op> void constrainPadding(Op op);
  Index getSpread(Operation *op, int64_t axis);

  ConstraintWriter &w;
};

} // namespace

void TensorWriter::constrainElement(Value tensor, ValueRange indices) {
  for (auto [axis, value] : llvm::enumerate(indices)) {
    Index index = w.getIndex(value), extent = w.getExtent(tensor, axis);
    w.constrain(w.both(w.isNatural(index), w.less(index, extent)),
                "index {0} is outside axis " + Twine(axis) +
                    ", which has extent {1}",
                {index, extent});
  }
}

void TensorWriter::constrain(tensor::DimOp op) {
  Index axis = w.getIndex(op.getIndex()), rank = w.getRank(op.getSource());
  if (std::optional<int64_t> known = op.getConstantIndex())
    axis = w.get(*known);
  if (ConstraintWriter::getKnown(axis) && ConstraintWriter::getKnown(rank) &&
      *w.both(w.isNatural(axis), w.less(axis, rank)).getKnown())
    return;
  w.constrain(w.both(w.isNatural(axis), w.less(axis, rank)),
              "there is no axis {0}, the operand has rank {1}", {axis, rank});
}

/// Whether `size` is computed from extents and constants alone, by a chain of
/// at most `depth` operations.
static bool isOfExtents(Value size, unsigned depth = 8) {
  Operation *op = size.getDefiningOp();
  if (isa_and_nonnull<tensor::DimOp, loom::ExtentOp, arith::ConstantOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect>(op ? op->getDialect()
                                                 : nullptr) &&
         depth > 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isOfExtents(operand, depth - 1);
         });
}

/// ext-5: data may be any integer, and an allocation cannot report an error
/// with a location. Sizes that are computed from extents need no check.
void TensorWriter::constrainByMemory(Index size, int64_t axis, int64_t most) {
  auto value = dyn_cast<Value>(size);
  if (value && !matchPattern(value, m_Constant()) && isOfExtents(value))
    return;
  w.constrain(w.atMost(size, w.get(most)),
              "axis " + Twine(axis) + " has extent {0}, expected at most " +
                  Twine(most) + ", since memory is limited",
              size);
}

/// Constrains the sizes of a new tensor.
void TensorWriter::constrainSizes(Value result, ValueRange sizes) {
  auto type = cast<RankedTensorType>(result.getType());
  int64_t most = getMostBeside(getMostElements(type), type.getShape());
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
    if (type.isDynamicDim(axis)) {
      Index size = sizes.front();
      sizes = sizes.drop_front();
      w.constrain(
          w.isNatural(size),
          "axis " + Twine(axis) + " has extent {0}, expected at least 0", size);
      constrainByMemory(size, axis, most);
    }
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The first and the last element are inside, if there is one.
Claim infer::liesInside(ConstraintWriter &w, Index offset, Index size,
                        Index stride, Index extent) {
  Claim bounded = w.both(w.both(w.isNatural(offset), w.atMost(offset, extent)),
                         w.isNatural(size));
  std::optional<int64_t> step = ConstraintWriter::getKnown(stride);
  if (step == 1)
    return w.both(bounded, w.both(w.atMost(size, extent),
                                  w.atMost(w.add(offset, size), extent)));
  Index rest = w.subtract(size, w.get(1));
  Index last = w.add(offset, w.multiply(rest, stride));
  if (step && *step > 0 && *step <= std::numeric_limits<int32_t>::max())
    return w.both(bounded,
                  w.both(w.atMost(size, extent), w.less(last, extent)));
  // The step may be negative, 0, large or unknown. It does not matter for one
  // element.
  Claim ends = w.either(w.equal(size, w.get(1)),
                        w.both(w.isNatural(last), w.less(last, extent)));
  return w.both(bounded, w.either(w.equal(size, w.get(0)),
                                  w.both(w.less(offset, extent), ends)));
}

void TensorWriter::constrainSlice(Value whole,
                                  OffsetSizeAndStrideOpInterface slice) {
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  for (auto [axis, offset, size, stride] :
       llvm::enumerate(offsets, sizes, strides)) {
    Index extent = w.getExtent(whole, axis);
    Claim holds = liesInside(w, offset, size, stride, extent);
    if (ConstraintWriter::getKnown(stride) == 1)
      w.constrain(holds,
                  "the slice takes {0} elements of axis " + Twine(axis) +
                      " from {1} on, but the extent is {2}",
                  {size, offset, extent});
    else
      w.constrain(holds,
                  "the slice takes {0} elements of axis " + Twine(axis) +
                      " from {1} on in steps of {2}, but the extent is {3}",
                  {size, offset, stride, extent});
    // Without steps, one element counts as often as the size says.
    if (ConstraintWriter::getKnown(stride).value_or(0) == 0)
      constrainByMemory(size, axis, getMostElements(whole.getType()));
  }
}

void TensorWriter::constrain(tensor::ExtractSliceOp op) {
  constrainSlice(op.getSource(), op);
}

template <typename Op> void TensorWriter::constrainInsertion(Op op) {
  constrainSlice(op.getDest(), op);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t axis = 0;
  for (auto [number, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped.test(number))
      continue;
    Index extent = w.getExtent(op.getSource(), axis);
    w.constrain(
        w.equal(extent, size),
        "axis " + Twine(axis) +
            " of the inserted tensor has extent {0} but the slice has {1}",
        {extent, size});
    ++axis;
  }
}

//===----------------------------------------------------------------------===//
// Shapes that change
//===----------------------------------------------------------------------===//

/// If one extent is 0, the others may be anything.
void TensorWriter::constrain(tensor::CollapseShapeOp op) {
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (group.size() < 2)
      continue;
    Index product = w.get(1);
    for (int64_t member : group)
      product = w.multiply(product, w.getExtent(op.getSrc(), member));
    w.constrain(w.fits(product),
                "the extent of axis " + Twine(axis) +
                    " of the result does not fit 63 bits",
                {});
  }
}

void TensorWriter::constrain(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  for (auto [axis, size] : llvm::enumerate(shape))
    w.constrainResult(op.getResultType(), axis, size);
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    Index extent = w.getExtent(op.getSrc(), axis);
    SmallVector<Index> sizes;
    Claim natural(true);
    for (int64_t member : group) {
      sizes.push_back(shape[member]);
      natural = w.both(natural, w.isNatural(shape[member]));
    }
    Claim holds = w.both(natural, w.equal(w.multiply(sizes), extent));
    std::string text = "axis " + std::to_string(axis) +
                       " has extent {0} and cannot become " +
                       ConstraintWriter::spellShape(sizes.size(), 1);
    sizes.insert(sizes.begin(), extent);
    w.constrain(holds, text, sizes);
  }
  // Where there are no elements, the other extents may be anything.
  for (auto [axis, size] : llvm::enumerate(shape))
    if (!ConstraintWriter::getKnown(size))
      constrainByMemory(size, axis, getMostElements(op.getType()));
}

void TensorWriter::constrain(tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!from)
    return;
  SmallVector<Index> extents;
  for (int64_t axis : llvm::seq<int64_t>(0, from.getRank()))
    extents.push_back(w.getExtent(op.getSource(), axis));
  Index elements = w.multiply(extents);

  Value list = op.getShape();
  int64_t rank = cast<RankedTensorType>(list.getType()).getDimSize(0);
  if (ShapedType::isDynamic(rank))
    return constrainElements(w.getBuilder(), op, list, w.materialise(elements));
  SmallVector<Index> sizes;
  Claim natural(true);
  for (int64_t i : llvm::seq<int64_t>(0, rank)) {
    Value at = arith::ConstantIndexOp::create(w.getBuilder(), w.getLoc(), i);
    sizes.push_back(w.getIndex(
        tensor::ExtractOp::create(w.getBuilder(), w.getLoc(), list, at)));
    natural = w.both(natural, w.isNatural(sizes.back()));
  }
  Claim holds = w.both(natural, w.equal(w.multiply(sizes), elements));
  SmallVector<Index> shown(sizes);
  shown.insert(shown.begin(), elements);
  w.constrain(
      holds,
      "the operand has {0} elements and cannot become " +
          (rank == 0 ? "one element" : ConstraintWriter::spellShape(rank, 1)),
      shown);
  auto declared = dyn_cast<RankedTensorType>(op.getType());
  // Where there are no elements, the other extents may be anything.
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    constrainByMemory(size, axis, getMostElements(op.getType()));
    if (declared)
      w.constrainResult(declared, axis, size);
  }
}

static SmallVector<Index> getLow(tensor::PadOp op) {
  return op.getMixedLowPad();
}
static SmallVector<Index> getHigh(tensor::PadOp op) {
  return op.getMixedHighPad();
}
static SmallVector<Index> getLow(loom::BoundaryOp op) {
  return op.getMixedLow();
}
static SmallVector<Index> getHigh(loom::BoundaryOp op) {
  return op.getMixedHigh();
}

static int64_t getInterior(Operation *op, int64_t axis) {
  auto boundary = dyn_cast<loom::BoundaryOp>(op);
  return boundary ? boundary.getInteriorOf(axis) : 0;
}

/// What a message says of elements between others.
static std::string describeInterior(Operation *op, int64_t axis) {
  int64_t more = getInterior(op, axis);
  return more == 0 ? ""
                   : std::to_string(more) + " elements between each two and ";
}

/// How many elements an axis has without its padding.
Index TensorWriter::getSpread(Operation *op, int64_t axis) {
  Index extent = w.getExtent(op->getOperand(0), axis);
  int64_t more = getInterior(op, axis);
  if (more == 0)
    return extent;
  Index spread = w.subtract(w.multiply(extent, w.get(more + 1)), w.get(more));
  return w.choose(w.isNatural(spread), spread, w.get(0));
}

/// bnd-2
template <typename Op> void TensorWriter::constrainPadding(Op op) {
  auto declared = cast<ShapedType>(op.getType());
  for (auto [axis, low, high] : llvm::enumerate(getLow(op), getHigh(op))) {
    w.constrain(w.both(w.isNatural(low), w.isNatural(high)),
                "the padding of axis " + Twine(axis) +
                    " is {0} and {1}, expected at least 0",
                {low, high});
    Index extent = w.getExtent(op.getSource(), axis);
    Index padded = w.add(w.add(low, getSpread(op, axis)), high);
    w.constrain(w.fits(padded),
                "axis " + Twine(axis) + " of extent {0} has " +
                    describeInterior(op, axis) +
                    "padding of {1} and {2}, which does not fit 63 bits",
                {extent, low, high});
    w.constrainResult(declared, axis, padded);
  }
}

/// bnd-2: an axis without elements has none to read beyond its ends.
void TensorWriter::constrain(loom::BoundaryOp op) {
  constrainPadding(op);
  ShapedType type = op.getShapedType();
  int64_t most = getMostBeside(getMostElements(type), type.getShape());
  for (auto [axis, low, high] :
       llvm::enumerate(op.getMixedLow(), op.getMixedHigh())) {
    Index extent = w.getExtent(op.getSource(), axis);
    Index more = w.add(low, high);
    if (type.isDynamicDim(axis))
      constrainByMemory(w.add(getSpread(op, axis), more), axis, most);
    if (op.getMode() == loom::BoundaryMode::Constant)
      continue;
    w.constrain(w.either(w.less(w.get(0), extent), w.equal(more, w.get(0))),
                "axis " + Twine(axis) +
                    " has no elements, and padding of {0} and {1} by mode '" +
                    loom::stringifyBoundaryMode(op.getMode()) + "' needs one",
                {low, high});
  }
}

void TensorWriter::constrain(tensor::ConcatOp op) {
  auto declared = cast<RankedTensorType>(op.getType());
  Index sum = w.get(0);
  Value first = op.getInputs().front();
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    sum = w.add(sum, w.getExtent(input, op.getDim()));
    for (int64_t axis : llvm::seq<int64_t>(0, declared.getRank())) {
      if (i == 0 || axis == int64_t(op.getDim()))
        continue;
      Index a = w.getExtent(first, axis), b = w.getExtent(input, axis);
      w.constrain(w.equal(a, b),
                  "axis " + Twine(axis) + " of operand 0 has extent {0} but " +
                      "axis " + Twine(axis) + " of operand " + Twine(i) +
                      " has {1}",
                  {a, b});
    }
  }
  w.constrain(w.fits(sum),
              "the operands' extents on axis " + Twine(op.getDim()) +
                  " do not fit 63 bits together",
              {});
  for (int64_t axis : llvm::seq<int64_t>(0, declared.getRank()))
    w.constrainResult(declared, axis,
                      axis == int64_t(op.getDim()) ? sum
                                                   : w.getExtent(first, axis));
}

bool infer::constrainTensor(Operation *op, ConstraintWriter &writer) {
  TensorWriter w(writer);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tensor::ExtractOp>([&](auto extract) {
        if (!extract->hasAttr(loom::kChecked))
          w.constrainElement(extract.getTensor(), extract.getIndices());
        return true;
      })
      .Case<tensor::InsertOp>([&](auto insert) {
        w.constrainElement(insert.getDest(), insert.getIndices());
        return true;
      })
      .Case<tensor::EmptyOp>([&](auto empty) {
        w.constrainSizes(empty, empty.getDynamicSizes());
        return true;
      })
      .Case<tensor::SplatOp>([&](auto splat) {
        w.constrainSizes(splat, splat.getDynamicSizes());
        return true;
      })
      .Case<tensor::GenerateOp>([&](auto generate) {
        w.constrainSizes(generate, generate.getDynamicExtents());
        return true;
      })
      .Case<tensor::DimOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::ParallelInsertSliceOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp, tensor::PadOp,
            tensor::ConcatOp, loom::BoundaryOp>([&](auto it) {
        w.constrain(it);
        return true;
      })
      .Default([](Operation *) { return false; });
}
