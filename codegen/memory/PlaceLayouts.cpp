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

#include "codegen/memory/PlaceSets.h"
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

/// Such types become the same type in all functions, so that calls, branches
/// and loops pass the memory on as it is.
void codegen::placeLayouts(func::FuncOp func) {
  SmallVector<Value> tiled;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (loom::isTiled(value.getType()))
        tiled.push_back(value);
  };
  func.walk([&](Operation *op) {
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  SetPlacer sets(func);
  for (Value memory : tiled)
    if (loom::getSetShape(memory.getType()))
      sets.place(memory);
    else
      place(memory);
  auto placeAll = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type type) -> Type {
      return loom::isTiled(type) ? loom::getPlaces(cast<MemRefType>(type))
                                 : type;
    });
  };
  FunctionType type = func.getFunctionType();
  func.setType(FunctionType::get(func.getContext(), placeAll(type.getInputs()),
                                 placeAll(type.getResults())));
}
