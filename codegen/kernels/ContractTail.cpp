//===- ContractTail.cpp - what is computed of sums of products ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractTail.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The most vectors of sums of a tile.
static constexpr int64_t kMostSums = 24;

/// A body of more operations is emitted once per tile, in a loop, and not once
/// per vector of sums. Storing the sums takes little time compared with the
/// body, and LLVM's time grows with the code.
static constexpr size_t kLightBody = 10;

/// Whether vectors of the type are loaded and stored as they are computed.
static bool isPlain(Type type) {
  return type.isIntOrFloat() && !type.isInteger(1) &&
         llvm::isPowerOf2_32(type.getIntOrFloatBitWidth()) &&
         type.getIntOrFloatBitWidth() >= 8;
}

ContractTail::ContractTail(OpBuilder &builder, Location loc,
                           const ContractShape &shape, Block &body)
    : RowKernelBase(builder, loc, body.getTerminator()->getNumOperands()),
      shape(shape), body(body), vectors(shape.tile.vectors) {
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      operations.push_back(&op);
  isOfVectors =
      llvm::all_of(operations, canCloneAsVectors) &&
      llvm::all_of(body.getArgumentTypes(), isPlain) &&
      llvm::all_of(body.getTerminator()->getOperands(), [](Value value) {
        return isPlain(value.getType()) &&
               (!value.getDefiningOp() ||
                canCloneAsVectors(value.getDefiningOp()));
      });
  isLight = countExpanded(operations) <= kLightBody;
}

