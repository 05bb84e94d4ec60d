//===- FuseMaps.cpp - maps that feed maps become one map ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/Obligations.h"
#include "infer/ShapeAnalysis.h"
#include "lower/FusePasses.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFUSEMAPS
#include "lower/FusePasses.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using loom::MapOp;

namespace {

//===----------------------------------------------------------------------===//
// What fusion needs to know
//===----------------------------------------------------------------------===//

/// For each map, which of its operands are proved to have its own shape.
using SameShapes = llvm::DenseMap<Operation *, llvm::SmallVector<bool, 4>>;

/// The forward walk: asks about shapes where everything that may be assumed has
/// been established and nothing else, and collects the blocks in which there
/// are maps.
class ShapeWalk {
public:
  void run(Region &region) {
    for (Block &block : region) {
      if (block.isEntryBlock()) {
        visitBlock(block);
        continue;
      }
      ShapeAnalysis::Scope scope(analysis);
      visitBlock(block);
    }
  }

  SameShapes sameShapes;
  llvm::SetVector<Block *> blocks;

private:
  void visitBlock(Block &block) {
    for (Operation &op : block) {
      if (isShapeObligation(&op)) {
        // A guard will see to it, before any map that relies on it.
        Inquiry inquiry = inquire(analysis, &op);
        for (const Obligation &obligation : inquiry.open)
          establish(analysis, inquiry, obligation);
        continue;
      }
      analysis.visit(&op);
      if (auto map = dyn_cast<MapOp>(op)) {
        visitMap(map);
        continue;
      }
      if (op.hasTrait<OpTrait::IsIsolatedFromAbove>())
        continue;
      for (Region &region : op.getRegions()) {
        ShapeAnalysis::Scope scope(analysis);
        run(region);
      }
    }
  }

  void visitMap(MapOp map) {
    blocks.insert(map->getBlock());
    Value result = map.getResult(0);
    ShapeInfo own = analysis.getInfo(result);
    SmallVector<bool, 4> &same = sameShapes[map];
    for (Value operand : map.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      bool sameType =
          type && type.hasStaticShape() &&
          type.getShape() == cast<ShapedType>(result.getType()).getShape();
      same.push_back(
          operand.getDefiningOp<MapOp>() &&
          (sameType || analysis.areEqual(analysis.getInfo(operand), own)));
    }
  }

  ShapeAnalysis analysis;
};

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Maps that become one. The first member is the root: the last in the text,
/// at whose place the fused map stands.
struct Cluster {
  SmallVector<MapOp, 4> members;
  /// What the fused map reads, as far as is known.
  llvm::SmallDenseSet<Value, 8> operands;
};

/// Fuses the maps of one block, users before producers.
///
/// Every cluster stands at its root, and a map joins only where its other users
/// stand behind that place, so that the order of roots is an order in which
/// everything is there before it is used.
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
        // Nobody will look at what fusion would have to keep for it.
        op.erase();
    }
    for (auto &cluster : clusters)
      if (cluster->members.size() > 1)
        fuse(*cluster);
  }

private:
  struct Membership {
    Cluster *cluster = nullptr;
    /// Whether the map is proved to have the root's shape.
    bool rootShape = false;
  };

  void assign(MapOp map) {
    if (map.use_empty()) {
      map.erase();
      return;
    }
    Membership membership = findCluster(map);
    if (!membership.cluster) {
      clusters.push_back(std::make_unique<Cluster>());
      membership = {clusters.back().get(), /*rootShape=*/true};
    }
    Cluster &cluster = *membership.cluster;
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
      Operation *place = getPlace(user);
      // Used in a region of this block only, or in a block behind.
      if (place && (!first || place->isBeforeInBlock(first)))
        first = place;
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
        rootShape |= user.rootShape && hasShapeOf(use);
    }
    if ((!internal && !rootShape) || !hasRoom(*cluster, map))
      return {};
    return {cluster, rootShape};
  }

  /// Where the user of a value of this block stands once maps are fused; null
  /// in a later block.
  Operation *getPlace(Operation *user) {
    if (auto it = memberships.find(user); it != memberships.end())
      return it->second.cluster->members.front();
    return block.findAncestorOpInBlock(*user);
  }

  bool hasShapeOf(OpOperand &use) const {
    auto it = sameShapes.find(use.getOwner());
    return it != sameShapes.end() && it->second[use.getOperandNumber()];
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

  void fuse(Cluster &cluster);

  Block &block;
  const SameShapes &sameShapes;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<Operation *, Membership> memberships;
};

