//===- FoldPadding.cpp - padding and slices of images to windows ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converters write the padding of a convolution as a tosa.pad of its own, and a
// tosa.slice of what a strided window leaves over at the end. A window has both
// without a copy of the image. So it has a boundary that repeats elements, also
// one in front of a transposition.
//
//===----------------------------------------------------------------------===//

#include "dialect/ContractFormula.h"
#include "dialect/ElementBytes.h"
#include "dialect/LoomBoundary.h"
#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/boundary/Boundary.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFOLDPADDING
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::ContractOp;

/// The limit of a padding that is folded, so that sums do not overflow.
static constexpr int64_t kMostPad = int64_t(1) << 40;

namespace {

/// What is added to an axis (or, if negative, taken away) before and behind.
struct Margins {
  SmallVector<int64_t> before, after;

  explicit Margins(int64_t rank) : before(rank), after(rank) {}
};

} // namespace

/// The margins of a slice, whose shapes must be known; nothing for others.
static std::optional<Margins> getMargins(tosa::SliceOp slice) {
  SmallVector<int64_t> start;
  auto from = dyn_cast<RankedTensorType>(slice.getInput1().getType()),
       to = dyn_cast<RankedTensorType>(slice.getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      !tosa::getConstShapeValues(slice.getStart().getDefiningOp(), start) ||
      start.size() != size_t(from.getRank()))
    return std::nullopt;
  Margins margins(from.getRank());
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    margins.before[axis] = -start[axis];
    margins.after[axis] =
        start[axis] + to.getDimSize(axis) - from.getDimSize(axis);
  }
  return margins;
}

/// Whether what a pad adds is what the window takes for padding: the zero point
/// of an integer image, and the positive zero of floats; of a sum, which begins
/// with positive zero, any zero; of a maximum, the negative infinity.
static bool isNeutral(ContractOp contract, TypedAttr value) {
  auto number = dyn_cast<FloatAttr>(value);
  switch (contract.getContractionKind()) {
  case ContractionKind::MaxPool:
    return number && number.getValue().isInfinity() &&
           number.getValue().isNegative();
  case ContractionKind::SumPool:
    return number && number.getValue().isZero();
  case ContractionKind::Products:
  case ContractionKind::Depthwise:
    break;
  }
  if (number)
    return number.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(value);
  auto zeros = contract.getZeroPoints();
  return integer &&
         integer.getValue().getSExtValue() == (zeros ? (*zeros)[0] : 0);
}

namespace {
/// What a pad adds to an image.
struct Padding {
  Value input;
  Margins margins;
  loom::BoundaryMode mode = loom::BoundaryMode::Constant;
  /// What mode `constant` adds.
  TypedAttr value = {};
};
} // namespace

static Margins makeMargins(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  Margins margins(before.size());
  margins.before.assign(before.begin(), before.end());
  margins.after.assign(after.begin(), after.end());
  return margins;
}

/// What a pad adds, if its numbers and its value are known; nothing for other
/// operations.
static std::optional<Padding> readPad(tosa::PadOp pad) {
  SmallVector<int64_t> numbers;
  DenseElementsAttr constant;
  auto type = dyn_cast<RankedTensorType>(pad.getType());
  if (!type ||
      !tosa::getConstShapeValues(pad.getPadding().getDefiningOp(), numbers) ||
      numbers.size() != size_t(2 * type.getRank()) ||
      !matchPattern(pad.getPadConst(), m_Constant(&constant)) ||
      constant.getNumElements() != 1)
    return std::nullopt;
  Margins margins(type.getRank());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    margins.before[axis] = numbers[2 * axis];
    margins.after[axis] = numbers[2 * axis + 1];
  }
  return Padding{pad.getInput1(), margins, loom::BoundaryMode::Constant,
                 constant.getSplatValue<TypedAttr>()};
}

static std::optional<Padding> readPad(tensor::PadOp pad) {
  Value padding = pad.getConstantPaddingValue();
  TypedAttr value;
  if (!padding || !matchPattern(padding, m_Constant(&value)) ||
      !pad.getLow().empty() || !pad.getHigh().empty())
    return std::nullopt;
  return Padding{pad.getSource(),
                 makeMargins(pad.getStaticLow(), pad.getStaticHigh()),
                 loom::BoundaryMode::Constant, value};
}

static std::optional<Padding> readPad(loom::BoundaryOp op) {
  TypedAttr value;
  if (op.isOfMemory() || op.hasInterior() || !op.getLow().empty() ||
      !op.getHigh().empty() ||
      (op.getValue() && !matchPattern(op.getValue(), m_Constant(&value))))
    return std::nullopt;
  return Padding{op.getSource(),
                 makeMargins(op.getStaticLow(), op.getStaticHigh()),
                 op.getMode(), value};
}