LLVM::LLVMFuncOp ContractTail::beginTile(StringRef name) {
  MLIRContext *context = b.getContext();
  auto func = LLVM::LLVMFuncOp::create(
      b, loc, name, getAbiSignature(context, abi::ContractKernel),
      LLVM::Linkage::Internal);
  func.setPassthroughAttr(b.getStrArrayAttr({kVectorsAttribute}));
  Block *entry = func.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Type tile = getAbiStruct<abi::Tile>(context);
  for (auto [i, info] : llvm::enumerate(ArrayRef(abi::Tile::kFields))) {
    Value at = LLVM::GEPOp::create(b, loc, ptr, tile, entry->getArgument(0),
                                   ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    fields.push_back(LLVM::LoadOp::create(
        b, loc, info.type == abi::Pointer ? ptr : i64, at));
  }
  size_t count =
      body.getNumArguments() - 1 + body.getTerminator()->getNumOperands();
  bases = loadPointers(b, loc, field(abi::Tile::bases), count);
  for (size_t i = 0; i < count; ++i)
    steps.push_back(loadNumber(field(abi::Tile::strides), i));
  if (!isOfVectors || !isLight)
    memory = LLVM::AllocaOp::create(b, loc, ptr, sumType(),
                                    constant(kMostSums * shape.tile.lanes),
                                    /*alignment=*/64);
  return func;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SmallVector<Value>
ContractTail::choose(Value condition, ValueRange values,
                     llvm::function_ref<SmallVector<Value>()> yes,
                     llvm::function_ref<SmallVector<Value>()> no) {
  Block *before = b.getInsertionBlock();
  Region *region = before->getParent();
  Block *first = b.createBlock(region), *second = b.createBlock(region);
  SmallVector<Location> locations(values.size(), loc);
  Block *exit =
      b.createBlock(region, region->end(), values.getTypes(), locations);
  b.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(b, loc, condition, first, second);
  for (auto [block, make] : {std::pair(first, yes), std::pair(second, no)}) {
    b.setInsertionPointToStart(block);
    LLVM::BrOp::create(b, loc, make(), exit);
  }
  b.setInsertionPointToStart(exit);
  return llvm::to_vector_of<Value>(exit->getArguments());
}

void ContractTail::branch(Value condition, llvm::function_ref<void()> yes,
                          llvm::function_ref<void()> no) {
  auto without = [](llvm::function_ref<void()> make) {
    return [make] {
      make();
      return SmallVector<Value>();
    };
  };
  choose(condition, {}, without(yes), without(no));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

SmallVector<Value> ContractTail::makeMasks(Value count) {
  channels = count;
  SmallVector<Value> masks;
  for (int64_t v = 0; v < vectors; ++v)
    masks.push_back(makeMask(constant(v * shape.tile.lanes)));
  return masks;
}

int64_t ContractTail::knownLanes(int64_t vector) const {
  auto known = channels.getDefiningOp<LLVM::ConstantOp>();
  if (!known)
    return 0;
  int64_t count = cast<IntegerAttr>(known.getValue()).getInt();
  return std::clamp<int64_t>(count - vector * shape.tile.lanes, 0,
                             shape.tile.lanes);
}

Value ContractTail::makeMask(Value first) {
  Value left = LLVM::SubOp::create(b, loc, channels, first);
  return compare(LLVM::ICmpPredicate::slt, laneNumbers(shape.tile.lanes),
                 splat(left, shape.tile.lanes));
}

void ContractTail::applyScopes(LLVM::LoadOp load, bool isResult) const {
  if (isResult)
    scopes.applyToLoad(load, 0);
  else
    scopes.applyToLoad(load);
}

Value ContractTail::loadScalar(Type type, Value base, Value offset,
                               bool isResult) {
  Type storage = getStorageType(type);
  auto load = LLVM::LoadOp::create(
      b, loc, storage, element(storage, base, offset), getStorageBytes(type));
  applyScopes(load, isResult);
  return fromStorage(b, loc, load, type);
}

Value ContractTail::loadSplat(Type type, Value base, Value offset,
                              bool isResult) {
  // Loads the bits, because operations of the LLVM dialect do not take bf16.
  Type storage = getStorageType(type);
  Value bits = loadScalar(storage, base, offset, isResult);
  return fromStorageVector(splat(bits, shape.tile.lanes), type);
}

Value ContractTail::loadVector(Type type, Value base, Value offset, Value mask,
                               bool isResult) {
  Type storage = getStorageType(type);
  Type vector = vectorOf(storage);
  Value from = element(storage, base, offset);
  unsigned bytes = getStorageBytes(type);
  if (mask) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    return fromStorageVector(
        LLVM::MaskedLoadOp::create(b, loc, vector, from, mask, zero, bytes),
        type);
  }
  auto load = LLVM::LoadOp::create(b, loc, vector, from, bytes);
  applyScopes(load, isResult);
  return fromStorageVector(load, type);
}

void ContractTail::storeVector(Value value, Value base, Value offset,
                               Value mask, size_t result, int64_t known) {
  value = toStorage(b, loc, value);
  Type storage = getElementTypeOrSelf(value.getType());
  Value to = element(storage, base, offset);
  unsigned bytes = getStorageBytes(storage);
  if (mask && known) {
    value = LLVM::ShuffleVectorOp::create(
        b, loc, value, value, llvm::to_vector(llvm::seq<int32_t>(0, known)));
    mask = {};
  }
  if (mask) {
    LLVM::MaskedStoreOp::create(b, loc, value, to, mask, bytes);
    return;
  }
  auto store = LLVM::StoreOp::create(b, loc, value, to, bytes);
  scopes.applyToStore(store, result);
}

Value ContractTail::offsetOf(size_t tensor, Value row, Value channel) {
  if (tensor >= shape.operands.size())
    return add(multiply(row, steps[tensor]), channel);
  auto [hasOneChannel, hasOneRow, isResult] = shape.operands[tensor];
  Value offset = hasOneRow ? constant(0) : multiply(row, steps[tensor]);
  return hasOneChannel ? offset : add(offset, channel);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void ContractTail::storeResults(ArrayRef<Value> sums, int64_t rows, Value first,
                                Value channel, ArrayRef<Value> masks) {
  if (!isOfVectors)
    return storeElements(sums, rows, first, channel, masks);
  if (!isLight)
    return storeVectorsInLoop(sums, rows, first, channel, masks);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t v = 0; v < vectors; ++v)
      storeVectors(sums[row * vectors + v], add(first, constant(row)),
                   add(channel, constant(v * shape.tile.lanes)),
                   masks.empty() ? Value() : masks[v],
                   masks.empty() ? 0 : knownLanes(v));
}

Value ContractTail::addressAhead(Type type, Value base, Value index) {
  return LLVM::GEPOp::create(b, loc, ptr, type, base,
                             ArrayRef<LLVM::GEPArg>{index});
}

void ContractTail::prefetchTensors(int64_t rows, Value first, Value channel) {
  // A tile of few steps takes less time than memory takes to answer.
  constexpr int64_t kLine = 64, kTilesAhead = 3;
  auto prefetch = [&](size_t tensor, Type type, bool isWritten) {
    Type storage = getStorageType(type);
    int64_t bytes = width() * getStorageBytes(type);
    for (int64_t row = 0; row < rows; ++row) {
      Value next = add(first, constant(kTilesAhead * rows + row));
      Value from =
          addressAhead(storage, bases[tensor], offsetOf(tensor, next, channel));
      for (int64_t at = 0; at < bytes; at += kLine) {
        Value line = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), from,
                                         ArrayRef<LLVM::GEPArg>{int32_t(at)});
        LLVM::Prefetch::create(b, loc, line, /*rw=*/isWritten, /*hint=*/3,
                               /*cache=*/1);
      }
    }
  };
  size_t numOperands = shape.operands.size();
  for (auto [i, operand] : llvm::enumerate(shape.operands))
    if (!operand.hasOneRow && !operand.hasOneChannel && !operand.isResult)
      prefetch(i, body.getArgument(1 + i).getType(), /*isWritten=*/false);
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    prefetch(numOperands + i, value.getType(), /*isWritten=*/true);
}

