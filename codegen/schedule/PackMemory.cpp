//===- PackMemory.cpp - copies of what a loop touches ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a memref that a loop touches becomes a memref of its own, which
// is filled in front of the loop and copied back behind it if the loop writes.
// The copy is made once, in front of the nest, where its version begins: so it
// is memory like any other to the edits behind this one. Where a loop around
// runs on threads, each of its iterations has a part of the copy.
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/Storage.h"
#include "codegen/schedule/AccessBox.h"
#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/MovedBounds.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopAccesses;

/// Of a loop: how many of its memrefs have been packed.
static constexpr llvm::StringLiteral kPacks = "loom.packs";

namespace {

/// The copy of one memref for one loop.
class Packing {
public:
  Packing(RewriterBase &b, scf::ForOp loop, scf::ForOp nest, Value memory,
          const LoopAccesses &facts)
      : b(b), loop(loop), nest(nest), memory(memory),
        type(cast<MemRefType>(memory.getType())), loc(loop.getLoc()),
        box(loop, facts, memory) {}

  /// A loop around that runs on threads.
  scf::ForOp onThreads;

  /// The bytes of the copies, as far as they are constant. Nothing if they are
  /// too many to be a number.
  std::optional<int64_t> countBytes() const {
    int64_t bytes = getStorageBytes(type.getElementType());
    std::optional<APInt> trips =
        onThreads ? scf::ForOp(onThreads).getStaticTripCount() : std::nullopt;
    if (trips &&
        (trips->getActiveBits() > 63 ||
         llvm::MulOverflow(bytes, int64_t(trips->getZExtValue()), bytes)))
      return std::nullopt;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      int64_t size = getStatic(axis).value_or(1);
      if (llvm::MulOverflow(bytes, size, bytes))
        return std::nullopt;
    }
    return bytes;
  }

  /// Computes in front of `version`, which `bounds` does too, how many copies
  /// iterations on threads need. False if that is not possible.
  bool countCopies(scf::IfOp version, MovedBounds &bounds) {
    b.setInsertionPoint(version);
    Value lower = bounds.compute(onThreads.getLowerBound()),
          upper = lower ? bounds.compute(onThreads.getUpperBound()) : Value();
    if (!upper)
      return false;
    Value distance = makeOfBounds<arith::SubIOp>(b, loc, upper, lower),
          step = getNumber(onThreads.getConstantStep()->getSExtValue());
    count = makeOfBounds<arith::MaxSIOp>(
        b, loc, makeOfBounds<arith::CeilDivSIOp>(b, loc, distance, step),
        getNumber(0));
    return true;
  }

  /// Computes in front of `version` how long the axes of the copy are that have
  /// a number of the call. Returns when none is longer than two of the
  /// memref's: a box may be longer where it has what no iteration touches.
  SmallVector<Value> computeLengths(scf::IfOp version) {
    b.setInsertionPoint(version);
    SmallVector<Value> conditions;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      lengths.push_back(nullptr);
      AccessBox::Size size = box.getSize(axis);
      if (!size.form || size.constant)
        continue;
      Value length = box.compute(b, *size.form);
      lengths.back() =
          makeOfBounds<arith::MaxSIOp>(b, loc, length, getNumber(0));
      Value extent = getExtent(axis);
      if (version->isAncestor(extent.getParentRegion()->getParentOp()))
        continue;
      Value most = makeOfBounds<arith::AddIOp>(b, loc, extent, extent);
      conditions.push_back(arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::sle, length, most));
    }
    return conditions;
  }

  /// Makes the copy of `accesses`, and the loops that fill it and copy it back.
  /// Returns those.
  SmallVector<scf::ForOp> run(ArrayRef<Operation *> accesses) {
    makeCopy();
    if (auto packs = loop->getAttrOfType<IntegerAttr>(kPacks))
      number = packs.getInt() + 1;
    loop->setAttr(kPacks, b.getI64IntegerAttr(number));
    b.setInsertionPoint(loop);
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      // An axis that is copied whole keeps its indices.
      Value lower = box.getSize(axis).isKnown()
                        ? box.compute(b, axis, /*ofWritten=*/false).first
                        : Value();
      offsets.push_back(lower);
    }
    if (onThreads)
      iteration = getIteration();
    SmallVector<scf::ForOp> made = {copyElements(/*isBack=*/false)};
    bool isWritten = false;
    for (Operation *access : accesses) {
      isWritten |= isa<memref::StoreOp>(access);
      replace(access);
    }
    if (isWritten && box.mayStore()) {
      b.setInsertionPointAfter(loop);
      made.push_back(copyElements(/*isBack=*/true));
    }
    return made;
  }

