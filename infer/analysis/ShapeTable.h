//===- ShapeTable.h - constructions of shapes -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interns the constructions of shapes: each is the shape of a value or the
// broadcast of other ones. The table only grows; the facts that hold at one
// operation are kept apart (ShapeFacts.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SHAPETABLE_H
#define BROADLOOM_INFER_ANALYSIS_SHAPETABLE_H

#include "shape/Shape.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace broadloom::infer {

/// Number of a shape's construction in its ShapeTable.
using NodeId = unsigned;

/// The construction of a shape, by which it can be made again at an earlier
/// point: the shape of `value` (a tensor or a `!loom.shape`), or, if that is
/// null, the broadcast of `operands`, which have smaller numbers.
struct ShapeNode {
  mlir::Value value;
  llvm::SmallVector<NodeId, 2> operands;
};

/// A shape and its construction.
struct ShapeInfo {
  NodeId node = 0;
  Shape shape;
};

class ShapeTable {
public:
  const ShapeNode &getNode(NodeId node) const { return nodes[node]; }
  NodeId addValue(mlir::Value value);
  /// The broadcast of shapes, the same for the same shapes in any order.
  NodeId getBroadcast(llvm::ArrayRef<ShapeInfo> operands);
  /// Says that `to` takes the place of `from` in a node.
  void replace(NodeId node, mlir::Value from, mlir::Value to);

  /// The operands of a broadcast, with nested broadcasts flattened unless there
  /// are too many leaves; sorted, without repeats.
  std::vector<NodeId> getLeaves(llvm::ArrayRef<NodeId> nodes) const;

private:
  std::vector<ShapeNode> nodes;
  std::map<std::vector<NodeId>, NodeId> broadcasts;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SHAPETABLE_H
