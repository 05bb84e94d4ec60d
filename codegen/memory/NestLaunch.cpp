//===- NestLaunch.cpp - contractions of memory where it is ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/NestLaunch.h"

#include "codegen/memory/MovableValues.h"
#include "dialect/LoomDialect.h"
#include "lower/contract/MakeContraction.h"
#include "runtime/abi/Structs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

NestLaunch::NestLaunch(OpBuilder &b, const NestProduct &nest,
                       ArrayRef<NestPart> parts, const IRMapping &first)
    : b(b), nest(nest), parts(parts), first(first), root(nest.loops.front()),
      loc(root.getLoc()) {}

Value NestLaunch::asValue(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(b, loc, number);
}

OpFoldResult NestLaunch::getExtent(const Axis &axis) {
  if (axis.empty())
    return b.getIndexAttr(1);
  if (axis.size() == 1)
    return parts[axis.front()].count;
  Value extent = asValue(parts[axis.front()].count);
  for (unsigned loop : llvm::drop_begin(axis))
    extent = make<arith::MulIOp>(extent, asValue(parts[loop].count));
  return getAsOpFoldResult(extent);
}

Value NestLaunch::makeView(Value memory, ArrayRef<Value> begin,
                           ArrayRef<ViewAxis> axes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  SmallVector<OpFoldResult> all = metadata.getConstifiedMixedStrides();
  Value offset = asValue(metadata.getConstifiedMixedOffset());
  for (auto [index, stride] : llvm::zip_first(begin, all))
    if (index)
      offset = make<arith::AddIOp>(offset,
                                   make<arith::MulIOp>(index, asValue(stride)));
  SmallVector<OpFoldResult> sizes, strides;
  for (const ViewAxis &axis : axes) {
    sizes.push_back(axis.count);
    strides.push_back(axis.of ? all[*axis.of] : b.getIndexAttr(1));
  }
  return memref::ReinterpretCastOp::create(b, loc, memory,
                                           getAsOpFoldResult(offset), sizes,
                                           strides, ArrayRef<NamedAttribute>());
}

Value NestLaunch::takeLoops(const NestOperand &operand, ArrayRef<Axis> axes) {
  SmallVector<Value> begin;
  for (auto [index, loop] : llvm::zip_equal(operand.indices, operand.axes)) {
    begin.push_back(codegen::compute(b, index, root, first));
    if (auto done = loop ? dyn_cast<Value>(parts[*loop].first) : Value())
      begin.back() = make<arith::AddIOp>(begin.back(), done);
  }
  SmallVector<ViewAxis> viewed;
  for (const Axis &axis : axes) {
    if (axis.empty())
      viewed.push_back({std::nullopt, b.getIndexAttr(1)});
    for (unsigned loop : axis)
      viewed.push_back({llvm::find(operand.axes, loop) - operand.axes.begin(),
                        parts[loop].count});
  }
  return makeView(operand.memory, begin, viewed);
}

Value NestLaunch::makeDense(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  copies.push_back(loom::ContiguousOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), memory));
  return copies.back();
}

Value NestLaunch::join(Value view, ArrayRef<Axis> axes) {
  SmallVector<ReassociationIndices> joined;
  int64_t next = 0;
  for (const Axis &axis : axes)
    for (size_t i = 0; i < std::max<size_t>(axis.size(), 1); ++i, ++next) {
      if (i == 0)
        joined.emplace_back();
      joined.back().push_back(next);
    }
  if (size_t(next) == axes.size())
    return view;
  return memref::CollapseShapeOp::create(b, loc, makeDense(view), joined);
}

Value NestLaunch::takeGathered(Value gathered, ArrayRef<Axis> axes) {
  ArrayRef<unsigned> loops = nest.image.loops;
  SmallVector<ViewAxis> viewed;
  for (const Axis &axis : axes) {
    // Its loops are neighbours (NestProduct::orderGathered).
    std::optional<unsigned> last;
    if (!axis.empty())
      last = llvm::find(loops, axis.back()) - loops.begin();
    viewed.push_back({last, getExtent(axis)});
  }
  return makeView(gathered, {}, viewed);
}

