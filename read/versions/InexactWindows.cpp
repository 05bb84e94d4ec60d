//===- InexactWindows.cpp - windows that do not end with the image --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/InexactWindows.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom::read;

static SmallVector<int64_t> readList(Operation *op, StringRef name) {
  auto list = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return list ? SmallVector<int64_t>(list.asArrayRef())
              : SmallVector<int64_t>();
}

/// The extents of a window; empty if they are not known.
static SmallVector<int64_t> getKernel(Operation *op, unsigned axes) {
  if (op->hasAttr("kernel"))
    return readList(op, "kernel");
  auto weight = op->getNumOperands() > 1
                    ? dyn_cast<RankedTensorType>(op->getOperand(1).getType())
                    : RankedTensorType();
  unsigned first = isa<tosa::DepthwiseConv2DOp>(op) ? 0 : 1;
  if (!weight || weight.getRank() < first + axes)
    return {};
  return SmallVector<int64_t>(weight.getShape().slice(first, axes));
}

/// How far the first window can move to the end of the padded image; nothing if
/// it does not fit 64 bits.
static std::optional<int64_t> getFree(int64_t extent, int64_t before,
                                      int64_t behind, int64_t kernel,
                                      int64_t dilation) {
  int64_t padded = 0, span = 0, free = 0;
  if (llvm::AddOverflow(extent - 1, before, padded) ||
      llvm::AddOverflow(padded, behind, padded) || kernel < 0 ||
      llvm::MulOverflow(kernel - 1, dilation, span) ||
      llvm::SubOverflow(padded, span, free))
    return std::nullopt;
  return free;
}

void broadloom::read::cutToWindows(Operation *op, Changes &changes) {
  if (!isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
           tosa::AvgPool2dOp, tosa::MaxPool2dOp>(op) ||
      op->getNumOperands() == 0)
    return;
  auto image = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> stride = readList(op, "stride");
  SmallVector<int64_t> pad = readList(op, "pad");
  SmallVector<int64_t> dilation = readList(op, "dilation");
  unsigned axes = stride.size();
  SmallVector<int64_t> kernel = getKernel(op, axes);
  if (dilation.empty())
    dilation.assign(axes, 1);
  if (!image || image.getRank() != axes + 2 || pad.size() != 2 * axes ||
      kernel.size() != axes || dilation.size() != axes)
    return;

  SmallVector<int64_t> extents(image.getShape());
  bool isInexact = false;
  for (unsigned i = 0; i < axes; ++i) {
    int64_t &extent = extents[i + 1], &behind = pad[2 * i + 1];
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(kernel[i]) ||
        stride[i] < 1)
      continue;
    std::optional<int64_t> free =
        getFree(extent, pad[2 * i], behind, kernel[i], dilation[i]);
    // An image without a window is an error that is reported elsewhere.
    if (!free || *free < 0 || *free % stride[i] == 0)
      continue;
    int64_t cut = *free % stride[i];
    int64_t ofPadding = std::clamp<int64_t>(behind, 0, cut);
    // A part of the image must remain; a wrong stride is reported elsewhere.
    if (cut - ofPadding >= extent)
      return;
    isInexact = true;
    behind -= ofPadding;
    extent -= cut - ofPadding;
  }
  if (!isInexact)
    return;
  OpBuilder builder(op);
  op->setAttr("pad", builder.getDenseI64ArrayAttr(pad));
  changes.add("'" + op->getName().getStringRef().str() +
                  "' leaves out what no window reaches, which TOSA 1.0 has "
                  "to say",
              op->getLoc());
  if (extents == image.getShape())
    return;
  SmallVector<int64_t> start(extents.size(), 0), size(extents);
  // The size of the whole axis, also if it is dynamic.
  for (int64_t &extent : size)
    if (ShapedType::isDynamic(extent))
      extent = -1;
  auto makeShape = [&](ArrayRef<int64_t> values) -> Value {
    auto type = tosa::shapeType::get(op->getContext(), values.size());
    return tosa::ConstShapeOp::create(builder, op->getLoc(), type,
                                      builder.getIndexTensorAttr(values));
  };
  auto type = RankedTensorType::get(extents, image.getElementType());
  op->setOperand(0, tosa::SliceOp::create(builder, op->getLoc(), type,
                                          op->getOperand(0), makeShape(start),
                                          makeShape(size)));
}
