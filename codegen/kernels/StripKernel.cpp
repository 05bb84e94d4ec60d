//===- StripKernel.cpp - one stage as a function over a run ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/StripKernel.h"
#include "codegen/kernels/KernelParts.h"
#include "codegen/kernels/StreamedLoops.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/AbiTypes.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::codegen;

unsigned broadloom::codegen::getStorageBytes(Type elementType) {
  if (isa<IndexType>(elementType))
    return 8;
  if (!elementType.isIntOrFloat())
    return 0;
  // LLVM aligns integers of other widths to a power of two, at most 16 bytes.
  constexpr unsigned kMostAligned = 16;
  unsigned bytes = llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  return bytes < kMostAligned ? llvm::PowerOf2Ceil(bytes)
                              : llvm::alignTo(bytes, kMostAligned);
}

Type broadloom::codegen::getStorageType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (isa<IndexType>(elementType))
    return IntegerType::get(context, 64);
  if (isa<Float16Type, Float32Type, Float64Type>(elementType))
    return elementType;
  // i1 takes a byte of its own; the other float formats are opaque bits.
  return IntegerType::get(context, getStorageBytes(elementType) * 8);
}

/// The same integer with the signedness of `type`, which LLVM does not have.
static Value castInteger(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  return value.getType() == type
             ? value
             : UnrealizedConversionCastOp::create(builder, loc, type, value)
                   .getResult(0);
}

Value broadloom::codegen::fromStorage(OpBuilder &builder, Location loc,
                                      Value stored, Type type) {
  if (stored.getType() == type)
    return stored;
  if (type.isInteger(1)) {
    // Any byte but 0 is true, so that no input can make an i1 of other bits.
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(stored.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored,
                                 zero);
  }
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, loc, type, stored);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, loc, type, stored);
  unsigned width = type.getIntOrFloatBitWidth();
  if (!stored.getType().isInteger(width))
    stored = arith::TruncIOp::create(builder, loc,
                                     builder.getIntegerType(width), stored);
  return castInteger(builder, loc, stored, type);
}

Value broadloom::codegen::toStorage(OpBuilder &builder, Location loc,
                                    Value value) {
  Type stored = getStorageType(value.getType());
  if (stored == value.getType())
    return value;
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(builder, loc, stored, value);
  if (isa<IndexType>(value.getType()))
    return arith::IndexCastOp::create(builder, loc, stored, value);
  if (isa<FloatType>(value.getType()))
    return arith::BitcastOp::create(builder, loc, stored, value);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  value = castInteger(builder, loc, value, builder.getIntegerType(width));
  return stored.isInteger(width)
             ? value
             : arith::ExtUIOp::create(builder, loc, stored, value).getResult();
}

/// Whether a step of the kernel computes a word with two elements: a bf16 in
/// either half of 32 bits becomes an f32 by a shift or a mask, while vectors of
/// 16-bit elements need shuffles to be widened and narrowed.
static bool isOfPairs(const Stage &stage) {
  auto isBF16 = [](Value value) { return value.getType().isBF16(); };
  return !stage.inputs.empty() && llvm::all_of(stage.inputs, isBF16) &&
         llvm::all_of(stage.outputs, isBF16);
}

/// A stage with more operations becomes a loop over vectors. LLVM would
/// vectorise a loop over elements in the same way, because it interleaves
/// vectors only for fewer operations, but would take twice as long.
static constexpr size_t kMostForVectoriser = 24;

/// The width of these vectors: that of the widest units; LLVM splits them for
/// others.
static constexpr unsigned kVectorBits = 512;

