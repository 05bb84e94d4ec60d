//===- LowerMemory.cpp - operations on memory to runtime calls ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/ElementTypes.h"
#include "codegen/abi/FunctionContext.h"
#include "codegen/layout/Storage.h"
#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"
#include "runtime/abi/LinearAlgebraKind.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The slot of the function's result as which `value` is returned without a
/// conversion.
static std::optional<FrameSlot> findResultSlot(FunctionContext &c,
                                               Value value) {
  for (OpOperand &use : value.getUses()) {
    Value returned = value;
    OpOperand *at = &use;
    if (auto cast = dyn_cast<memref::CastOp>(use.getOwner());
        cast && cast->hasOneUse()) {
      returned = cast;
      at = &*cast->use_begin();
    }
    if (!isa<func::ReturnOp>(at->getOwner()))
      continue;
    FrameSlot slot = c.frame.resultSlot(at->getOperandNumber());
    auto ranked = dyn_cast<MemRefType>(value.getType());
    if (slot.rank == (ranked ? ranked.getRank() : -1))
      return slot;
  }
  return std::nullopt;
}

/// The slot for the descriptor of a new memref.
static FrameSlot makeSlot(FunctionContext &c, Value value) {
  if (std::optional<FrameSlot> slot = findResultSlot(c, value))
    return *slot;
  if (auto ranked = dyn_cast<MemRefType>(value.getType()))
    return c.frame.takeDescriptor(ranked.getRank());
  return c.frame.takeView();
}

static BroadloomSlot getLocation(FrameSlot slot) {
  return {int32_t(slot.rank), int32_t(slot.offset) | int32_t(slot.base)};
}

/// The address of the text of the location that is lowered.
static Value makeLocationText(FunctionContext &c) {
  return c.runtime.addressOf(
      c.b, c.loc, c.runtime.data.string(c.loc, getLocationText(c.loc)));
}

/// Calls a function of the runtime that cannot fail with a memref's descriptor.
static void callWithDescriptor(FunctionContext &c, const abi::Call &callee,
                               Value memref) {
  FrameSlot slot = c.frame.describe(c.b, c.loc, memref);
  c.runtime.call(c.b, c.loc, callee,
                 {c.frame.call(), c.frame.descriptorAt(c.b, c.loc, slot)});
}

/// Appends a step of broadloomLaunchAll.
static void describeLaunch(FunctionContext &c, loom::RunOp op, int32_t program,
                           int32_t place, SmallVector<int32_t> &steps) {
  auto locate = [&](Value value) {
    return getLocation(c.frame.describe(c.b, c.loc, value));
  };
  appendNumbers<abi::LaunchStep>(
      steps,
      {BROADLOOM_STEP_LAUNCH, program, place,
       int32_t(op.getDestinations().size()),
       op.getMemory() ? locate(op.getMemory()).where : BROADLOOM_NO_MEMORY});
  for (auto [i, slot] : llvm::enumerate(op.getSlots())) {
    bool isPlanned = op.getOffsets() && (*op.getOffsets())[i] >= 0;
    steps.push_back(isPlanned ? BROADLOOM_SLOT_FIRST_OFFSET +
                                    int32_t((*op.getOffsets())[i])
                              : slot);
  }
  for (ValueRange read :
       {ValueRange(op.getInputs()), ValueRange(op.getDestinations())})
    for (Value value : read)
      appendNumbers<abi::Slot>(steps, locate(value));
  for (Value result : op.getResults()) {
    FrameSlot slot = makeSlot(c, result);
    c.frame.record(result, slot);
    appendNumbers<abi::Slot>(steps, getLocation(slot));
  }
}

static void describeRelease(FunctionContext &c, loom::ReleaseOp op,
                            SmallVector<int32_t> &steps) {
  BroadloomSlot location =
      getLocation(c.frame.describe(c.b, c.loc, op.getMemref()));
  appendNumbers<abi::ReleaseStep>(
      steps, {BROADLOOM_STEP_RELEASE, location.rank, location.where});
}

static void describeSite(FunctionContext &c, loom::SiteOp op,
                         SmallVector<int32_t> &steps) {
  appendNumbers<abi::SiteStep>(steps, {BROADLOOM_STEP_SITE,
                                       int32_t(op.getNumberAttr().getInt()),
                                       int32_t(op.getTensors().size())});
  for (Value tensor : op.getTensors()) {
    BroadloomSlot location = getLocation(c.frame.describe(c.b, c.loc, tensor));
    int32_t bytes = getStorageBytes(getElementTypeOrSelf(tensor));
    appendNumbers<abi::SiteTensor>(steps,
                                   {bytes, location.rank, location.where});
  }
}

namespace {

/// Texts of locations, one after another, each of which ends with a zero.
struct LocationTexts {
  int32_t offsetOf(Location loc) {
    std::string location = getLocationText(loc);
    if (location.empty())
      return 0;
    auto [it, isNew] = offsets.insert({location, int32_t(text.size())});
    if (isNew)
      text += location + '\0';
    return it->second;
  }

  /// The text at 0 is empty.
  std::string text = std::string(1, '\0');
  llvm::StringMap<int32_t> offsets;
};

} // namespace