private:
  std::optional<int64_t> getStatic(unsigned axis) const {
    AccessBox::Size size = box.getSize(axis);
    if (size.constant)
      return size.constant;
    if (!size.isKnown() && !type.isDynamicDim(axis))
      return type.getDimSize(axis);
    return std::nullopt;
  }

  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  /// Of the memref. That of a copy is known in front of the version.
  Value getExtent(unsigned axis) {
    if (!type.isDynamicDim(axis))
      return getNumber(type.getDimSize(axis));
    auto made = memory.getDefiningOp<memref::AllocOp>();
    if (isCopy(made))
      return made.getDynamicSizes()[type.getDynamicDimIndex(axis)];
    return memref::DimOp::create(b, loc, memory, axis);
  }

  void makeCopy() {
    b.setInsertionPoint(nest);
    SmallVector<int64_t> shape;
    SmallVector<Value> open;
    if (onThreads) {
      shape.push_back(ShapedType::kDynamic);
      open.push_back(count);
    }
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      std::optional<int64_t> constant = getStatic(axis);
      shape.push_back(constant.value_or(ShapedType::kDynamic));
      if (!constant)
        open.push_back(lengths[axis] ? lengths[axis] : getExtent(axis));
    }
    auto made = memref::AllocOp::create(
        b, loc, MemRefType::get(shape, type.getElementType()), open);
    made->setAttr(kOfScope, b.getUnitAttr());
    made->setAttr(loom::kCopyOf,
                  b.getStringAttr(infer::describeMemory(memory)));
    copy = made;
    b.setInsertionPoint(nest->getBlock()->getTerminator());
    memref::DeallocOp::create(b, loc, copy)->setAttr(kOfScope, b.getUnitAttr());
  }

  /// The number of the iteration of the loop on threads.
  Value getIteration() {
    Value distance = makeOfBounds<arith::SubIOp>(
              b, loc, onThreads.getInductionVar(), onThreads.getLowerBound()),
          step = getNumber(onThreads.getConstantStep()->getSExtValue());
    return makeOfBounds<arith::FloorDivSIOp>(b, loc, distance, step);
  }

  /// Where the copy has an element of the memref.
  SmallVector<Value> getPlace(ValueRange indices) {
    SmallVector<Value> place;
    if (iteration)
      place.push_back(iteration);
    for (auto [index, offset] : llvm::zip_equal(indices, offsets))
      place.push_back(
          offset ? makeOfBounds<arith::SubIOp>(b, loc, index, offset) : index);
    return place;
  }

  /// The first index and the end of what is copied of an axis: not more than
  /// the memref has, since the loop may have no iterations.
  std::pair<Value, Value> getRange(unsigned axis, bool isBack) {
    auto [lower, upper] = box.compute(b, axis, /*ofWritten=*/isBack);
    Value zero = getNumber(0), extent = getExtent(axis);
    if (!lower)
      return {zero, extent};
    return {makeOfBounds<arith::MaxSIOp>(b, loc, lower, zero),
            makeOfBounds<arith::MinSIOp>(b, loc, upper, extent)};
  }

  scf::ForOp copyElements(bool isBack) {
    OpBuilder::InsertionGuard guard(b);
    Value one = getNumber(1);
    SmallVector<std::pair<Value, Value>> ranges;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      ranges.push_back(getRange(axis, isBack));
    SmallVector<Value> indices;
    scf::ForOp outermost;
    for (auto [axis, range] : llvm::enumerate(ranges)) {
      auto made = scf::ForOp::create(b, loc, range.first, range.second, one);
      std::string suffix = (isBack ? ".back" : ".copy") + std::to_string(axis) +
                           (number == 1 ? "" : "." + std::to_string(number));
      made->setAttr(loom::kCopies, b.getUnitAttr());
      if (auto name = loop->getAttrOfType<StringAttr>(loom::kLoopName))
        made->setAttr(loom::kLoopName,
                      b.getStringAttr(name.getValue() + suffix));
      indices.push_back(made.getInductionVar());
      outermost = outermost ? outermost : made;
      b.setInsertionPointToStart(made.getBody());
    }
    SmallVector<Value> place = getPlace(indices);
    Value from = isBack ? copy : memory, to = isBack ? memory : copy;
    Value element =
        memref::LoadOp::create(b, loc, from, isBack ? place : indices);
    auto store =
        memref::StoreOp::create(b, loc, element, to, isBack ? indices : place);
    numberStatement(store);
    return outermost;
  }

  void replace(Operation *access) {
    b.setInsertionPoint(access);
    Operation *made;
    if (auto load = dyn_cast<memref::LoadOp>(access)) {
      made = memref::LoadOp::create(b, access->getLoc(), copy,
                                    getPlace(load.getIndices()));
    } else {
      auto store = cast<memref::StoreOp>(access);
      made =
          memref::StoreOp::create(b, access->getLoc(), store.getValueToStore(),
                                  copy, getPlace(store.getIndices()));
    }
    made->setDiscardableAttrs(access->getDiscardableAttrDictionary());
    b.replaceOp(access, made->getResults());
  }

  RewriterBase &b;
  scf::ForOp loop;
  /// What stands in the block of the version.
  scf::ForOp nest;
  const Value memory;
  const MemRefType type;
  const Location loc;
  const AccessBox box;
  /// How many copies there are, and the part of an iteration.
  Value count, iteration;
  Value copy;
  SmallVector<Value> lengths, offsets;
  /// Of the packs of the loop.
  int64_t number = 1;
};

} // namespace