static std::optional<Padding> readPad(Value image) {
  if (auto pad = image.getDefiningOp<tosa::PadOp>())
    return readPad(pad);
  if (auto pad = image.getDefiningOp<tensor::PadOp>())
    return readPad(pad);
  if (auto boundary = image.getDefiningOp<loom::BoundaryOp>())
    return readPad(boundary);
  return std::nullopt;
}

/// Whether a product with 0 is 0. Products with a window's padding may be left
/// out, of which those with an infinity or NaN would be NaN.
static bool hasFiniteWeight(ContractOp contract) {
  if (isPool(contract.getContractionKind()))
    return true;
  Type element = getElementTypeOrSelf(contract.getWeight().getType());
  if (isa<IntegerType>(element))
    return true;
  ElementsAttr weight;
  if (!matchPattern(contract.getWeight(), m_Constant(&weight)))
    return false;
  std::optional<ArrayRef<char>> bytes = getElementBytes(weight);
  auto areFinite = [&](auto exponent) {
    using Word = decltype(exponent);
    for (size_t at = 0; at + sizeof(Word) <= bytes->size();
         at += sizeof(Word)) {
      Word word;
      std::memcpy(&word, bytes->data() + at, sizeof(Word));
      if ((word & exponent) == exponent)
        return false;
    }
    return true;
  };
  if (!bytes)
    return false;
  return element.isF64()    ? areFinite(uint64_t(0x7ff0000000000000))
         : element.isF32()  ? areFinite(uint32_t(0x7f800000))
         : element.isF16()  ? areFinite(uint16_t(0x7c00))
         : element.isBF16() ? areFinite(uint16_t(0x7f80))
                            : false;
}

namespace {
/// `Arithmetic` of ContractFormula on what types and attributes say; nothing
/// for what they leave open.
struct KnownNumbers {
  using Number = std::optional<int64_t>;

  Number get(int64_t number) { return number; }
  Number getExtent(Value tensor, int64_t axis) {
    int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(axis);
    return ShapedType::isDynamic(extent) ? Number() : extent;
  }
  Number add(Number x, Number y) {
    return x && y ? llvm::checkedAdd(*x, *y) : std::nullopt;
  }
  Number subtract(Number x, Number y) {
    return x && y ? llvm::checkedSub(*x, *y) : std::nullopt;
  }
  Number multiply(Number x, Number y) {
    return x && y ? llvm::checkedMul(*x, *y) : std::nullopt;
  }
  /// Nothing if the kernel does not fit the image.
  Number divide(Number x, Number y) {
    return x && y && *x >= 0 ? Number(*x / *y) : std::nullopt;
  }
};
} // namespace

/// The padding of the window over the image to which `margins` are not added;
/// nothing if it has none.
static std::optional<SmallVector<int64_t>> addMargins(ContractOp contract,
                                                      const Margins &margins) {
  SmallVector<int64_t> pads(contract.getPads());
  size_t axes = contract.getStrides().size();
  auto isNone = [&](size_t axis) {
    return margins.before[axis] == 0 && margins.after[axis] == 0;
  };
  if (!isNone(0) || !isNone(axes + 1))
    return std::nullopt;
  for (size_t axis = 0; axis < axes; ++axis) {
    int64_t before = margins.before[axis + 1], after = margins.after[axis + 1];
    int64_t &padBefore = pads[2 * axis], &padAfter = pads[2 * axis + 1];
    // What was taken away from the end is no padding.
    if (before < 0 || (after < 0 && padAfter != 0) || before > kMostPad ||
        after > kMostPad || padBefore > kMostPad || padAfter > kMostPad)
      return std::nullopt;
    padBefore += before;
    padAfter += std::max<int64_t>(after, 0);
  }
  return pads;
}

/// Whether the window has as many results as types say, along the axes of which
/// `margins` took away the end. No window reaches that end then.
static bool hasItsResults(ContractOp contract, const Margins &margins) {
  KnownNumbers numbers;
  loom::ContractFormula<KnownNumbers> formula(contract, numbers);
  for (auto [axis, after] : llvm::enumerate(margins.after))
    if (after < 0) {
      auto wanted = numbers.getExtent(contract.getResult(0), axis);
      if (!wanted || formula.getResult(axis) != wanted)
        return false;
    }
  return true;
}

/// Whether the elements of a window by channel, which are gathered where it
/// reaches beyond the image, are known to be few.
static bool isNarrow(ContractOp contract) {
  constexpr int64_t kMostSteps = 256;
  auto type = cast<RankedTensorType>(contract.getWeight().getType());
  ArrayRef<int64_t> window =
      type.getShape().take_front(contract.getStrides().size());
  if (ShapedType::isDynamicShape(window))
    return false;
  int64_t steps = 1;
  for (int64_t extent : window)
    if (llvm::MulOverflow(steps, std::max<int64_t>(extent, 1), steps))
      return false;
  return steps <= kMostSteps;
}