void broadloom::codegen::lower(FunctionContext &c, ArrayRef<Operation *> ops) {
  llvm::MapVector<Attribute, int32_t> programs;
  LocationTexts places;
  SmallVector<int32_t> steps;
  int64_t count = ops.size();
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (auto site = dyn_cast<loom::SiteOp>(op)) {
      // A site ends where the next one begins.
      if (i + 1 < ops.size() && isa<loom::SiteOp>(ops[i + 1]))
        --count;
      else
        describeSite(c, site, steps);
      continue;
    }
    if (auto release = dyn_cast<loom::ReleaseOp>(op)) {
      describeRelease(c, release, steps);
      continue;
    }
    auto run = cast<loom::RunOp>(op);
    int32_t next = programs.size();
    auto it = programs.insert({Attribute(run.getProgramAttr()), next}).first;
    describeLaunch(c, run, it->second, places.offsetOf(run.getLoc()), steps);
  }
  SmallVector<AddressRecord> addresses;
  for (auto &[program, number] : programs)
    addresses.push_back(AddressRecord(cast<FlatSymbolRefAttr>(program)));
  auto addressOf = [&](FlatSymbolRefAttr data) {
    return c.runtime.addressOf(c.b, c.loc, data);
  };
  // A call without launches has no programs.
  if (addresses.empty())
    addresses.push_back(AddressRecord({}));
  ConstantData &data = c.runtime.data;
  c.checkedCall(abi::broadloomLaunchAll,
                {c.frame.call(), c.number(count),
                 c.frame.base(FrameSlot::Base::Frame),
                 c.frame.base(FrameSlot::Base::Arguments),
                 c.frame.base(FrameSlot::Base::Results),
                 addressOf(data.table(c.loc, addresses)),
                 addressOf(data.numbers(c.loc, steps)),
                 addressOf(data.string(c.loc, places.text))});
  for (Operation *op : ops)
    for (Value result : op->getResults())
      c.frame.replace(c.b, c.loc, result, *c.frame.find(result));
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::RetainOp op) {
  callWithDescriptor(c, abi::broadloomRetain, op.getMemref());
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::AllocOp op) {
  auto type = cast<MemRefType>(op.getMemref().getType());
  int64_t rank = type.getRank();
  // The extents stand behind the view of the destination.
  Value into = c.runtime.null(c.b, c.loc);
  int64_t viewBytes = 0;
  if (Value destination = op.getDestination()) {
    into = c.makeViews(destination);
    viewBytes = sizeof(BroadloomView);
  }
  Value space = c.frame.scratch(c.b, c.loc,
                                viewBytes + int64_t(sizeof(int64_t)) *
                                                std::max<int64_t>(rank, 1));
  Value extents = c.runtime.offset(c.b, c.loc, space, viewBytes);
  c.storeExtents(extents, type, op.getDynamicExtents());
  FrameSlot slot = makeSlot(c, op.getMemref());
  c.checkedCall(abi::broadloomAllocate,
                {c.frame.call(), makeLocationText(c),
                 c.number(op.getSlotAttr().getInt()), into,
                 c.bigNumber(getStorageBytes(type.getElementType())),
                 c.bigNumber(rank), extents, c.address(slot)});
  c.replace(op, slot);
}

void broadloom::codegen::lower(FunctionContext &c, loom::ContiguousOp op) {
  auto type = cast<BaseMemRefType>(op.getType());
  if (!isa<MemRefType>(type)) {
    // Code on unranked memory goes through the runtime, which reads any
    // strides.
    callWithDescriptor(c, abi::broadloomRetain, op.getSource());
    c.replace(op, c.frame.describe(c.b, c.loc, op.getSource()));
    return;
  }
  Value source = c.makeViews(op.getSource());
  FrameSlot slot = makeSlot(c, op.getResult());
  c.checkedCall(abi::broadloomContiguous,
                {c.frame.call(), makeLocationText(c),
                 c.bigNumber(getStorageBytes(type.getElementType())), source,
                 c.address(slot)});
  c.replace(op, slot);
}

void broadloom::codegen::lower(FunctionContext &c, loom::SortOp op) {
  Type element =
      cast<BaseMemRefType>(op.getSource().getType()).getElementType();
  c.checkedCall(abi::broadloomSort,
                {c.frame.call(), makeLocationText(c),
                 c.number(*getRuntimeType(element)), c.number(op.getAxis()),
                 c.number(op.getDescending()), c.makeViews(op.getOperands())});
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::LinearAlgebraOp op) {
  const LinearAlgebraForm &form = op.getForm();
  auto elementOf = [&](int64_t i) {
    return cast<BaseMemRefType>(op->getOperand(i).getType()).getElementType();
  };
  // All kinds but permutations have floats ahead.
  Type element =
      hasIndices(form, 0) ? Float32Type::get(c.b.getContext()) : elementOf(0);
  std::string message =
      (op.getBatchRank() > 0 ? "matrix {0} of the batch " : "the matrix ") +
      std::string(form.failure);
  int32_t flags = (op.getUpper() ? kUpperTriangle : 0) |
                  (op.getUnit() ? kUnitDiagonal : 0) |
                  (op.getUnchecked() ? kUncheckedAlgebra : 0);
  Value site = c.runtime.site(c.b, c.loc, infer::getOrigin(op), /*axis=*/-1,
                              /*numValues=*/2, message);
  c.checkedCall(abi::broadloomLinearAlgebra,
                {c.frame.call(), site,
                 c.number(int32_t(*findLinearAlgebraKind(op.getKind()))),
                 c.number(*getRuntimeType(element)), c.number(flags),
                 c.makeViews(op->getOperands())});
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, memref::CopyOp op) {
  auto type = cast<BaseMemRefType>(op.getSource().getType());
  Value views = c.makeViews({op.getSource(), op.getTarget()});
  c.checkedCall(abi::broadloomCopy,
                {c.frame.call(), makeLocationText(c),
                 c.bigNumber(getStorageBytes(type.getElementType())), views,
                 c.runtime.offset(c.b, c.loc, views, sizeof(BroadloomView))});
  op.erase();
}