bool LoopEdit::checkIsPackable(scf::ForOp loop, Value memory,
                               const LoopAccesses &facts,
                               SmallVectorImpl<Operation *> &accesses) {
  std::string name = infer::describeMemory(memory);
  if (cast<MemRefType>(memory.getType()).getRank() == 0) {
    refuse(name + " has one element", loop);
    return false;
  }
  for (const LoopAccesses::Access &access : facts.accesses) {
    if (access.memory != memory)
      continue;
    Operation *op = access.call ? access.call : access.op;
    bool isDirect = isa<memref::LoadOp, memref::StoreOp>(op) &&
                    legalize::MemoryAccess::get(op).memory == memory &&
                    !op->hasAttr(loom::kAccumulates);
    if (!isDirect) {
      refuse("'" + infer::getOrigin(op).str() + "' in " + describeLoop(loop) +
                 " touches " + name +
                 " by other means than one load or store of an element, so "
                 "that it cannot touch a copy",
             op);
      return false;
    }
    accesses.push_back(op);
  }
  return true;
}

// sch-19
Loops LoopEdit::pack(scf::ForOp loop, StringRef name) {
  std::unique_ptr<LoopOrder> order = open(loop);
  if (!order)
    return {};
  const LoopAccesses &facts = order->getAccesses();
  Value memory = getMemory(loop, facts, name);
  if (!memory)
    return {};
  SmallVector<Operation *> accesses;
  if (!checkIsPackable(loop, memory, facts, accesses))
    return {};
  SmallVector<scf::ForOp> around = getLoopsAround(loop);
  Packing packing(b, loop, getNest(loop), memory, facts);
  for (scf::ForOp outer : around)
    if (outer->hasAttr(kOnThreads))
      packing.onThreads = outer;
  scf::ForOp threads = packing.onThreads;
  constexpr int64_t kMostBytes = int64_t(1) << 31;
  std::optional<int64_t> bytes = packing.countBytes();
  if (!bytes || *bytes > kMostBytes)
    return refuse((threads ? "the copies of " : "the copy of ") +
                      infer::describeMemory(memory) +
                      (threads ? " for the iterations of " +
                                     describeLoop(threads) + " on threads"
                               : "") +
                      " would have " +
                      (bytes ? std::to_string(*bytes) : "too many") +
                      " bytes, more than " + std::to_string(kMostBytes),
                  loop);
  scf::IfOp version = getVersion(getNest(loop));
  MovedBounds bounds(b, version);
  if (threads && !packing.countCopies(version, bounds))
    return refuse(describeLoop(threads) + " around " + describeLoop(loop) +
                      " runs on threads, and how many copies its iterations "
                      "need " +
                      (bounds.missing ? "depends on loops around it"
                                      : "cannot be computed in front of its "
                                        "nest"),
                  threads);
  // A loop that does not run touches nothing, whatever its box.
  for (scf::ForOp outer : around)
    requireIterations(outer);
  requireIterations(loop);
  for (Value condition : packing.computeLengths(version))
    require(version, condition);
  SmallVector<scf::ForOp> touching = packing.run(accesses);
  touching.push_back(loop);
  // The new numbers fit 64 bits where the condition holds.
  return open(touching) ? Loops{loop} : Loops();
}