/// The elements that a step of the kernel's loop computes.
static int64_t countLanes(const Stage &stage) {
  if (stage.operations.size() <= kMostForVectoriser)
    return 1;
  unsigned width = 0;
  bool areAlike = llvm::all_of(stage.operations, canCloneAsVectors);
  // All types must have one width, so that one number of lanes fills the
  // vectors.
  auto look = [&](Value value, bool isStored) {
    Type type = value.getType();
    if (type.isInteger(1) && !isStored)
      return;
    bool isPlain = type.isSignlessInteger() || type.isF32() || type.isF64();
    unsigned own = isPlain ? type.getIntOrFloatBitWidth() : 0;
    areAlike &= (own == 32 || own == 64) && (width == 0 || own == width);
    width = own;
  };
  for (Value value : stage.inputs)
    look(value, /*isStored=*/true);
  for (Value value : stage.outputs)
    look(value, /*isStored=*/true);
  for (Operation *op : stage.operations) {
    for (Value operand : op->getOperands())
      look(operand, /*isStored=*/false);
    for (Value result : op->getResults())
      look(result, /*isStored=*/false);
  }
  return areAlike ? kVectorBits / width : 1;
}

/// Element `part` of a word: 0 in its low half, 1 in its high half.
static Value takeHalf(OpBuilder &builder, Location loc, Value word, int part) {
  if (part) {
    Value bits = arith::ConstantIntOp::create(builder, loc, 16, 32);
    word = arith::ShRUIOp::create(builder, loc, word, bits);
  }
  return arith::TruncIOp::create(builder, loc, builder.getI16Type(), word);
}

/// The word of two elements.
static Value joinHalves(OpBuilder &builder, Location loc, Value low,
                        Value high) {
  Type i32 = builder.getI32Type();
  Value bits = arith::ConstantIntOp::create(builder, loc, 16, 32);
  high = arith::ExtUIOp::create(builder, loc, i32, high);
  return arith::OrIOp::create(builder, loc,
                              arith::ExtUIOp::create(builder, loc, i32, low),
                              arith::ShLIOp::create(builder, loc, high, bits));
}

bool broadloom::codegen::isPassedOn(Value value) {
  Operation *def = value.getDefiningOp();
  return !def || def->hasTrait<OpTrait::ConstantLike>();
}

Operation *broadloom::codegen::buildCopy(OpBuilder &builder, Value value) {
  // A select between equal values is a simple operation that is not folded
  // before LLVM.
  Location loc = value.getLoc();
  auto yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::SelectOp::create(builder, loc, yes, value, value);
}

