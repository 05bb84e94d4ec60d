//===- RaiseNests.cpp - contractions of loop nests ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest that is a contraction (NestProduct) gets a second version, in which
// the kernels that contractions of tensors have work on the program's memory
// (NestLaunch). It runs where the nest has iterations and work enough, and
// where the sums share no memory with the factors.
//
// A factor that is indexed by more than single loops, such as the image of a
// convolution, is gathered: a strip of the rows at a time, which stays in the
// cache.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/ForwardCopies.h"
#include "codegen/memory/GatherImage.h"
#include "codegen/memory/JoinTiles.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/MovableValues.h"
#include "codegen/memory/NestLaunch.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/NestGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMRAISENESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Nests with fewer products stay loops, which need no launch and no copies.
static constexpr int64_t kLeastProducts = int64_t(1) << 14;
/// Elements of a strip that is gathered, unless one iteration of its loop has
/// more; with more than the second number, a nest stays loops.
static constexpr int64_t kStripElements = int64_t(1) << 18;
static constexpr int64_t kMostGathered = int64_t(1) << 26;

namespace {

/// Makes the second version of one nest.
class RaisedNest {
public:
  /// `original` is the nest of the program, whose product `nest` is.
  RaisedNest(const NestProduct &nest, scf::ForOp original)
      : nest(nest), root(nest.loops.front()), original(original),
        b(root.getContext()), loc(root.getLoc()) {}

  void insert() {
    b.setInsertionPoint(original);
    for (scf::ForOp loop : nest.loops) {
      Value lower = computeInFront(loop.getLowerBound()),
            upper = computeInFront(loop.getUpperBound());
      first.map(loop.getInductionVar(), lower);
      extents.push_back(b.createOrFold<arith::SubIOp>(loc, upper, lower));
      if (!isConstantIntValue(lower, 0))
        runs = both(runs, compare(arith::CmpIPredicate::slt, lower, upper));
      if (nest.isOfTiles) {
        runs =
            both(runs, compare(arith::CmpIPredicate::sge, lower, getNumber(0)));
        runs = both(runs, compare(arith::CmpIPredicate::sle, upper,
                                  getNumber(NestProduct::kMostOfTiles)));
      }
    }
    auto branch =
        scf::IfOp::create(b, loc, computeCondition(), /*withElseRegion=*/true);
    original->moveBefore(branch.elseBlock()->getTerminator());
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (Value extent : extents)
      parts.push_back({b.getIndexAttr(0), getAsOpFoldResult(extent)});
    if (std::optional<NestWindow> window = NestWindow::get(nest))
      contractWindow(*window);
    if (!nest.image.isPlain)
      openStrips();
    contract();
  }

private:
  /// A value in the first iteration of all loops.
  Value computeInFront(Value value) {
    return codegen::compute(b, value, root, first);
  }

  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }

  Value both(Value x, Value y) { return legalize::both(b, loc, x, y); }

  /// Whether there are iterations, so that each element of the operands is
  /// accessed and inside, work enough, and no shared memory.
  Value computeCondition() {
    Value all = runs, products = getNumber(1);
    for (Value extent : extents) {
      products = arith::MulIOp::create(b, loc, products, extent);
      all = both(all, compare(arith::CmpIPredicate::sgt, extent, getNumber(0)));
    }
    all = both(all, compare(arith::CmpIPredicate::sge, products,
                            getNumber(kLeastProducts)));
    if (!nest.image.isPlain)
      all = both(all, compare(arith::CmpIPredicate::ule, computeGathered(),
                              getNumber(kMostGathered)));
    if (!nest.conditions.empty())
      for (const NestOperand *operand : {&nest.weight, &nest.sums})
        all = both(all, computeInside(*operand));
    all = both(all, computeInjective(b, loc, nest.sums.memory));
    NestMemory memory;
    memory[nest.sums.memory] = true;
    memory[nest.image.memory] = false;
    memory[nest.weight.memory] = false;
    return both(all, computeApart(b, loc, memory));
  }

  /// Whether all of a plain operand is inside, of which the nest may leave out
  /// what is outside.
  Value computeInside(const NestOperand &operand) {
    Value all;
    for (auto [axis, loop] : llvm::enumerate(operand.axes)) {
      Value extent = memref::DimOp::create(b, loc, operand.memory, axis),
            begin = computeInFront(operand.indices[axis]);
      if (!loop) {
        all = both(all, compare(arith::CmpIPredicate::ult, begin, extent));
        continue;
      }
      Value behind = b.createOrFold<arith::SubIOp>(loc, extent, begin);
      if (!isConstantIntValue(begin, 0))
        all =
            both(all, compare(arith::CmpIPredicate::sge, begin, getNumber(0)));
      all =
          both(all, compare(arith::CmpIPredicate::sle, extents[*loop], behind));
    }
    return all;
  }

  /// The row loop whose iterations are gathered in strips: the last one but
  /// one.
  std::optional<unsigned> getStripLoop() const {
    SmallVector<unsigned> rows = nest.getRows();
    if (rows.empty())
      return std::nullopt;
    return rows[std::max<size_t>(rows.size(), 2) - 2];
  }

  /// How many elements of the gathered factor one iteration of the strip's loop
  /// has.
  Value computeGathered() {
    std::optional<unsigned> strip = getStripLoop();
    SmallVector<unsigned> rows = nest.getRows();
    Value all = getNumber(1);
    for (unsigned loop : nest.image.loops)
      if (!strip || loop > *strip || !llvm::is_contained(rows, loop))
        all = arith::MulIOp::create(b, loc, all, extents[loop]);
    return all;
  }

