//===- ShortRowBuffers.cpp - what short rows keep between stages ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ShortRowBuffers.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

/// Calls `use` for each value that is read or computed.
template <typename Use>
static void forValues(const RowPartition &partition, Use use) {
  for (const RowStage &stage : partition.stages) {
    for (Value input : stage.inputs)
      if (isa<BlockArgument>(input))
        use(input);
    for (Value output : stage.outputs)
      use(output);
    for (ReduceOp reduce : stage.reductions)
      use(reduce.getResult());
  }
}

LLVM::LLVMFuncOp ShortRowBuffers::beginFunction(StringRef name) {
  LLVM::LLVMFuncOp func =
      begin(abi::ShortRowsKernel, name, numbers.size(), numbers.size());
  zero = constant(0);
  wide = constant(kLanes);
  return func;
}

void ShortRowBuffers::allocateBuffers() {
  auto allocate = [&](Type type, int64_t elements) {
    return LLVM::AllocaOp::create(b, loc, ptr, getStorageType(type),
                                  constant(elements), /*alignment=*/64);
  };
  forValues(partition, [&](Value value) {
    if (isPerRow(value) && !perRow.contains(value))
      perRow[value] = allocate(value.getType(), kRows);
    if (auto reduce = value.getDefiningOp<ReduceOp>()) {
      partials[value] = allocate(value.getType(), (kNeutral + 1) * kLanes);
      // Missing rows are combined too; their results are not used.
      Value neutral = splat(reduce.getNeutral());
      loop(zero, constant(kNeutral + 1), constant(1), {},
           [&](Value row, ValueRange) {
             storeVector(neutral, partialsOf(reduce, row));
             return SmallVector<Value>();
           });
    }
  });
}

static VectorType vectorOf(Type element, int64_t lanes) {
  return VectorType::get({lanes}, element);
}

Value ShortRowBuffers::splat(TypedAttr value) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(vectorOf(value.getType(), kLanes),
                             Attribute(value)));
}

Value ShortRowBuffers::loadVector(Type type, Value from, Value mask) {
  Type stored = vectorOf(getStorageType(type), kLanes);
  unsigned bytes = getStorageBytes(type);
  Value value;
  if (mask)
    value = LLVM::MaskedLoadOp::create(
        b, loc, stored, from, mask,
        LLVM::ZeroOp::create(b, loc, stored).getResult(),
        b.getI32IntegerAttr(bytes), UnitAttr());
  else
    value = LLVM::LoadOp::create(b, loc, stored, from, bytes);
  return fromStorageVector(value, type);
}

void ShortRowBuffers::storeVector(Value value, Value to, Value mask) {
  unsigned bytes =
      getStorageBytes(cast<VectorType>(value.getType()).getElementType());
  value = toStorage(b, loc, value);
  if (mask)
    LLVM::MaskedStoreOp::create(b, loc, value, to, mask, bytes);
  else
    LLVM::StoreOp::create(b, loc, value, to, bytes);
}

void ShortRowBuffers::storeFirst(Value value, Value to, Value count) {
  value = toStorage(b, loc, value);
  Type type = cast<VectorType>(value.getType()).getElementType();
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    auto take = [&](int64_t from) -> Value {
      return LLVM::ShuffleVectorOp::create(
          b, loc, value, value,
          llvm::to_vector(llvm::seq<int32_t>(from, from + half)));
    };
    Value low = take(0), high = take(half);
    Value size = LLVM::AndOp::create(b, loc, count, constant(half));
    value = loop(zero, size, constant(half), low, [&](Value, ValueRange) {
              LLVM::StoreOp::create(b, loc, low, to, getStorageBytes(type));
              return SmallVector<Value>{high};
            }).front();
    to = element(type, to, size);
  }
}

void ShortRowBuffers::copyPerRow(Value value, Value first, Value count,
                                 bool toMemory) {
  Type type = getStorageType(value.getType());
  unsigned bytes = getStorageBytes(value.getType());
  int32_t id = numbers.lookup(value);
  loop(zero, count, constant(1), {}, [&](Value row, ValueRange) {
    Value memory =
        element(type, bases[id], multiply(add(first, row), steps[id]));
    Value buffer = element(type, perRow[value], row);
    Value moved =
        LLVM::LoadOp::create(b, loc, type, toMemory ? buffer : memory, bytes);
    LLVM::StoreOp::create(b, loc, moved, toMemory ? memory : buffer, bytes);
    return SmallVector<Value>();
  });
}

Value ShortRowBuffers::partialsOf(ReduceOp reduce, Value row) {
  return element(getStorageType(reduce.getType()), partials[reduce.getResult()],
                 multiply(row, wide));
}

/// Combines four vectors to one, twice.
void ShortRowBuffers::finish(ReduceOp reduce) {
  static_assert(kRows == 16 && kLanes == 16);
  auto combine = [&](Value from, int64_t size) {
    SmallVector<Value> vectors;
    for (int64_t i = 0; i < 4; ++i)
      vectors.push_back(loadVector(reduce.getType(),
                                   partialsOf(reduce, add(from, constant(i)))));
    return combineFour(b, loc, reduce, vectors, size);
  };
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(combine(constant(4 * i), 16));
  storeVector(combineFour(b, loc, reduce, parts, 4),
              perRow[reduce.getResult()]);
}