void ContractTail::storeVectors(Value sums, Value row, Value channel,
                                Value mask, int64_t known) {
  size_t numOperands = shape.operands.size();
  IRMapping mapping;
  mapping.map(body.getArgument(0), sums);
  for (size_t i = 0; i < numOperands; ++i) {
    Type type = body.getArgument(1 + i).getType();
    Value offset = offsetOf(i, row, channel);
    const TailOperand &operand = shape.operands[i];
    mapping.map(
        body.getArgument(1 + i),
        operand.hasOneChannel
            ? loadSplat(type, bases[i], offset, operand.isResult)
            : loadVector(type, bases[i], offset, mask, operand.isResult));
  }
  for (Operation *op : operations)
    cloneAsVectors(b, op, shape.tile.lanes, mapping);
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    if (!mapping.contains(value))
      cloneAsVectors(b, value.getDefiningOp(), shape.tile.lanes, mapping);
    storeVector(mapping.lookup(value), bases[numOperands + i],
                offsetOf(numOperands + i, row, channel), mask, i, known);
  }
}

void ContractTail::storeSums(ArrayRef<Value> sums) {
  for (auto [i, sum] : llvm::enumerate(sums))
    LLVM::StoreOp::create(
        b, loc, sum, element(sumType(), memory, constant(i * shape.tile.lanes)),
        getStorageBytes(sumType()));
}

void ContractTail::storeVectorsInLoop(ArrayRef<Value> sums, int64_t rows,
                                      Value first, Value channel,
                                      ArrayRef<Value> masks) {
  storeSums(sums);
  int64_t lanes = shape.tile.lanes;
  // Rows are innermost: a full vector that is the same for all rows is loaded
  // once.
  loop(constant(0), constant(width()), constant(lanes), {},
       [&](Value at, ValueRange) {
         Value mask = masks.empty() ? Value() : makeMask(at);
         loop(constant(0), constant(rows), constant(1), {},
              [&](Value row, ValueRange) {
                Value offset = add(multiply(row, constant(width())), at);
                Value own =
                    LLVM::LoadOp::create(b, loc, vectorOf(sumType()),
                                         element(sumType(), memory, offset),
                                         getStorageBytes(sumType()));
                storeVectors(own, add(first, row), add(channel, at), mask);
                return SmallVector<Value>();
              });
         return SmallVector<Value>();
       });
}

void ContractTail::storeElements(ArrayRef<Value> sums, int64_t rows,
                                 Value first, Value channel,
                                 ArrayRef<Value> masks) {
  size_t numOperands = shape.operands.size();
  int64_t panel = width();
  storeSums(sums);
  // More channels may remain than the tile has.
  Value count = constant(panel);
  if (!masks.empty())
    count = LLVM::SMinOp::create(b, loc, channels, count);
  loop(constant(0), constant(rows), constant(1), {},
       [&](Value row, ValueRange) {
         loop(constant(0), count, constant(1), {}, [&](Value lane, ValueRange) {
           Value at = add(multiply(row, constant(panel)), lane);
           Value own = add(first, row), ownChannel = add(channel, lane);
           IRMapping mapping;
           mapping.map(body.getArgument(0),
                       LLVM::LoadOp::create(b, loc, sumType(),
                                            element(sumType(), memory, at)));
           for (size_t i = 0; i < numOperands; ++i)
             mapping.map(body.getArgument(1 + i),
                         loadScalar(body.getArgument(1 + i).getType(), bases[i],
                                    offsetOf(i, own, ownChannel),
                                    shape.operands[i].isResult));
           cloneOperations(b, operations, mapping);
           storeScalars(mapping, own, ownChannel);
           return SmallVector<Value>();
         });
         return SmallVector<Value>();
       });
}

void ContractTail::storeScalars(IRMapping &mapping, Value row, Value channel) {
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    if (!mapping.contains(value))
      b.clone(*value.getDefiningOp(), mapping);
    Value stored = toStorage(b, loc, mapping.lookup(value));
    size_t tensor = shape.operands.size() + i;
    auto store = LLVM::StoreOp::create(b, loc, stored,
                                       element(stored.getType(), bases[tensor],
                                               offsetOf(tensor, row, channel)),
                                       getStorageBytes(value.getType()));
    scopes.applyToStore(store, i);
  }
}