  /// Loops over strips of the rows: over single iterations of the row loops
  /// around the strip's.
  void openStrips() {
    std::optional<unsigned> strip = getStripLoop();
    if (!strip)
      return;
    Value zero = getNumber(0), one = getNumber(1);
    Value size = arith::MaxUIOp::create(b, loc, one, computeGathered());
    Value step = arith::MaxUIOp::create(
        b, loc, one,
        arith::DivUIOp::create(b, loc, getNumber(kStripElements), size));
    for (unsigned row : nest.getRows()) {
      if (row > *strip)
        return;
      Value extent = extents[row];
      bool isStrip = row == *strip;
      auto made =
          scf::ForOp::create(b, loc, zero, extent, isStrip ? step : one);
      b.setInsertionPoint(made.getBody()->getTerminator());
      Value first = made.getInductionVar();
      parts[row].first = first;
      parts[row].count = b.getIndexAttr(1);
      if (isStrip) {
        Value left = arith::SubIOp::create(b, loc, extent, first);
        parts[row].count =
            arith::MinSIOp::create(b, loc, step, left).getResult();
      }
    }
  }

  /// A subscript of the image where the variables of all loops but one, which
  /// is 1, are 0.
  Value computeSubscript(size_t axis, std::optional<unsigned> loop) {
    IRMapping variables;
    for (auto [number, it] : llvm::enumerate(nest.loops))
      variables.map(scf::ForOp(it).getInductionVar(),
                    getNumber(loop && *loop == number));
    return codegen::compute(b, nest.image.indices[1 + axis], root, variables);
  }

  /// Whether the stride and the dilation along an axis are 1.
  Value areOne(const NestWindow &window, size_t axis) {
    Value first = computeSubscript(axis, std::nullopt), all;
    for (unsigned loop : {window.positions[axis], window.steps[axis]})
      all = both(
          all, compare(arith::CmpIPredicate::eq,
                       make<arith::SubIOp>(computeSubscript(axis, loop), first),
                       getNumber(1)));
    return all;
  }

  /// Where the window has as many positions as the loops, it reads the image in
  /// place. What is emitted next is for where it has not.
  void contractWindow(const NestWindow &window) {
    Value fits;
    for (auto [axis, loop] : llvm::enumerate(window.positions)) {
      if (window.isOpen[axis]) {
        fits = both(fits, areOne(window, axis));
        continue;
      }
      // Positions times the stride end at most one stride behind the last one
      // that has room for the window.
      Value room = make<arith::SubIOp>(
          make<arith::AddIOp>(
              b.createOrFold<memref::DimOp>(loc, nest.image.memory, 1 + axis),
              getNumber(2 * window.padding[axis] - 1)),
          make<arith::MulIOp>(
              make<arith::SubIOp>(extents[window.steps[axis]], getNumber(1)),
              getNumber(window.dilations[axis])));
      Value last =
          make<arith::MulIOp>(make<arith::SubIOp>(extents[loop], getNumber(1)),
                              getNumber(window.strides[axis]));
      Value left = make<arith::SubIOp>(room, last);
      if (std::optional<int64_t> known = getConstantIntValue(left);
          known && (*known < 0 || *known >= window.strides[axis]))
        return;
      fits = both(fits, compare(arith::CmpIPredicate::ult, left,
                                getNumber(window.strides[axis])));
    }
    auto branch = scf::IfOp::create(b, loc, fits, /*withElseRegion=*/true);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    NestLaunch(b, nest, parts, first).addProducts(window);
    b.setInsertionPoint(branch.elseBlock()->getTerminator());
  }

  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }

  /// Adds the products of the parts.
  void contract() {
    if (nest.image.isPlain)
      return NestLaunch(b, nest, parts, first).addProducts(Value());
    Value gathered = gatherImage(b, nest, parts, first);
    NestLaunch(b, nest, parts, first).addProducts(gathered);
    loom::ReleaseOp::create(b, loc, gathered);
  }

  const NestProduct &nest;
  scf::ForOp root, original;
  OpBuilder b;
  Location loc;
  /// The variables of the loops in their first iterations, and what is computed
  /// of these.
  IRMapping first;
  /// Whether the loops that do not begin at 0 have iterations.
  Value runs;
  SmallVector<Value> extents;
  SmallVector<NestPart> parts;
};

bool tryRaise(scf::ForOp loop) {
  JoinedProduct joined(loop);
  const NestProduct *product = joined.get();
  if (!product || !product->because.empty())
    return false;
  RaisedNest(*product, loop).insert();
  return true;
}

/// Raises the outermost nests that are contractions.
void raise(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.hasAttr(loom::kFindsFailure))
        continue;
      if (auto loop = dyn_cast<scf::ForOp>(op))
        if (tryRaise(loop))
          continue;
      for (Region &inner : op.getRegions())
        raise(inner);
    }
}

struct LoomRaiseNestsPass
    : codegen::impl::LoomRaiseNestsBase<LoomRaiseNestsPass> {
  void runOnOperation() override {
    for (func::FuncOp func : loom::getMemoryFunctions(getOperation())) {
      forwardCopies(func);
      raise(func.getBody());
      func.walk([](Operation *op) { op->removeAttr(loom::kFastMath); });
    }
  }
};

} // namespace