/// Whether a window may have other padding, of mode `mode` if that is not null:
/// all padding of a window is of one mode.
static bool mayHave(ContractOp contract, ArrayRef<int64_t> pads,
                    loom::PaddingModeAttr mode) {
  if (!mode)
    return pads == contract.getPads() || hasFiniteWeight(contract);
  return (!isByChannel(contract.getContractionKind()) || isNarrow(contract)) &&
         llvm::all_of(contract.getPads(), [](int64_t pad) { return pad == 0; });
}

/// Lets the window read `image`, to which `margins` are not added.
static bool readDirectly(ContractOp contract, Value image,
                         const Margins &margins,
                         loom::PaddingModeAttr mode = {}) {
  std::optional<SmallVector<int64_t>> pads = addMargins(contract, margins);
  SmallVector<int64_t> before(contract.getPads());
  if (!isa<RankedTensorType>(image.getType()) || !pads ||
      !mayHave(contract, *pads, mode))
    return false;
  auto read = [&](Value from, ArrayRef<int64_t> padding) {
    contract.getInputsMutable().slice(0, 1).assign(from);
    contract.setPads(padding);
  };
  Value padded = contract.getImage();
  read(image, *pads);
  if (hasItsResults(contract, margins)) {
    contract.setPaddingModeAttr(mode);
    return true;
  }
  read(padded, before);
  return false;
}

/// Lets the window read the image of a pad: as padding of its own if what is
/// added is one neutral value, and with the mode of a pad that repeats
/// elements.
static bool readDirectly(ContractOp contract, const Padding &pad) {
  if (pad.mode == loom::BoundaryMode::Constant)
    return isNeutral(contract, pad.value) &&
           readDirectly(contract, pad.input, pad.margins);
  return readDirectly(
      contract, pad.input, pad.margins,
      loom::PaddingModeAttr::get(contract.getContext(), pad.mode));
}

/// A window reads no boundary through a transposition: transposes what the
/// boundary is of, if that is what the image is.
static void moveTransposeAhead(ContractOp contract) {
  auto transpose = contract.getImage().getDefiningOp<tosa::TransposeOp>();
  auto boundary = transpose
                      ? transpose.getInput1().getDefiningOp<loom::BoundaryOp>()
                      : loom::BoundaryOp();
  if (!boundary || boundary.hasInterior() || !transpose->hasOneUse() ||
      !boundary->hasOneUse() || !boundary.getLow().empty() ||
      !boundary.getHigh().empty())
    return;
  auto type = cast<RankedTensorType>(boundary.getSource().getType());
  SmallVector<int64_t> shape, low, high;
  for (int32_t axis : transpose.getPerms()) {
    shape.push_back(type.getDimSize(axis));
    low.push_back(boundary.getStaticLow()[axis]);
    high.push_back(boundary.getStaticHigh()[axis]);
  }
  OpBuilder b(transpose);
  auto source =
      tosa::TransposeOp::create(b, transpose.getLoc(), type.clone(shape),
                                boundary.getSource(), transpose.getPermsAttr());
  auto made = loom::BoundaryOp::create(
      b, boundary.getLoc(), transpose.getType(), boundary.getMode(), source,
      boundary.getValue(), ValueRange(), ValueRange(), low, high);
  transpose.replaceAllUsesWith(made.getResult());
  transpose.erase();
  boundary.erase();
}

/// Removes the pad and the slice ahead of an image, if its window can do that.
static void foldPaddingOf(ContractOp contract) {
  if (contract.getStrides().empty() || contract.getPaddingMode())
    return;
  Value image = contract.getImage();
  Margins none(cast<RankedTensorType>(image.getType()).getRank());
  auto slice = image.getDefiningOp<tosa::SliceOp>();
  std::optional<Margins> sliced = slice ? getMargins(slice) : none;
  if (!sliced)
    return;
  Value source = slice ? slice.getInput1() : image;
  if (auto padded = readPad(source)) {
    for (size_t axis = 0; axis < none.before.size(); ++axis) {
      padded->margins.before[axis] += sliced->before[axis];
      padded->margins.after[axis] += sliced->after[axis];
    }
    if (readDirectly(contract, *padded))
      return;
  }
  if (slice)
    readDirectly(contract, source, *sliced);
}

namespace {

struct LoomFoldPaddingPass
    : lower::impl::LoomFoldPaddingBase<LoomFoldPaddingPass> {
  void runOnOperation() override {
    getOperation()->walk([](ContractOp contract) {
      moveTransposeAhead(contract);
      SmallVector<Operation *> before;
      for (Value image = contract.getImage();
           Operation *op = image.getDefiningOp();) {
        if (!isa<tosa::SliceOp, tosa::PadOp, tensor::PadOp, loom::BoundaryOp>(
                op))
          break;
        before.push_back(op);
        image = op->getOperand(0);
      }
      foldPaddingOf(contract);
      // One that others read too stays.
      for (Operation *op : before) {
        if (auto boundary = getBoundary(op->getResult(0)))
          resolveExtents(*boundary);
        if (op->use_empty())
          op->erase();
      }
    });
  }
};

} // namespace
