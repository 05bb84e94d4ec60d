//===- JoinTiles.cpp - nests in tiles as nests of their elements ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of T elements from `t` on has the elements from `t` up to the lesser
// of `t + T` and the end of the loop over tiles; or it counts from 0 up to the
// lesser of T and what is left, and its elements are `t + i`.
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/JoinTiles.h"
#include "codegen/memory/ForwardSums.h"
#include "codegen/memory/LinearIndex.h"
#include "codegen/memory/MovableValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Tiles have no more elements, so that no bound of one overflows where those
/// of all tiles are at most NestProduct::kMostOfTiles.
static constexpr int64_t kMostElements = int64_t(1) << 31;
/// Copies of larger nests would take time; they are no products either.
static constexpr unsigned kMostCopied = 512;

namespace {

/// How the loop over the elements of a tile counts.
enum class Counts { FromTile, FromZero };

/// A loop over tiles in a nest, and the loop over elements that it has.
class TileLoop {
public:
  explicit TileLoop(scf::ForOp tiles) : tiles(tiles) {}

  /// Makes both one loop and returns it; null, without effect, if there is
  /// none.
  scf::ForOp join() {
    std::optional<int64_t> step = getConstantIntValue(tiles.getStep());
    if (!step || *step <= 1 || *step > kMostElements ||
        tiles.getUnsignedCmp() || !tiles.getInitArgs().empty() ||
        !tiles.getInductionVar().getType().isIndex() || !hasOneLoop())
      return {};
    tiles.getBody()->walk([&](scf::ForOp loop) {
      if (!isOfElements(loop, *step))
        return WalkResult::advance();
      elements = loop;
      return WalkResult::interrupt();
    });
    if (elements)
      replace();
    return elements;
  }

private:
  /// Whether the body has one loop, and what may run in front of that.
  bool hasOneLoop() {
    unsigned numLoops = 0;
    return llvm::all_of(
        tiles.getBody()->without_terminator(), [&](Operation &op) {
          return isa<scf::ForOp>(op) ? ++numLoops == 1 : isMovable(op);
        });
  }

  bool isOfElements(scf::ForOp loop, int64_t step) {
    if (loop.getUnsignedCmp() || !isConstantIntValue(loop.getStep(), 1) ||
        !loop.getInductionVar().getType().isIndex())
      return false;
    // Loops alone stand between the two.
    for (Operation *op = loop->getParentOp(); op != tiles;
         op = op->getParentOp())
      if (!isa<scf::ForOp>(op))
        return false;
    std::optional<LinearIndex> begin = LinearIndex::get(loop.getLowerBound());
    if (!begin)
      return false;
    if (begin->isSame(getTile()))
      counts = Counts::FromTile;
    else if (begin->terms.empty() && begin->constant == 0)
      counts = Counts::FromZero;
    else
      return false;
    return endsWithTile(loop, step) && isUsedForElements(loop);
  }

  /// The first element of a tile.
  LinearIndex getTile() {
    LinearIndex tile;
    tile.terms.push_back({tiles.getInductionVar(), 1});
    return tile;
  }

  /// Whether the loop ends with the tile, or with the loop over tiles.
  bool endsWithTile(scf::ForOp loop, int64_t step) {
    std::vector<LinearIndex> found =
        LinearIndex::getLeast(loop.getUpperBound());
    // All ends, counted from 0.
    if (counts == Counts::FromTile)
      for (LinearIndex &sum : found)
        sum.add(getTile(), -1);
    LinearIndex size;
    size.constant = step;
    auto ofTile = llvm::find_if(
        found, [&](const LinearIndex &sum) { return sum.isSame(size); });
    if (ofTile == found.end())
      return false;
    found.erase(ofTile);
    if (found.empty()) {
      std::optional<int64_t> begin = getConstantIntValue(tiles.getLowerBound()),
                             end = getConstantIntValue(tiles.getUpperBound());
      return begin && end && isWithin(*begin) && isWithin(*end) &&
             *begin <= *end && (*end - *begin) % step == 0;
    }
    std::vector<LinearIndex> ends =
        LinearIndex::getLeast(tiles.getUpperBound());
    for (LinearIndex &sum : ends)
      sum.add(getTile(), -1);
    return areAmong(ends, found) && areAmong(found, ends);
  }

  static bool areAmong(ArrayRef<LinearIndex> sums, ArrayRef<LinearIndex> all) {
    return llvm::all_of(sums, [&](const LinearIndex &sum) {
      return llvm::any_of(
          all, [&](const LinearIndex &other) { return other.isSame(sum); });
    });
  }

  static bool isWithin(int64_t number) {
    return -kMostElements <= number && number <= kMostElements;
  }

