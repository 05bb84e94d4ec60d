//===- FunctionFrame.cpp - where a function keeps what it works on --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionFrame.h"
#include "codegen/SymbolNames.h"
#include "codegen/layout/Storage.h"
#include "dialect/LoomDialect.h"
#include "runtime/calls/Descriptor.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The bytes of a scalar among the results of a function.
static constexpr int64_t kScalarBytes = 8;

int64_t broadloom::codegen::getResultBytes(Type type) {
  if (auto ranked = dyn_cast<MemRefType>(type))
    return descriptorBytes(ranked.getRank());
  return isa<UnrankedMemRefType, loom::ShapeType>(type) ? sizeof(BroadloomView)
                                                        : kScalarBytes;
}

SmallVector<int64_t> broadloom::codegen::getResultOffsets(TypeRange types) {
  SmallVector<int64_t> offsets = {0};
  for (Type type : types)
    offsets.push_back(offsets.back() + getResultBytes(type));
  return offsets;
}

bool broadloom::codegen::passInMemory(TypeRange results) {
  constexpr size_t kMostReturned = 16;
  return results.size() > kMostReturned;
}

/// The source of casts that change the type of a tensor and not its descriptor.
static Value lookThroughCasts(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  return value;
}

FunctionFrame::FunctionFrame(func::FuncOp func, RuntimeCalls &runtime,
                             Convention convention)
    : func(func), runtime(runtime), convention(convention),
      resultTypes(func.getResultTypes()) {
  Block &entry = func.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  auto reserve = [&]() {
    Value none = runtime.constant(b, func.getLoc(), runtime.i64, 0);
    return LLVM::AllocaOp::create(b, func.getLoc(), runtime.ptr, b.getI8Type(),
                                  none, /*alignment=*/16);
  };
  frame = reserve();
  passing = reserve();
  func.removeArgAttrsAttr();
  func.removeResAttrsAttr();
  if (!isByValue()) {
    takeViews();
    return;
  }
  entry.insertArgument(0u, runtime.ptr, func.getLoc());
  SmallVector<Type> results = {runtime.i32};
  if (passInMemory(resultTypes)) {
    entry.insertArgument(1u, runtime.ptr, func.getLoc());
    resultOffsets = getResultOffsets(resultTypes);
  } else {
    llvm::append_range(results, resultTypes);
  }
  func.setFunctionType(FunctionType::get(
      func.getContext(), llvm::to_vector(entry.getArgumentTypes()), results));
}

void FunctionFrame::takeViews() {
  resultOffsets = getResultOffsets(resultTypes);
  SmallVector<Type> types(func.getArgumentTypes());
  FunctionType type = getAbiFunctionType(func.getContext(), abi::Code);
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    func.getBody().front().insertArgument(i, input, func.getLoc());
  readArguments(types);
  func.setFunctionType(type);
}

void FunctionFrame::readArguments(ArrayRef<Type> types) {
  Block &entry = func.getBody().front();
  OpBuilder b(func.getContext());
  b.setInsertionPointAfter(passing);
  Location loc = func.getLoc();
  // Then nobody changes a number while the function runs, so that it can be
  // handed on where it is.
  bool isCalledByOurs = func.getName().starts_with(kLoopPrefix);
  for (auto [i, type] : llvm::enumerate(types)) {
    BlockArgument old = entry.getArgument(abi::Code.numParameters + i);
    FrameSlot slot{FrameSlot::Base::Arguments,
                   int64_t(sizeof(BroadloomView) * i), -1};
    if (isa<BaseMemRefType>(type)) {
      replace(b, loc, old, slot);
      continue;
    }
    if (old.use_empty())
      continue;
    // A scalar is passed as a tensor of rank 0.
    Value descriptor = descriptorAt(b, loc, slot);
    auto read = [&](Type field, size_t offset) -> Value {
      return LLVM::LoadOp::create(
          b, loc, field, runtime.offset(b, loc, descriptor, int64_t(offset)));
    };
    Type storage = getStorageType(type);
    Value data = LLVM::GEPOp::create(
        b, loc, runtime.ptr, storage,
        read(runtime.ptr, offsetof(BroadloomDescriptor, aligned)),
        ValueRange{read(runtime.i64, offsetof(BroadloomDescriptor, offset))});
    Value stored = LLVM::LoadOp::create(b, loc, storage, data);
    Value value = fromStorage(b, loc, stored, type);
    old.replaceAllUsesWith(value);
    if (isCalledByOurs)
      record(value, slot);
    else
      numbers[value] = 0;
  }
  entry.eraseArguments(abi::Code.numParameters, types.size());
}

