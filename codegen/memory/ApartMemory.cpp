//===- ApartMemory.cpp - memory that does not overlap ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ApartMemory.h"

#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

Value codegen::getAccessedMemory(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getMemRef();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getMemRef();
  return nullptr;
}

Value codegen::getBase(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::SubViewOp>(op) ||
        !isa<MemRefType>(op->getOperand(0).getType()))
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

namespace {

/// Computes with the addresses of memrefs.
class Addresses {
public:
  Addresses(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value areApart(const NestMemory &memory) {
    SmallVector<Range> ranges;
    for (auto &[memref, isWritten] : memory)
      ranges.push_back(getRange(memref));
    auto isUpTo = [&](Value x, Value y) {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, x, y);
    };
    auto isWritten = [&](size_t number) {
      return memory.begin()[number].second;
    };
    Value all;
    for (size_t i = 0; i < ranges.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (isWritten(i) || isWritten(j)) {
          Value apart =
              make<arith::OrIOp>(isUpTo(ranges[i].end, ranges[j].begin),
                                 isUpTo(ranges[j].end, ranges[i].begin));
          all = all ? make<arith::AndIOp>(all, apart) : apart;
        }
    return all;
  }

  /// Each axis that has several elements steps over all elements of the axes
  /// inside of it: of the order of the axes, or of the opposite one.
  Value isInjective(Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    if (type.getLayout().isIdentity() || type.getRank() == 0)
      return nullptr;
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
    SmallVector<Value> extents, strides;
    for (auto [extent, stride] :
         llvm::zip_equal(metadata.getConstifiedMixedSizes(),
                         metadata.getConstifiedMixedStrides())) {
      extents.push_back(getIndex(extent));
      Value value = getIndex(stride), zero = getNumber(0);
      strides.push_back(
          make<arith::MaxSIOp>(value, make<arith::SubIOp>(zero, value)));
    }
    auto steps = [&](auto axes) {
      Value reach = getNumber(0), all;
      for (int64_t axis : axes) {
        Value one = getNumber(1);
        Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                            extents[axis], one);
        Value isOver = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                             strides[axis], reach);
        Value fine = make<arith::OrIOp>(isOne, isOver);
        all = all ? make<arith::AndIOp>(all, fine) : fine;
        Value distance = make<arith::MulIOp>(
            make<arith::SubIOp>(extents[axis], one), strides[axis]);
        reach = make<arith::AddIOp>(
            reach, make<arith::MaxSIOp>(distance, getNumber(0)));
      }
      return all;
    };
    auto axes = llvm::seq<int64_t>(0, type.getRank());
    Value inOrder = steps(llvm::reverse(axes));
    return type.getRank() == 1 ? inOrder
                               : make<arith::OrIOp>(inOrder, steps(axes));
  }

private:
  struct Range {
    Value begin, end;
  };

  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getIndex(OpFoldResult number) {
    if (auto value = dyn_cast<Value>(number))
      return value;
    return arith::ConstantIndexOp::create(b, loc, *getConstantIntValue(number));
  }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }

  /// The addresses of the elements. If there are none, any addresses will do.
  Range getRange(Value base) {
    auto type = cast<MemRefType>(base.getType());
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, base);
    Value bytes = getNumber(getStorageBytes(type.getElementType()));
    if (type.getLayout().isIdentity()) {
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        bytes = make<arith::MulIOp>(
            b.createOrFold<memref::DimOp>(loc, base, axis), bytes);
      return {address, make<arith::AddIOp>(address, bytes)};
    }
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, base);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0),
          one = arith::ConstantIndexOp::create(b, loc, 1);
    Value first = getIndex(metadata.getConstifiedMixedOffset()), last = first;
    SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
    for (auto [extent, stride] :
         llvm::zip_equal(metadata.getConstifiedMixedSizes(), strides)) {
      Value distance = make<arith::MulIOp>(
          make<arith::SubIOp>(getIndex(extent), one), getIndex(stride));
      std::optional<int64_t> known = getConstantIntValue(stride);
      if (known && *known >= 0) {
        last = make<arith::AddIOp>(last, distance);
        continue;
      }
      first = make<arith::AddIOp>(first, make<arith::MinSIOp>(distance, zero));
      last = make<arith::AddIOp>(last, make<arith::MaxSIOp>(distance, zero));
    }
    auto getAddress = [&](Value element) {
      return make<arith::AddIOp>(address, make<arith::MulIOp>(element, bytes));
    };
    return {getAddress(first), getAddress(make<arith::AddIOp>(last, one))};
  }

  OpBuilder &b;
  Location loc;
};

} // namespace

Value codegen::computeApart(OpBuilder &b, Location loc,
                            const NestMemory &memory) {
  return Addresses(b, loc).areApart(memory);
}

Value codegen::computeInjective(OpBuilder &b, Location loc, Value memref) {
  return Addresses(b, loc).isInjective(memref);
}

void codegen::markApart(Operation *nest, const NestMemory &memory,
                        llvm::function_ref<Value(Value)> getMemref) {
  OpBuilder b(nest);
  MLIRContext *context = b.getContext();
  auto domain = LLVM::AliasScopeDomainAttr::get(context);
  SmallVector<Attribute> scopes;
  llvm::DenseMap<Value, size_t> numbers;
  for (auto &[memref, isWritten] : memory) {
    numbers[memref] = scopes.size();
    auto scope = LLVM::AliasScopeAttr::get(domain);
    LLVM::NoAliasScopeDeclOp::create(b, nest->getLoc(), scope);
    scopes.push_back(scope);
  }
  auto isWritten = [&](size_t number) { return memory.begin()[number].second; };
  nest->walk([&](Operation *op) {
    Value accessed = getAccessedMemory(op);
    auto it = accessed ? numbers.find(getMemref(accessed)) : numbers.end();
    if (it == numbers.end())
      return;
    size_t number = it->second;
    SmallVector<Attribute> others;
    for (size_t i = 0; i < scopes.size(); ++i)
      if (i != number && (isWritten(i) || isWritten(number)))
        others.push_back(scopes[i]);
    op->setAttr(kAliasScopes, ArrayAttr::get(context, scopes[number]));
    op->setAttr(kNoAlias, ArrayAttr::get(context, others));
  });
}