  /// Whether the variables are used for the bounds of `loop` and, together, as
  /// indices of its elements, and for nothing else.
  bool isUsedForElements(scf::ForOp loop) {
    Value tile = tiles.getInductionVar(), element = loop.getInductionVar();
    llvm::SetVector<Value> values;
    SmallVector<OpOperand *> uses;
    values.insert(tile);
    if (counts == Counts::FromZero)
      values.insert(element);
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses()) {
        if (isMovable(*use.getOwner()))
          values.insert_range(use.getOwner()->getResults());
        else if (use.getOwner() != loop || use.getOperandNumber() >= 2)
          uses.push_back(&use);
      }
    // A sum of both has no other part that depends on them.
    auto isOfBoth = [&](OpOperand *use) {
      if (counts == Counts::FromTile ||
          !isa<memref::LoadOp, memref::StoreOp>(use->getOwner()) ||
          !use->get().getType().isIndex())
        return false;
      std::optional<LinearIndex> index = LinearIndex::get(use->get());
      return index && index->getFactor(tile) == index->getFactor(element) &&
             llvm::all_of(index->terms, [&](auto &term) {
               return term.first == tile || term.first == element ||
                      !values.contains(term.first);
             });
    };
    return llvm::all_of(uses, isOfBoth);
  }

  void replace() {
    OpBuilder b(tiles);
    Value begin = tiles.getLowerBound();
    elements.setLowerBound(begin);
    elements.setUpperBound(tiles.getUpperBound());
    // The variable of the loop over elements has the tile's from here on.
    if (counts == Counts::FromZero)
      begin = arith::ConstantIndexOp::create(b, tiles.getLoc(), 0);
    tiles.getInductionVar().replaceAllUsesWith(begin);
    Block *body = tiles.getBody();
    tiles->getBlock()->getOperations().splice(
        tiles->getIterator(), body->getOperations(), body->begin(),
        std::prev(body->end()));
    tiles.erase();
  }

  scf::ForOp tiles, elements;
  Counts counts = Counts::FromTile;
};

} // namespace

JoinedProduct::JoinedProduct(scf::ForOp nest)
    : product(NestProduct::get(nest)), before(nest->getPrevNode()) {
  unsigned numOperations = 0;
  bool hasTiles = false;
  bool isLong =
      nest->walk([&](Operation *op) {
            auto loop = dyn_cast<scf::ForOp>(op);
            hasTiles |= loop && !isConstantIntValue(loop.getStep(), 1);
            return ++numOperations > kMostCopied ? WalkResult::interrupt()
                                                 : WalkResult::advance();
          })
          .wasInterrupted();
  if (product || !hasTiles || isLong)
    return;
  OpBuilder b(nest);
  copy = cast<scf::ForOp>(b.clone(*nest));
  scratchpads = forwardSums(copy, nest);
  // Tiles of tiles are joined from the inside to the outside.
  SmallVector<scf::ForOp> loops;
  copy->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  llvm::SmallDenseSet<Operation *> joined;
  for (scf::ForOp loop : loops) {
    bool isRoot = loop == copy;
    scf::ForOp elements = TileLoop(loop).join();
    if (!elements)
      continue;
    joined.insert(elements);
    // What was in the outermost loop stands in front of the nest now.
    for (Operation *op = nest->getPrevNode(); isRoot && op != before;
         op = op->getPrevNode())
      if (auto inner = dyn_cast<scf::ForOp>(op))
        copy = inner;
  }
  if (!joined.empty())
    product = NestProduct::get(copy);
  if (product && keepsValues(joined))
    product->isOfTiles = true;
  else
    drop();
}

JoinedProduct::~JoinedProduct() { drop(); }

/// Whether the values are those of the nest: a nest that stores 0 in front of
/// the products of each tile keeps the sum of the last tile alone.
bool JoinedProduct::keepsValues(
    const llvm::SmallDenseSet<Operation *> &joined) const {
  return product->addsToMemory ||
         llvm::all_of(llvm::enumerate(product->loops), [&](auto loop) {
           return product->sums.goesThrough(loop.index()) ||
                  !joined.contains(loop.value());
         });
}

void JoinedProduct::drop() {
  if (!copy)
    return;
  product.reset();
  Operation *op = copy->getPrevNode();
  copy.erase();
  copy = {};
  while (op != before) {
    Operation *next = op->getPrevNode();
    if (isOpTriviallyDead(op))
      op->erase();
    op = next;
  }
}

bool NestProduct::isRaised(scf::ForOp nest) {
  JoinedProduct joined(nest);
  const NestProduct *product = joined.get();
  return product && product->because.empty();
}