FrameSlot FunctionFrame::take(int64_t bytes, int64_t rank) {
  FrameSlot slot{FrameSlot::Base::Frame, frameBytes, rank};
  frameBytes += (bytes + 7) & ~int64_t(7);
  return slot;
}

FrameSlot FunctionFrame::takeDescriptor(int64_t rank) {
  return take(descriptorBytes(rank), rank);
}

FrameSlot FunctionFrame::resultSlot(unsigned index) const {
  auto ranked = dyn_cast<MemRefType>(resultTypes[index]);
  return {FrameSlot::Base::Results, resultOffsets[index],
          ranked ? ranked.getRank() : -1};
}

Value FunctionFrame::scratch(OpBuilder &b, Location loc, int64_t bytes) {
  if (bytes > 1024)
    return address(b, loc, takeBytes(bytes));
  passingBytes = std::max(passingBytes, bytes);
  return passing;
}

Value FunctionFrame::base(FrameSlot::Base which) {
  switch (which) {
  case FrameSlot::Base::Frame:
    return frame;
  case FrameSlot::Base::Arguments:
    return func.getArgument(isByValue() ? 0 : 1);
  case FrameSlot::Base::Results:
    return func.getArgument(isByValue() ? 1 : 2);
  }
  llvm_unreachable("all bases are covered");
}

Value FunctionFrame::address(OpBuilder &b, Location loc, FrameSlot slot) {
  return runtime.offset(b, loc, base(slot.base), slot.offset);
}

Value FunctionFrame::descriptorAt(OpBuilder &b, Location loc, FrameSlot slot) {
  Value at = address(b, loc, slot);
  if (slot.rank >= 0)
    return at;
  return LLVM::LoadOp::create(
      b, loc, runtime.ptr,
      runtime.offset(b, loc, at, offsetof(BroadloomView, descriptor)));
}

std::optional<FrameSlot> FunctionFrame::find(Value value) const {
  auto it = slots.find(lookThroughCasts(value));
  if (it == slots.end())
    return std::nullopt;
  return it->second;
}

FrameSlot FunctionFrame::describe(OpBuilder &b, Location loc, Value value) {
  if (std::optional<FrameSlot> known = find(value))
    return *known;
  // Memory of a known rank that is cast to none is described with that rank.
  if (isa<UnrankedMemRefType>(value.getType()))
    value = lookThroughCasts(value);
  Type type = value.getType();
  if (isa<BaseMemRefType, loom::ShapeType>(type)) {
    auto ranked = dyn_cast<MemRefType>(type);
    FrameSlot slot = ranked ? takeDescriptor(ranked.getRank()) : takeView();
    runtime.store(b, loc, runtime.asStruct(b, loc, value),
                  address(b, loc, slot));
    return slot;
  }
  // A number that is handed on several times is described once for all.
  if (auto it = numbers.find(value); it != numbers.end() && ++it->second == 2) {
    OpBuilder entry(b.getContext());
    entry.setInsertionPointAfterValue(value);
    FrameSlot slot = describeNumber(entry, loc, value);
    record(value, slot);
    return slot;
  }
  return describeNumber(b, loc, value);
}

FrameSlot FunctionFrame::describeNumber(OpBuilder &b, Location loc,
                                        Value value) {
  Value stored = toStorage(b, loc, value);
  Value data = address(b, loc, takeBytes(kScalarBytes));
  runtime.store(b, loc, stored, data);
  FrameSlot slot = takeDescriptor(0);
  Value at = address(b, loc, slot);
  auto put = [&](size_t offset, Value value) {
    runtime.store(b, loc, value, runtime.offset(b, loc, at, int64_t(offset)));
  };
  put(offsetof(BroadloomDescriptor, allocated), data);
  put(offsetof(BroadloomDescriptor, aligned), data);
  put(offsetof(BroadloomDescriptor, offset),
      runtime.constant(b, loc, runtime.i64, 0));
  return slot;
}

Value FunctionFrame::makeViews(OpBuilder &b, Location loc, ValueRange values) {
  if (values.empty())
    return runtime.null(b, loc);
  SmallVector<FrameSlot> described;
  for (Value value : values)
    described.push_back(describe(b, loc, value));
  // A single view may already be in memory.
  if (values.size() == 1 && described.front().rank < 0)
    return address(b, loc, described.front());
  Value views = scratch(b, loc, int64_t(sizeof(BroadloomView) * values.size()));
  for (auto [i, slot] : llvm::enumerate(described)) {
    Value at =
        runtime.offset(b, loc, views, int64_t(sizeof(BroadloomView) * i));
    if (slot.rank < 0) {
      // A vector is one load and one store, where a struct is two.
      constexpr unsigned kAlignment = alignof(BroadloomView);
      Value view = LLVM::LoadOp::create(
          b, loc, VectorType::get(sizeof(BroadloomView) / 8, runtime.i64),
          address(b, loc, slot), kAlignment);
      LLVM::StoreOp::create(b, loc, view, at, kAlignment);
      continue;
    }
    auto put = [&, at](size_t offset, Value value) {
      runtime.store(b, loc, value, runtime.offset(b, loc, at, int64_t(offset)));
    };
    put(offsetof(BroadloomView, rank),
        runtime.constant(b, loc, runtime.i64, slot.rank));
    put(offsetof(BroadloomView, descriptor), address(b, loc, slot));
  }
  return views;
}

