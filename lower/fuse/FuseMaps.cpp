//===- FuseMaps.cpp - maps that feed maps become one map ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/analysis/SameShapes.h"
#include "infer/analysis/ShapeWalk.h"
#include "lower/fuse/FusedMap.h"
#include "lower/fuse/Passes.h"
#include "lower/fuse/UntangleMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFUSEMAPS
#include "lower/fuse/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::lower;
using loom::MapOp;

namespace {

//===----------------------------------------------------------------------===//
// What fusion needs to know
//===----------------------------------------------------------------------===//

/// The first walk over the function: it compares shapes at each map with
/// exactly the facts that hold there.
class MapVisitor : public infer::ShapeWalk::Visitor {
public:
  MapVisitor(ShapeAnalysis &analysis, SameShapes &sameShapes)
      : Visitor(analysis), sameShapes(sameShapes) {}

private:
  void visit(Operation *op, bool) override {
    // Guards will check constraints before any map that relies on them.
    simulate(op);
    if (auto map = dyn_cast<MapOp>(op))
      sameShapes.record(map, analysis);
  }

  SameShapes &sameShapes;
};

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Maps that are fused to one. The first member is the root: the last in the
/// text, where the fused map stands.
struct Cluster {
  SmallVector<MapOp, 4> members;
  /// The operands of the fused map, as far as they are known.
  llvm::SmallDenseSet<Value, 8> operands;
  /// The shape of the results, merged from types.
  Type shape;
};

/// Fuses the maps of one block, users before producers.
///
/// Every cluster stands at its root, and a map joins only if its other users
/// come after that root, so that definitions precede uses in the order of
/// roots.
class BlockFuser {
public:
  BlockFuser(Block &block, const SameShapes &sameShapes)
      : block(block), sameShapes(sameShapes) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (auto map = dyn_cast<MapOp>(op))
        assign(map);
      else if (isa<loom::ShapeOfOp, loom::BroadcastOp, tensor::CastOp>(op) &&
               op.use_empty())
        // It has no users, and would keep its operand alive.
        op.erase();
    }
    for (auto &cluster : clusters)
      if (cluster->members.size() > 1)
        buildFusedMap(cluster->members, cluster->shape);
  }

private:
  struct Membership {
    Cluster *cluster = nullptr;
    /// Whether the map is proved to have the root's shape.
    bool rootShape = false;
    /// If its results become results of the cluster, the cluster's new shape.
    Type shape;
  };

  void assign(MapOp map) {
    if (map.use_empty()) {
      map.erase();
      return;
    }
    Membership membership = findCluster(map);
    if (!membership.cluster) {
      clusters.push_back(std::make_unique<Cluster>());
      membership = {clusters.back().get(), /*rootShape=*/true,
                    map.getResult(0).getType()};
    }
    Cluster &cluster = *membership.cluster;
    if (membership.shape)
      cluster.shape = membership.shape;
    for (Value result : map.getResults())
      cluster.operands.erase(result);
    cluster.operands.insert(map.getInputs().begin(), map.getInputs().end());
    cluster.members.push_back(map);
    memberships[map] = membership;
  }

  /// The cluster that a map may join, if any: that of its first user.
  Membership findCluster(MapOp map) {
    Operation *first = nullptr;
    for (Operation *user : map->getUsers()) {
      Operation *point = getInsertionPoint(user);
      // A null point is a use in a later block.
      if (point && (!first || point->isBeforeInBlock(first)))
        first = point;
    }
    auto root = dyn_cast_if_present<MapOp>(first);
    if (!root)
      return {};
    Cluster *cluster = memberships.lookup(root).cluster;
    bool internal = true, rootShape = false;
    for (OpOperand &use : map->getUses()) {
      Membership user = memberships.lookup(use.getOwner());
      if (user.cluster != cluster)
        internal = false;
      else
        rootShape |= user.rootShape && sameShapes.isSame(use);
    }
    if (!hasRoom(*cluster, map))
      return {};
    if (internal)
      return {cluster, rootShape, Type()};
    if (!rootShape)
      return {};
    Type shape = mergeShapes(cluster->shape, map.getResult(0).getType());
    return shape ? Membership{cluster, rootShape, shape} : Membership{};
  }

  /// The position of a user after fusion; null in a later block.
  Operation *getInsertionPoint(Operation *user) {
    if (auto it = memberships.find(user); it != memberships.end())
      return it->second.cluster->members.front();
    return block.findAncestorOpInBlock(*user);
  }

  static bool hasRoom(const Cluster &cluster, MapOp map) {
    size_t count = cluster.operands.size();
    for (Value result : map.getResults())
      count -= cluster.operands.contains(result);
    llvm::SmallDenseSet<Value, 8> more;
    for (Value operand : map.getInputs())
      if (!cluster.operands.contains(operand))
        more.insert(operand);
    return count + more.size() <= lower::kMaxFusedOperands;
  }

  Block &block;
  const SameShapes &sameShapes;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<Operation *, Membership> memberships;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct LoomFuseMapsPass : lower::impl::LoomFuseMapsBase<LoomFuseMapsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    // Does not walk into maps, which are most of a large program.
    SmallVector<Block *> blocks;
    bool hasMaps = false;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<MapOp>(op)) {
        hasMaps = true;
        return WalkResult::skip();
      }
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    if (!hasMaps)
      return markAllAnalysesPreserved();
    for (Block *block : blocks)
      untangleMaps(*block);
    auto &sameShapes = getAnalysis<SameShapes>();
    if (!sameShapes.isComplete()) {
      ShapeAnalysis analysis;
      MapVisitor visitor(analysis, sameShapes);
      infer::ShapeWalk(visitor).run(func, /*certain=*/false);
    }
    for (Block *block : blocks)
      if (!block->getOps<MapOp>().empty())
        BlockFuser(*block, sameShapes).run();
  }
};

} // namespace
