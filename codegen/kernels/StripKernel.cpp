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
#include "codegen/layout/Storage.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom::codegen;

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

namespace {

/// A loop over strips around a loop over a strip's elements: the length of the
/// latter is known, so that it becomes a few vector instructions.
class StripKernelBuilder {
public:
  StripKernelBuilder(OpBuilder &builder, Location loc, const Stage &stage)
      : b(builder), loc(loc), stage(stage), lanes(countLanes(stage)),
        ofPairs(isOfPairs(stage)),
        ptr(LLVM::LLVMPointerType::get(builder.getContext())),
        i64(builder.getI64Type()) {}

  LLVM::LLVMFuncOp build(StringRef name, bool streams) {
    OpBuilder::InsertionGuard guard(b);
    auto type = getAbiSignature(b.getContext(), broadloom::abi::StripKernel);
    auto func =
        LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
    if (streams)
      func.setPassthroughAttr(b.getStrArrayAttr({kStreamsAttribute}));
    else if (lanes > 1)
      func.setPassthroughAttr(b.getStrArrayAttr({kVectorsAttribute}));
    entry = func.addEntryBlock(b);
    strip = func.addBlock();
    loop = func.addBlock();
    latch = func.addBlock();
    exit = func.addBlock();
    // The addresses of inputs and outputs, and the number of elements left.
    for (size_t i = 0; i < stage.inputs.size() + stage.outputs.size(); ++i)
      strip->addArgument(ptr, loc);
    strip->addArgument(i64, loc);
    loop->addArgument(i64, loc);
    buildEntry();
    b.setInsertionPointToStart(strip);
    LLVM::BrOp::create(b, loc, ValueRange{zero}, loop);
    buildElements();
    buildNextStrip();
    b.setInsertionPointToStart(exit);
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return func;
  }

private:
  void buildEntry() {
    size_t numInputs = stage.inputs.size(), numOutputs = stage.outputs.size();
    b.setInsertionPointToStart(entry);
    SmallVector<Value> first =
        loadPointers(b, loc, entry->getArgument(0), numInputs);
    llvm::append_range(first,
                       loadPointers(b, loc, entry->getArgument(1), numOutputs));
    zero = constant(0);
    step = constant(lanes);
    length = constant(BROADLOOM_STRIP_MULTIPLE);
    trips = ofPairs ? constant(BROADLOOM_STRIP_MULTIPLE / 2) : length;
    for (size_t i = 0; i < numInputs; ++i) {
      Value address =
          LLVM::GEPOp::create(b, loc, ptr, i64, entry->getArgument(2),
                              ArrayRef<LLVM::GEPArg>{int32_t(i)});
      steps.push_back(LLVM::LoadOp::create(b, loc, i64, address));
    }
    steps.append(numOutputs, length);
    first.push_back(entry->getArgument(3));
    LLVM::BrOp::create(b, loc, first, strip);
  }

  /// The loop over the elements of a strip.
  void buildElements() {
    b.setInsertionPointToStart(loop);
    AliasScopes scopes(b.getContext(), stage.outputs.size());
    SmallVector<IRMapping, 2> mappings(ofPairs ? 2 : 1);
    for (size_t i = 0; i < stage.inputs.size(); ++i)
      loadInput(i, scopes, mappings);
    for (IRMapping &mapping : mappings) {
      if (lanes == 1)
        cloneOperations(b, stage.operations, mapping);
      else
        for (Operation *op : stage.operations)
          cloneAsVectors(b, op, lanes, mapping);
    }
    for (size_t i = 0; i < stage.outputs.size(); ++i)
      storeOutput(i, scopes, mappings);
    Value next =
        LLVM::AddOp::create(b, loc, loop->getArgument(0), step, kNoWrap);
    Value more =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, next, trips);
    LLVM::CondBrOp::create(b, loc, more, loop, ValueRange{next}, latch,
                           ValueRange{});
  }

  void loadInput(size_t number, AliasScopes &scopes,
                 MutableArrayRef<IRMapping> mappings) {
    Value value = stage.inputs[number];
    Type type = value.getType();
    Type storage = ofPairs ? b.getI32Type() : getStorageType(type);
    Type loaded = lanes > 1 ? Type(VectorType::get({lanes}, storage)) : storage;
    auto load = LLVM::LoadOp::create(
        b, loc, loaded, element(strip->getArgument(number), storage),
        getStorageBytes(type));
    scopes.applyToLoad(load);
    for (auto [part, mapping] : llvm::enumerate(mappings)) {
      Value stored = ofPairs ? takeHalf(b, loc, load, part) : Value(load);
      mapping.map(value,
                  lanes > 1 ? stored : fromStorage(b, loc, stored, type));
    }
  }

  void storeOutput(size_t number, AliasScopes &scopes,
                   ArrayRef<IRMapping> mappings) {
    Value value = stage.outputs[number];
    SmallVector<Value, 2> parts;
    for (const IRMapping &mapping : mappings)
      parts.push_back(lanes > 1 ? mapping.lookup(value)
                                : toStorage(b, loc, mapping.lookup(value)));
    Value stored = ofPairs ? joinHalves(b, loc, parts[0], parts[1]) : parts[0];
    Value base = strip->getArgument(stage.inputs.size() + number);
    auto store = LLVM::StoreOp::create(
        b, loc, stored, element(base, getElementTypeOrSelf(stored.getType())),
        getStorageBytes(value.getType()));
    scopes.applyToStore(store, number);
  }

  /// Advances the addresses to the next strip, if there is one.
  void buildNextStrip() {
    b.setInsertionPointToStart(latch);
    ValueRange pointers = strip->getArguments().drop_back();
    size_t numInputs = stage.inputs.size();
    SmallVector<Value> moved;
    for (auto [i, pointer] : llvm::enumerate(pointers)) {
      Value value =
          i < numInputs ? stage.inputs[i] : stage.outputs[i - numInputs];
      // After the last strip this address is not used.
      moved.push_back(
          LLVM::GEPOp::create(b, loc, ptr, getStorageType(value.getType()),
                              pointer, ArrayRef<LLVM::GEPArg>{steps[i]}));
    }
    moved.push_back(LLVM::SubOp::create(b, loc, strip->getArguments().back(),
                                        length, kNoWrap));
    Value strips = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne,
                                        moved.back(), zero);
    LLVM::CondBrOp::create(b, loc, strips, strip, moved, exit, ValueRange{});
  }

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(value));
  }
  /// The address of the loop's element in the strip at `base`.
  Value element(Value base, Type storage) {
    return LLVM::GEPOp::create(b, loc, ptr, storage, base,
                               ArrayRef<LLVM::GEPArg>{loop->getArgument(0)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }

  static constexpr auto kNoWrap =
      LLVM::IntegerOverflowFlags::nuw | LLVM::IntegerOverflowFlags::nsw;

  OpBuilder &b;
  Location loc;
  const Stage &stage;
  const int64_t lanes;
  const bool ofPairs;
  Type ptr, i64;
  Block *entry, *strip, *loop, *latch, *exit;
  Value zero, length, step, trips;
  /// The distances of strips in elements, for each input and output.
  SmallVector<Value> steps;
};

} // namespace

LLVM::LLVMFuncOp broadloom::codegen::buildStripKernel(OpBuilder &builder,
                                                      Location loc,
                                                      StringRef name,
                                                      const Stage &stage,
                                                      bool streams) {
  return StripKernelBuilder(builder, loc, stage).build(name, streams);
}