LLVM::LLVMFuncOp broadloom::codegen::buildStripKernel(OpBuilder &builder,
                                                      Location loc,
                                                      StringRef name,
                                                      const Stage &stage,
                                                      bool streams) {
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *context = builder.getContext();
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto type = getAbiSignature(context, abi::StripKernel);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                       LLVM::Linkage::Internal);
  int64_t lanes = countLanes(stage);
  if (streams)
    func.setPassthroughAttr(builder.getStrArrayAttr({kStreamsAttribute}));
  else if (lanes > 1)
    func.setPassthroughAttr(builder.getStrArrayAttr({kVectorsAttribute}));

  // A loop over strips around a loop over a strip's elements: the length of the
  // latter is known, so that it becomes a few vector instructions.
  Block *entry = func.addEntryBlock(builder);
  Block *strip = func.addBlock();
  Block *loop = func.addBlock();
  Block *latch = func.addBlock();
  Block *exit = func.addBlock();
  size_t numInputs = stage.inputs.size(), numOutputs = stage.outputs.size();
  for (size_t i = 0; i < numInputs + numOutputs; ++i)
    strip->addArgument(ptr, loc);
  strip->addArgument(i64, loc);
  loop->addArgument(i64, loc);

  builder.setInsertionPointToStart(entry);
  SmallVector<Value> first =
      loadPointers(builder, loc, entry->getArgument(0), numInputs);
  llvm::append_range(
      first, loadPointers(builder, loc, entry->getArgument(1), numOutputs));
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  };
  Value zero = constant(0), step = constant(lanes);
  Value length = constant(BROADLOOM_STRIP_MULTIPLE);
  bool ofPairs = isOfPairs(stage);
  Value trips = ofPairs ? constant(BROADLOOM_STRIP_MULTIPLE / 2) : length;
  SmallVector<Value> steps;
  for (size_t i = 0; i < numInputs; ++i) {
    Value address =
        LLVM::GEPOp::create(builder, loc, ptr, i64, entry->getArgument(2),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    steps.push_back(LLVM::LoadOp::create(builder, loc, i64, address));
  }
  steps.append(numOutputs, length);
  first.push_back(entry->getArgument(3));
  LLVM::BrOp::create(builder, loc, first, strip);

  builder.setInsertionPointToStart(strip);
  ValueRange pointers = strip->getArguments().drop_back();
  ValueRange inputs = pointers.take_front(numInputs);
  ValueRange outputs = pointers.drop_front(numInputs);
  Value left = strip->getArguments().back();
  LLVM::BrOp::create(builder, loc, ValueRange{zero}, loop);

  builder.setInsertionPointToStart(loop);
  Value index = loop->getArgument(0);
  AliasScopes scopes(context, stage.outputs.size());
  SmallVector<IRMapping, 2> mappings(ofPairs ? 2 : 1);
  auto vectorOf = [&](Type type) -> Type {
    return lanes > 1 ? VectorType::get({lanes}, type) : type;
  };
  auto element = [&](Value base, Type storage) -> Value {
    return LLVM::GEPOp::create(builder, loc, ptr, storage, base,
                               ArrayRef<LLVM::GEPArg>{index},
                               LLVM::GEPNoWrapFlags::inbounds);
  };
  for (auto [value, base] : llvm::zip_equal(stage.inputs, inputs)) {
    Type type = value.getType();
    Type storage = ofPairs ? builder.getI32Type() : getStorageType(type);
    auto load =
        LLVM::LoadOp::create(builder, loc, vectorOf(storage),
                             element(base, storage), getStorageBytes(type));
    scopes.applyToLoad(load);
    for (auto [part, mapping] : llvm::enumerate(mappings)) {
      Value stored = ofPairs ? takeHalf(builder, loc, load, part) : Value(load);
      mapping.map(value,
                  lanes > 1 ? stored : fromStorage(builder, loc, stored, type));
    }
  }
  for (IRMapping &mapping : mappings) {
    if (lanes == 1)
      cloneOperations(builder, stage.operations, mapping);
    else
      for (Operation *op : stage.operations)
        cloneAsVectors(builder, op, lanes, mapping);
  }
  for (auto [i, value] : llvm::enumerate(stage.outputs)) {
    SmallVector<Value, 2> parts;
    for (IRMapping &mapping : mappings)
      parts.push_back(lanes > 1
                          ? mapping.lookup(value)
                          : toStorage(builder, loc, mapping.lookup(value)));
    Value stored =
        ofPairs ? joinHalves(builder, loc, parts[0], parts[1]) : parts[0];
    auto store = LLVM::StoreOp::create(
        builder, loc, stored,
        element(outputs[i], getElementTypeOrSelf(stored.getType())),
        getStorageBytes(value.getType()));
    scopes.applyToStore(store, i);
  }
  Value next = LLVM::AddOp::create(builder, loc, index, step,
                                   LLVM::IntegerOverflowFlags::nuw |
                                       LLVM::IntegerOverflowFlags::nsw);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, next, trips);
  LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange{next}, latch,
                         ValueRange{});

  builder.setInsertionPointToStart(latch);
  SmallVector<Value> moved;
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    Value value =
        i < numInputs ? stage.inputs[i] : stage.outputs[i - numInputs];
    // After the last strip this address is not used.
    moved.push_back(
        LLVM::GEPOp::create(builder, loc, ptr, getStorageType(value.getType()),
                            pointer, ArrayRef<LLVM::GEPArg>{steps[i]}));
  }
  moved.push_back(LLVM::SubOp::create(builder, loc, left, length,
                                      LLVM::IntegerOverflowFlags::nuw |
                                          LLVM::IntegerOverflowFlags::nsw));
  Value strips = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      moved.back(), zero);
  LLVM::CondBrOp::create(builder, loc, strips, strip, moved, exit,
                         ValueRange{});
  builder.setInsertionPointToStart(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange{});
  return func;
}
