//===- FuseReductions.cpp - reductions and the maps around them -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/fuse/FusedReduction.h"
#include "lower/fuse/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFUSEREDUCTIONS
#include "lower/fuse/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::MapOp;

/// The limit of operations of a fused body: the buffers between the stages of a
/// row would evict the row from the caches.
static constexpr size_t kMaxRowOperations = 512;

namespace {

/// Maps and reductions over one iteration space. The first member is the root:
/// the last in the text, where the fused operation stands.
struct ReductionCluster {
  SmallVector<const RowCandidate *> members;
  /// The operands, as far as they are known.
  llvm::SmallDenseSet<Value, 8> operands;
  int64_t rank = 0;
  /// The reduced axes; none as long as the cluster is a single map.
  uint64_t axes = 0;
  /// The shape of the iteration space; that of the root as long as there are no
  /// reduced axes.
  ShapeClass shape = 0;
  ShapeClass reducedShape = 0;
  size_t numOperations = 0;
};

/// Fuses the reductions of one block, users before producers. A member joins
/// only if its other users come after the root (see FuseMaps.cpp).
class RowFuser {
public:
  explicit RowFuser(Block &block) : block(block), candidates(block) {}

  void run() {
    // Erasing a candidate may erase several operations.
    SmallVector<Operation *> operations;
    for (Operation &op : llvm::reverse(block))
      operations.push_back(&op);
    for (Operation *op : operations)
      if (const RowCandidate *candidate = candidates.find(op)) {
        if (op->use_empty())
          erase(*candidate);
        else
          assign(*candidate);
      }
    for (auto &cluster : clusters)
      if (cluster->axes)
        buildFusedReduction(cluster->members, cluster->axes);
  }

private:
  void assign(const RowCandidate &candidate) {
    ReductionCluster *cluster = findCluster(candidate);
    if (!cluster || !join(*cluster, candidate)) {
      clusters.push_back(std::make_unique<ReductionCluster>());
      cluster = clusters.back().get();
      start(*cluster, candidate);
    }
    for (Value result : candidate.op->getResults())
      cluster->operands.erase(result);
    cluster->operands.insert(candidate.inputs.begin(), candidate.inputs.end());
    cluster->members.push_back(&candidate);
    cluster->numOperations += count(candidate);
    clusterOf[candidate.op] = cluster;
  }

  /// Erases an unused candidate: guards have checked its extents.
  static void erase(const RowCandidate &candidate) {
    if (candidate.chain.empty())
      candidate.op->erase();
    // Users first.
    for (Operation *op : candidate.chain)
      op->erase();
  }

  static size_t count(const RowCandidate &candidate) {
    auto map = dyn_cast<MapOp>(candidate.op);
    return map ? map.getBodyBlock().getOperations().size() : 1;
  }

  void start(ReductionCluster &cluster, const RowCandidate &candidate) {
    cluster.rank = candidate.rank;
    if (candidate.reduction)
      setAxes(cluster, candidates.getClass(candidate.inputs.front()),
              candidate.axes);
    else
      cluster.shape = candidates.getClass(candidate.op->getResult(0));
  }

  void setAxes(ReductionCluster &cluster, ShapeClass shape, uint64_t axes) {
    cluster.axes = axes;
    cluster.shape = shape;
    cluster.reducedShape = candidates.getReducedClass(shape, axes);
  }

  /// The cluster of the first user, if that is its root.
  ReductionCluster *findCluster(const RowCandidate &candidate) {
    Operation *first = nullptr;
    for (Operation *user : candidate.op->getUsers()) {
      Operation *point = getInsertionPoint(user);
      if (point && (!first || point->isBeforeInBlock(first)))
        first = point;
    }
    ReductionCluster *cluster = first ? clusterOf.lookup(first) : nullptr;
    return cluster && cluster->members.front()->op == first ? cluster : nullptr;
  }

  /// The position of a user after fusion; null in a later block.
  Operation *getInsertionPoint(Operation *user) {
    user = candidates.getLast(user);
    if (ReductionCluster *cluster = clusterOf.lookup(user))
      return cluster->members.front()->op;
    return block.findAncestorOpInBlock(*user);
  }

  bool join(ReductionCluster &cluster, const RowCandidate &candidate) {
    if (candidate.rank != cluster.rank || isArgMax(candidate) ||
        !hasRoom(cluster, candidate))
      return false;
    if (!candidate.reduction) {
      ShapeClass own = candidates.getClass(candidate.op->getResult(0));
      return cluster.axes &&
             (own == cluster.shape || own == cluster.reducedShape);
    }
    ShapeClass input = candidates.getClass(candidate.inputs.front());
    if (cluster.axes)
      return cluster.axes == candidate.axes && cluster.shape == input;
    // For a single map: it must have the shape of the reduction's input or of
    // its result.
    if (cluster.shape != input &&
        cluster.shape != candidates.getReducedClass(input, candidate.axes))
      return false;
    setAxes(cluster, input, candidate.axes);
    return true;
  }

  static bool hasRoom(const ReductionCluster &cluster,
                      const RowCandidate &candidate) {
    if (cluster.numOperations + count(candidate) > kMaxRowOperations)
      return false;
    size_t operands = cluster.operands.size();
    for (Value result : candidate.op->getResults())
      operands -= cluster.operands.contains(result);
    llvm::SmallDenseSet<Value, 8> more;
    for (Value input : candidate.inputs)
      if (!cluster.operands.contains(input))
        more.insert(input);
    return operands + more.size() <= kMaxFusedOperands;
  }

  Block &block;
  ReductionCandidates candidates;
  std::vector<std::unique_ptr<ReductionCluster>> clusters;
  llvm::DenseMap<Operation *, ReductionCluster *> clusterOf;
};

/// Whether a cast from `source` to `type` neither adds nor changes a rank.
bool keepsRank(Type source, Type type) {
  auto from = dyn_cast<RankedTensorType>(source);
  auto to = dyn_cast<RankedTensorType>(type);
  return !to || (from && from.getRank() == to.getRank());
}

/// Makes reductions and maps read the source of casts, which only change what
/// types say. Otherwise casts would prevent fusion, and so change the order in
/// which floats are folded (bcast-7).
void bypassCasts(Block &block) {
  SmallVector<tensor::CastOp> casts(block.getOps<tensor::CastOp>());
  DenseMap<Value, Value> sources;
  for (tensor::CastOp cast : casts) {
    Value source = cast.getSource();
    if (Value before = sources.lookup(source))
      source = before;
    if (!keepsRank(source.getType(), cast.getType()))
      continue;
    sources[cast] = source;
    Operation *def = source.getDefiningOp();
    if (def && isa<RankedTensorType>(cast.getType()) &&
        (isa<MapOp>(def) || matchReduction(def)))
      cast.getResult().replaceUsesWithIf(source, [](OpOperand &use) {
        return isa<MapOp>(use.getOwner()) || matchReduction(use.getOwner());
      });
  }
  // Users first.
  for (tensor::CastOp cast : llvm::reverse(casts))
    if (cast.use_empty())
      cast.erase();
}

struct LoomFuseReductionsPass
    : lower::impl::LoomFuseReductionsBase<LoomFuseReductionsPass> {
  void runOnOperation() override {
    llvm::SetVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (matchReduction(op))
        blocks.insert(op->getBlock());
    });
    for (Block *block : blocks) {
      bypassCasts(*block);
      RowFuser(*block).run();
    }
  }
};

} // namespace