//===----------------------------------------------------------------------===//
// The fused map
//===----------------------------------------------------------------------===//

/// Builds the fused map of a cluster, member by member in program order.
class MapBuilder {
public:
  explicit MapBuilder(Cluster &cluster) : members(cluster.members) {
    memberSet.insert(members.begin(), members.end());
  }

  MapOp build() {
    body = new Block();
    for (MapOp member : llvm::reverse(members))
      absorb(member);
    // Results that somebody outside reads; the root's come first.
    SmallVector<Value> replaced, yielded;
    for (MapOp member : members)
      for (Value result : member.getResults())
        if (member == members.front() || isReadOutside(result)) {
          replaced.push_back(result);
          yielded.push_back(scalars.lookup(result));
        }
    OpBuilder builder(members.front());
    MapOp fused = MapOp::create(builder, members.front().getLoc(),
                                ValueRange(replaced).getTypes(), operands);
    fused.getBody().push_back(body);
    builder.setInsertionPointToEnd(body);
    loom::YieldOp::create(builder, fused.getLoc(), yielded);
    eraseDead();
    for (auto [old, result] : llvm::zip_equal(replaced, fused.getResults()))
      old.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !memberSet.contains(use.getOwner());
      });
    // Users first.
    for (MapOp member : members)
      member.erase();
    return fused;
  }

private:
  /// Moves a member's body behind what is there already.
  void absorb(MapOp member) {
    Block &own = member.getBodyBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(own.getArguments(), member.getInputs())) {
      Value &scalar = scalars[operand];
      if (!scalar) {
        operands.push_back(operand);
        scalar = body->addArgument(argument.getType(), argument.getLoc());
      }
      argument.replaceAllUsesWith(scalar);
    }
    auto yield = cast<loom::YieldOp>(own.getTerminator());
    for (auto [result, value] :
         llvm::zip_equal(member.getResults(), yield.getValues()))
      scalars[result] = value;
    yield.erase();
    body->getOperations().splice(body->end(), own.getOperations());
  }

  bool isReadOutside(Value result) const {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return !memberSet.contains(user);
    });
  }

  /// A body may ignore an operand, which then counts for its extents only
  /// (rt-6): the operand stays, what computed it goes.
  void eraseDead() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  SmallVectorImpl<MapOp> &members;
  llvm::DenseSet<Operation *> memberSet;
  Block *body = nullptr;
  SmallVector<Value> operands;
  /// The scalar that stands for an operand or a member's result.
  llvm::DenseMap<Value, Value> scalars;
};

void BlockFuser::fuse(Cluster &cluster) { MapBuilder(cluster).build(); }

//===----------------------------------------------------------------------===//
// Values that hold on to maps
//===----------------------------------------------------------------------===//

/// A ranked map's result behind casts that only say more or less of its type.
Value lookThroughCasts(Value value) {
  Value source = value;
  while (auto cast = source.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getType()) ||
        !isa<RankedTensorType>(cast.getSource().getType()))
      break;
    source = cast.getSource();
  }
  return source.getDefiningOp<MapOp>() ? source : value;
}

/// Makes users look at maps through nothing that is not a map: maps read the
/// uncast results of maps, and shapes of maps come from their operands.
class Untangler {
public:
  void run(Block &block) {
    for (Operation &op : block)
      if (auto map = dyn_cast<MapOp>(op))
        for (OpOperand &operand : map->getOpOperands())
          operand.set(lookThroughCasts(operand.get()));
    for (Operation &op : llvm::reverse(block))
      if (auto map = dyn_cast<MapOp>(op))
        want(map);
    for (MapOp map : llvm::reverse(maps))
      give(map);
  }

private:
  /// Notes whether somebody needs the shape of the map.
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
  // Those of the block whose shapes are needed, from the last.
  SmallVector<MapOp> maps;
  // Within the block, behind the map that asked first.
  llvm::DenseMap<Value, Value> shapes;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct LoomFuseMapsPass : lower::impl::LoomFuseMapsBase<LoomFuseMapsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    func->walk([](Block *block) {
      if (!isa<MapOp>(block->getParentOp()))
        Untangler().run(*block);
    });
    ShapeWalk walk;
    walk.run(func.getBody());
    for (Block *block : walk.blocks)
      BlockFuser(*block, walk.sameShapes).run();
  }
};

} // namespace
