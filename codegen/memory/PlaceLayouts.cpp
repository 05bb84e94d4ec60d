//===- PlaceLayouts.cpp - accesses by layouts that are maps ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices have been checked against the extents of the type. Here they become
// places, and the memory gets the shape of the places (dialect/MemoryLayouts).
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/PlaceLayouts.h"

#include "dialect/MemoryLayouts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

static SmallVector<Value> computePlace(Operation *op, MemRefType type,
                                       ValueRange indices) {
  OpBuilder builder(op);
  AffineMap map = cast<AffineMapAttr>(type.getLayout()).getValue();
  return llvm::map_to_vector(
      llvm::seq<unsigned>(map.getNumResults()), [&](unsigned axis) -> Value {
        return affine::AffineApplyOp::create(builder, op->getLoc(),
                                             map.getSubMap({axis}), indices);
      });
}

static void place(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  for (Operation *user : llvm::to_vector(memory.getUsers())) {
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      load.getIndicesMutable().assign(
          computePlace(load, type, load.getIndices()));
    } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
      store.getIndicesMutable().assign(
          computePlace(store, type, store.getIndices()));
    } else if (auto dim = dyn_cast<memref::DimOp>(user)) {
      // Its axis has been checked.
      OpBuilder builder(dim);
      Value extent = arith::ConstantIndexOp::create(builder, dim.getLoc(), 0);
      for (auto [axis, known] : llvm::enumerate(type.getShape())) {
        Value number =
            arith::ConstantIndexOp::create(builder, dim.getLoc(), axis);
        Value isAxis = arith::CmpIOp::create(builder, dim.getLoc(),
                                             arith::CmpIPredicate::eq,
                                             dim.getIndex(), number);
        Value is = arith::ConstantIndexOp::create(builder, dim.getLoc(), known);
        extent =
            arith::SelectOp::create(builder, dim.getLoc(), isAxis, is, extent);
      }
      dim.replaceAllUsesWith(extent);
      dim.erase();
    }
  }
  memory.setType(loom::getPlaces(type));
}

void codegen::placeLayouts(func::FuncOp func) {
  SmallVector<Value> tiled;
  func.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op) &&
        loom::isTiled(op->getResult(0).getType()))
      tiled.push_back(op->getResult(0));
  });
  llvm::for_each(tiled, place);
}