void NestLaunch::addProducts(Value gathered) {
  Axis batch, summed, columns;
  SmallVector<Axis> rows;
  for (unsigned loop : llvm::seq<unsigned>(nest.loops.size())) {
    bool inImage = nest.image.goesThrough(loop),
         inWeight = nest.weight.goesThrough(loop);
    if (!nest.sums.goesThrough(loop))
      summed.push_back(loop);
    else if (inImage && inWeight)
      batch.push_back(loop);
    else if (inWeight)
      columns.push_back(loop);
  }
  // Rows are in the order of the memory that has most of them.
  for (unsigned loop : gathered ? nest.image.loops : nest.sums.loops)
    if (nest.sums.goesThrough(loop) && nest.image.goesThrough(loop) &&
        !nest.weight.goesThrough(loop))
      rows.push_back({loop});
  if (rows.empty())
    rows.emplace_back();
  // Axes that are joined are in the order of the sums.
  llvm::sort(columns, [&](unsigned x, unsigned y) {
    return llvm::find(nest.sums.loops, x) < llvm::find(nest.sums.loops, y);
  });
  auto withAxes = [&](ArrayRef<Axis> axes, const Axis &last) {
    SmallVector<Axis> all;
    if (!batch.empty())
      all.push_back(batch);
    llvm::append_range(all, axes);
    all.push_back(last);
    return all;
  };
  SmallVector<Axis> ofImage = withAxes(rows, summed);
  auto take = [&](const NestOperand &operand, ArrayRef<Axis> axes) {
    return join(takeLoops(operand, axes), axes);
  };
  Value weight = take(nest.weight, withAxes(summed, columns));
  Value image =
      gathered ? takeGathered(gathered, ofImage) : take(nest.image, ofImage);
  launch(image, weight, withAxes(rows, columns), nullptr);
}

void NestLaunch::addProducts(const NestWindow &window) {
  SmallVector<ViewAxis> image = {{0, parts[window.batch].count}};
  SmallVector<Value> begin(window.positions.size() + 2);
  SmallVector<Axis> weight, sums = {{window.batch}};
  for (auto [axis, loop] : llvm::enumerate(window.positions)) {
    OpFoldResult extent =
        memref::getMixedSize(b, loc, nest.image.memory, 1 + axis);
    if (window.isOpen[axis]) {
      // What the nest reads, of which each element has been checked.
      begin[1 + axis] =
          codegen::compute(b, nest.image.indices[1 + axis], root, first);
      Value last = make<arith::AddIOp>(
          asValue(parts[loop].count), asValue(parts[window.steps[axis]].count));
      extent = getAsOpFoldResult(
          make<arith::SubIOp>(last, asValue(b.getIndexAttr(1))));
    }
    image.push_back({1 + axis, extent});
    weight.push_back({window.steps[axis]});
    sums.push_back({loop});
  }
  image.push_back({image.size(), parts[window.channels].count});
  weight.append({{window.channels}, {window.features}});
  sums.push_back({window.features});
  Value dense = makeDense(makeView(nest.image.memory, begin, image));
  launch(dense, makeDense(takeLoops(nest.weight, weight)), sums, &window);
}

void NestLaunch::launch(Value image, Value weight, ArrayRef<Axis> sumAxes,
                        const NestWindow *window) {
  Value place = takeLoops(nest.sums, sumAxes), sums = join(place, sumAxes);
  auto type = cast<MemRefType>(sums.getType());
  SmallVector<Value> inputs = {image, weight};
  if (nest.addsToMemory)
    inputs.push_back(sums);
  SmallVector<int64_t> strides, dilations, pads;
  if (window) {
    strides = window->strides;
    dilations = window->dilations;
    for (int64_t padding : window->padding)
      pads.append(2, padding);
  }
  auto op = loom::LaunchOp::create(
      b, loc,
      TypeRange{MemRefType::get(type.getShape(), type.getElementType())},
      inputs, b.getDenseI32ArrayAttr(BROADLOOM_SLOT_TEMPORARY),
      /*kinds=*/ArrayAttr(), /*axes=*/DenseI64ArrayAttr(),
      loom::ContractionAttr::get(
          b.getContext(), ContractionKind::Products,
          b.getDenseI64ArrayAttr(strides), b.getDenseI64ArrayAttr(dilations),
          b.getDenseI64ArrayAttr(pads), DenseI64ArrayAttr(),
          DenseI64ArrayAttr(), loom::PaddingModeAttr(), /*groups=*/1));
  lower::addContractionBody(b, loc, op.getBody(), nest.sumType,
                            nest.addsToMemory ? nest.sumType : Type(),
                            nest.sumType);
  // The sums are written there at once, and the copy has nothing to do, where
  // channels are side by side (OutlineContractions).
  memref::CopyOp::create(b, loc, op.getResult(0), sums);
  loom::ReleaseOp::create(b, loc, op.getResult(0));
  if (sums != place)
    memref::CopyOp::create(b, loc, copies.back(), place);
  for (Value copy : copies)
    loom::ReleaseOp::create(b, loc, copy);
  copies.clear();
}
