//===- UntangleMaps.cpp - values that hold on to maps ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/fuse/UntangleMaps.h"

#include "dialect/LoomDialect.h"
#include "lower/fuse/FusedMap.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::MapOp;

/// The result of a ranked map through casts that only change static shape
/// information.
static Value lookThroughCasts(Value value) {
  Value source = value;
  while (auto cast = source.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getType()) ||
        !isa<RankedTensorType>(cast.getSource().getType()))
      break;
    source = cast.getSource();
  }
  return source.getDefiningOp<MapOp>() ? source : value;
}

namespace {
/// Removes operations between maps: maps read the uncast results of maps, and
/// shapes of maps come from their operands.
class Untangler {
public:
  void run(Block &block) {
    for (Operation &op : block)
      if (auto map = dyn_cast<MapOp>(op))
        uncast(map);
    for (Operation &op : llvm::reverse(block))
      if (auto map = dyn_cast<MapOp>(op))
        want(map);
    for (MapOp map : llvm::reverse(maps))
      give(map);
  }

private:
  void uncast(MapOp map) {
    for (OpOperand &operand : map->getOpOperands()) {
      Value before = operand.get();
      Value source = lookThroughCasts(before);
      if (source == before)
        continue;
      operand.set(source);
      // Casts in unreachable code may contradict the map.
      if (isRefutedByTypes(map.getInputs(), map.getResult(0).getType()))
        operand.set(before);
    }
  }

  /// Records whether an operation needs the shape of the map.
  void want(MapOp map) {
    bool needed = wanted.contains(map) ||
                  llvm::any_of(map->getUsers(), [](Operation *user) {
                    return isa<loom::ShapeOfOp>(user);
                  });
    if (!needed)
      return;
    maps.push_back(map);
    for (Value operand : map.getShapedInputs())
      if (auto producer = operand.getDefiningOp<MapOp>())
        wanted.insert(producer);
  }

  void give(MapOp map) {
    SmallVector<Value> operands = map.getShapedInputs();
    if (operands.empty())
      return;
    OpBuilder builder(map->getContext());
    builder.setInsertionPointAfter(map);
    SmallVector<Value> operandShapes;
    for (Value operand : operands) {
      Value &shape = shapes[operand];
      if (!shape)
        shape = loom::ShapeOfOp::create(
            builder, map.getLoc(),
            loom::ShapeType::get(builder.getContext(),
                                 cast<ShapedType>(operand.getType())),
            operand);
      operandShapes.push_back(shape);
    }
    for (Value result : map.getResults())
      shapes[result] = loom::BroadcastOp::create(
          builder, map.getLoc(),
          loom::ShapeType::get(builder.getContext(),
                               cast<ShapedType>(result.getType())),
          operandShapes);
    for (Operation *user : llvm::make_early_inc_range(map->getUsers()))
      if (auto shapeOf = dyn_cast<loom::ShapeOfOp>(user)) {
        shapeOf.replaceAllUsesWith(shapes.lookup(shapeOf.getTensor()));
        shapeOf.erase();
      }
  }

  llvm::DenseSet<Operation *> wanted;
  // The maps of the block whose shapes are needed, last first.
  SmallVector<MapOp> maps;
  // Shapes in the block, after the map that needed them first.
  llvm::DenseMap<Value, Value> shapes;
};
} // namespace

void lower::untangleMaps(Block &block) { Untangler().run(block); }
