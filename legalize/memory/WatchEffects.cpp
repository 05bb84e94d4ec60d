//===- WatchEffects.cpp - holds libraries to what they declare ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/WatchEffects.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryViews.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "legalize/memory/MemoryAccess.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Memory of the same extents, row-major.
static Value allocateLike(OpBuilder &b, Location loc, Value memory,
                          Type element) {
  return memref::AllocOp::create(b, loc, memref::getMixedSizes(b, loc, memory),
                                 element);
}

/// Loops over all elements.
static void forEach(OpBuilder &b, Location loc, Value memory,
                    llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> lower, upper, steps;
  for (int64_t axis :
       llvm::seq<int64_t>(0, cast<MemRefType>(memory.getType()).getRank())) {
    lower.push_back(zero);
    upper.push_back(memref::DimOp::create(b, loc, memory, axis));
    steps.push_back(one);
  }
  scf::buildLoopNest(b, loc, lower, upper, steps,
                     [&](OpBuilder &inner, Location, ValueRange indices) {
                       body(inner, indices);
                     });
}

/// The bits of an element, so that NaNs and zeros of both signs are told apart.
static Value asBits(OpBuilder &b, Location loc, Value element) {
  Type type = element.getType();
  if (!isa<FloatType>(type))
    return element;
  return arith::BitcastOp::create(
      b, loc, b.getIntegerType(type.getIntOrFloatBitWidth()), element);
}

WatchEffects::WatchEffects(func::FuncOp func) : func(func) {
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(&func.getBody().front());
  Location loc = func.getLoc();
  for (Value argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    Watched &watched = arguments[argument];
    watched.before = allocateLike(b, loc, argument, type.getElementType());
    memref::CopyOp::create(b, loc, argument, watched.before);
    watched.marks = allocateLike(b, loc, argument, b.getI1Type());
    Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
    forEach(b, loc, watched.marks, [&](OpBuilder &inner, ValueRange indices) {
      memref::StoreOp::create(inner, loc, no, watched.marks, indices);
    });
  }
}

LogicalResult WatchEffects::mark(Operation *store) {
  MemoryAccess access = MemoryAccess::get(store);
  auto it = arguments.find(access.memory);
  if (it == arguments.end())
    return store->emitError("'")
           << store->getName() << "' is about a view, and with --check-effects "
           << "the effects of '@" << func.getName()
           << "' store to arguments alone";
  OpBuilder b(store->getContext());
  b.setInsertionPointAfter(store);
  Location loc = store->getLoc();
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  if (isa<memref::StoreOp>(store))
    memref::StoreOp::create(b, loc, yes, it->second.marks, access.operands);
  else
    affine::AffineStoreOp::create(b, loc, yes, it->second.marks, access.map,
                                  access.operands);
  return success();
}

void WatchEffects::compare(Operation *call) {
  OpBuilder b(call->getContext());
  b.setInsertionPointAfter(call);
  Location loc = call->getLoc();
  for (auto &entry : arguments) {
    Value argument = entry.first;
    const Watched &watched = entry.second;
    auto type = cast<MemRefType>(argument.getType());
    std::string element;
    for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
      element += (axis ? ", {" : "{") + std::to_string(axis) + "}";
    std::string message =
        "it wrote element [" + element + "] of " +
        escapeTemplate(infer::describeMemory(argument)) +
        ", which its effects do not declare; what was there is lost";
    forEach(b, loc, argument, [&](OpBuilder &inner, ValueRange indices) {
      auto load = [&](Value memory) -> Value {
        return memref::LoadOp::create(inner, loc, memory, indices);
      };
      Value may = load(watched.marks);
      Value same =
          arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq,
                                asBits(inner, loc, load(watched.before)),
                                asBits(inner, loc, load(argument)));
      Value good = arith::OrIOp::create(inner, loc, may, same);
      loom::RequireOp::create(
          inner, loc, good, inner.getStringAttr(func.getName()),
          inner.getStringAttr(message), inner.getI64IntegerAttr(-1), indices);
    });
    memref::DeallocOp::create(b, loc, watched.before);
    memref::DeallocOp::create(b, loc, watched.marks);
  }
}