Value FunctionFrame::load(OpBuilder &b, Location loc, FrameSlot slot,
                          Type type) {
  if (auto ranked = dyn_cast<MemRefType>(type))
    return LLVM::LoadOp::create(b, loc,
                                runtime.descriptorType(ranked.getRank()),
                                descriptorAt(b, loc, slot));
  if (slot.rank < 0)
    return LLVM::LoadOp::create(b, loc, runtime.view, address(b, loc, slot));
  // Makes a view of the descriptor at the slot.
  Value view = LLVM::UndefOp::create(b, loc, runtime.view);
  view = LLVM::InsertValueOp::create(
      b, loc, view, runtime.constant(b, loc, runtime.i64, slot.rank),
      ArrayRef<int64_t>{abi::View::rank});
  return LLVM::InsertValueOp::create(b, loc, view, address(b, loc, slot),
                                     ArrayRef<int64_t>{abi::View::descriptor});
}

void FunctionFrame::replace(OpBuilder &b, Location loc, Value old,
                            FrameSlot slot) {
  Value made =
      UnrealizedConversionCastOp::create(b, loc, old.getType(), ValueRange())
          .getResult(0);
  placeholders.push_back(made.getDefiningOp());
  slots[made] = slot;
  old.replaceAllUsesWith(made);
  // A new value may get the address of `old`, and must not be found under it.
  slots.erase(old);
}

/// Erases unused casts of `value`.
static void eraseDeadCasts(Value value) {
  for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
    if (isa<memref::CastOp>(user)) {
      eraseDeadCasts(user->getResult(0));
      if (user->use_empty())
        user->erase();
    }
}

void FunctionFrame::readPlaceholders() {
  OpBuilder b(func.getContext());
  for (Operation *placeholder : placeholders) {
    Value old = placeholder->getResult(0);
    eraseDeadCasts(old);
    if (!old.use_empty()) {
      b.setInsertionPoint(placeholder);
      Location loc = placeholder->getLoc();
      Value loaded = load(b, loc, slots.at(old), old.getType());
      old.replaceAllUsesWith(runtime.fromStruct(b, loc, loaded, old.getType()));
    }
    placeholder->erase();
  }
  placeholders.clear();
}

void FunctionFrame::finish(llvm::function_ref<Block *()> failure) {
  readPlaceholders();
  auto setSize = [&](LLVM::AllocaOp alloca, int64_t bytes) {
    if (alloca.use_empty())
      return alloca.erase();
    auto size = alloca.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    size.setValueAttr(IntegerAttr::get(runtime.i64, bytes));
  };
  setSize(passing, passingBytes);
  if (frameBytes > kMostStackBytes && !frame.use_empty())
    moveOffStack(failure);
  else
    setSize(frame, frameBytes);
}

/// Allocates a large frame as a temporary of the call.
void FunctionFrame::moveOffStack(llvm::function_ref<Block *()> failure) {
  Location loc = func.getLoc();
  Block *fails = failure();
  SmallVector<func::ReturnOp> returns;
  func.walk([&](func::ReturnOp op) {
    if (op->getBlock() != fails)
      returns.push_back(op);
  });
  for (func::ReturnOp op : returns) {
    OpBuilder b(op);
    runtime.call(b, loc, abi::broadloomFreeFrame, {call(), frame});
  }
  Block &entry = func.getBody().front();
  Block *rest = entry.splitBlock(entry.begin());
  OpBuilder b = OpBuilder::atBlockEnd(&entry);
  Value memory =
      runtime.call(b, loc, abi::broadloomFrame,
                   {call(), runtime.constant(b, loc, runtime.i64, frameBytes)});
  Value missing = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, memory,
                                       runtime.null(b, loc));
  Value status = runtime.constant(b, loc, runtime.i32, BROADLOOM_OUT_OF_MEMORY);
  cf::CondBranchOp::create(b, loc, missing, fails, ValueRange{status}, rest,
                           ValueRange{});
  frame.replaceAllUsesWith(memory);
  frame.erase();
}
