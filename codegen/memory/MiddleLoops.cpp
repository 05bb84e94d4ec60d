//===- MiddleLoops.cpp - loops in which indices are inside ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/MiddleLoops.h"
#include "codegen/memory/LinearIndex.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/NestProduct.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The attributes that note the axes whose indices are inside, those for which
/// a loop around has been split.
static constexpr StringLiteral kInside = "loom.inside", kTried = "loom.tried";
/// Loops of more operations are not split, and copies have no more together, of
/// middle parts and of parts at the ends. The latter have few iterations, and
/// LLVM takes more than linear time for long functions.
static constexpr size_t kMostOfLoop = 512, kMostInMiddle = 4096,
                        kMostAtEnds = 512;
/// Numbers of more are not used in the bounds of a middle part, so that sums of
/// them do not wrap.
static constexpr int64_t kMostNumber = int64_t(1) << 40;

static SmallVector<int64_t> getMarkedAxes(memref::LoadOp load, StringRef mark) {
  auto axes = load->getAttrOfType<DenseI64ArrayAttr>(mark);
  return axes ? llvm::to_vector(axes.asArrayRef()) : SmallVector<int64_t>();
}

static void addAxis(memref::LoadOp load, StringRef mark, int64_t axis) {
  SmallVector<int64_t> axes = getMarkedAxes(load, mark);
  if (!llvm::is_contained(axes, axis))
    axes.push_back(axis);
  load->setAttr(mark, DenseI64ArrayAttr::get(load.getContext(), axes));
}

SmallVector<int64_t> codegen::getInsideAxes(memref::LoadOp load) {
  return getMarkedAxes(load, kInside);
}

void codegen::eraseMarksOfIndices(memref::LoadOp load) {
  load->removeAttr(kInside);
  load->removeAttr(kTried);
}

bool codegen::goesBeyond(loom::BoundaryOp boundary, int64_t axis) {
  return getConstantIntValue(boundary.getMixedLow()[axis]) != 0 ||
         getConstantIntValue(boundary.getMixedHigh()[axis]) != 0 ||
         boundary.getInteriorOf(axis) != 0;
}

namespace {

/// An index of a load that the middle part of a loop may have inside.
struct InnerIndex {
  memref::LoadOp load;
  int64_t axis;
  /// The index, without the loop's variable.
  LinearIndex rest;
  /// That of the loop's variable, above 0.
  int64_t factor;

  /// Whether both are inside in the same iterations.
  bool isSame(const InnerIndex &other) const {
    return memref::LoadOp(load).getMemRef() ==
               memref::LoadOp(other.load).getMemRef() &&
           axis == other.axis && factor == other.factor &&
           rest.isSame(other.rest);
  }
};

/// Where the middle part of a loop begins and ends.
class MiddlePart {
public:
  explicit MiddlePart(scf::ForOp loop)
      : loop(loop), b(loop), loc(loop.getLoc()) {}

  /// Adds which variables have `index` inside.
  void add(InnerIndex &index) {
    auto boundary = index.load.getMemRef().getDefiningOp<loom::BoundaryOp>();
    Value low = getNumber(boundary.getMixedLow()[index.axis]);
    Value extent = getNumber(
        memref::getMixedSize(b, loc, boundary.getSource(), index.axis));
    auto [least, most] = findRange(index.rest);
    // The index is `factor` times the variable and the rest; the source has
    // indices from `low` on.
    Value first = make<arith::SubIOp>(low, least);
    Value past = make<arith::SubIOp>(make<arith::AddIOp>(low, extent), most);
    Value last = make<arith::SubIOp>(past, get(1));
    if (index.factor != 1) {
      first = make<arith::CeilDivSIOp>(first, get(index.factor));
      last = make<arith::FloorDivSIOp>(last, get(index.factor));
    }
    begin = begin ? make<arith::MaxSIOp>(begin, first) : first;
    end = end ? make<arith::MinSIOp>(end, last) : last;
  }

  /// Makes the three loops. Returns those in front and in the middle; the loop
  /// itself is the one behind.
  std::pair<scf::ForOp, scf::ForOp> split(IRMapping &middleOps) {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
    end = make<arith::AddIOp>(end, get(1));
    if (Value fits = makeCondition()) {
      // All iterations are behind then.
      Value none = get(std::numeric_limits<int64_t>::min());
      begin = arith::SelectOp::create(b, loc, fits, begin, none);
      end = arith::SelectOp::create(b, loc, fits, end, none);
    }
    Value from =
        make<arith::MaxSIOp>(lower, make<arith::MinSIOp>(begin, upper));
    Value to = make<arith::MaxSIOp>(from, make<arith::MinSIOp>(end, upper));
    if (getConstantIntValue(loop.getStep()) != 1) {
      from = roundUp(lower, from);
      to = roundUp(from, make<arith::MaxSIOp>(from, to));
    }
    scf::ForOp front = copy(lower, from, loop.getInitArgs(), nullptr);
    scf::ForOp middle = copy(from, to, front.getResults(), &middleOps);
    loop.getLowerBoundMutable().assign(to);
    loop.getInitArgsMutable().assign(middle.getResults());
    return {front, middle};
  }

private:
  Value get(int64_t number) {
    return arith::ConstantIndexOp::create(b, loc, number);
  }

  /// Such numbers are part of the condition.
  Value getNumber(OpFoldResult size) {
    if (std::optional<int64_t> known = getConstantIntValue(size);
        known && *known < kMostNumber && *known > -kMostNumber)
      return get(*known);
    Value value =
        isa<Value>(size) ? cast<Value>(size) : get(*getConstantIntValue(size));
    used.insert(value);
    return value;
  }
  Value getNumber(Value value) { return getNumber(getAsOpFoldResult(value)); }

  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }

  /// The least and the largest sum in all iterations of inner loops.
  std::pair<Value, Value> findRange(const LinearIndex &sum) {
    Value least = get(sum.constant), most = least;
    for (auto [value, factor] : sum.terms) {
      auto [lower, upper] = findRange(value);
      if (factor < 0)
        std::swap(lower, upper);
      least =
          make<arith::AddIOp>(least, make<arith::MulIOp>(lower, get(factor)));
      most = make<arith::AddIOp>(most, make<arith::MulIOp>(upper, get(factor)));
    }
    return {least, most};
  }

  /// Of a number in front of the loop, or the variable of an inner one.
  std::pair<Value, Value> findRange(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return {getNumber(value), getNumber(value)};
    auto inner = cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return {getNumber(inner.getLowerBound()),
            make<arith::SubIOp>(getNumber(inner.getUpperBound()), get(1))};
  }

  /// Whether sums of the numbers do not wrap; null where constants tell it.
  Value makeCondition() {
    if (getConstantIntValue(loop.getStep()) != 1)
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
        getNumber(bound);
    Value all;
    for (Value number : used) {
      Value moved = arith::AddIOp::create(b, loc, number, get(kMostNumber));
      Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         moved, get(2 * kMostNumber));
      all = all ? Value(arith::AndIOp::create(b, loc, all, fits)) : fits;
    }
    return all;
  }

  /// The first variable of the loop, which begins at `from`, from `to` on.
  Value roundUp(Value from, Value to) {
    Value steps =
        make<arith::CeilDivSIOp>(make<arith::SubIOp>(to, from), loop.getStep());
    return make<arith::AddIOp>(from,
                               make<arith::MulIOp>(steps, loop.getStep()));
  }

  scf::ForOp copy(Value lower, Value upper, ValueRange inits,
                  IRMapping *mapping) {
    IRMapping own;
    IRMapping &map = mapping ? *mapping : own;
    auto made = cast<scf::ForOp>(b.clone(*loop, map));
    made.getLowerBoundMutable().assign(lower);
    made.getUpperBoundMutable().assign(upper);
    made.getInitArgsMutable().assign(inits);
    return made;
  }

  scf::ForOp loop;
  OpBuilder b;
  Location loc;
  /// The least variable of the middle part, and the last one, or one more.
  Value begin, end;
  /// The numbers that bounds are computed of.
  llvm::SetVector<Value> used;
};

/// Splits loops from the outermost on.
class LoopSplitter {
public:
  LoopSplitter(ArrayRef<loom::BoundaryOp> boundaries, CopiedOperations &all)
      : all(all) {
    for (loom::BoundaryOp op : boundaries)
      memory.insert(op.getResult());
  }

  void run(Region &region) {
    visit(region);
    copied = &all.ends;
    most = kMostAtEnds;
    for (scf::ForOp loop : earlier)
      visit(loop);
    for (size_t i = 0; i < ends.size(); ++i)
      visit(ends[i].getRegion());
  }

private:
  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto loop = dyn_cast<scf::ForOp>(op);
        if (loop && loop->hasAttr(kIsEnd) && isInMiddle())
          earlier.push_back(loop);
        else
          visit(&op);
      }
  }

  void visit(Operation *op) {
    if (op->hasAttr(loom::kFindsFailure))
      return;
    auto loop = dyn_cast<scf::ForOp>(op);
    // A kernel gathers the image of a contraction.
    if (loop && (NestProduct::isRaised(loop) || trySplit(loop)))
      return;
    for (Region &inner : op->getRegions())
      visit(inner);
  }

  bool isInMiddle() const { return copied == &all.middle; }

  bool trySplit(scf::ForOp loop) {
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex() ||
        !step || *step < 1 || *step > kMostNumber)
      return false;
    SmallVector<InnerIndex> found;
    size_t size = 0;
    // One loop has a name, and a function has so much memory on the stack.
    bool isOne = false;
    loop->walk([&](Operation *op) {
      ++size;
      isOne |= op->hasAttr(loom::kLoopName) || op->hasAttr(kStackSlot);
      auto load = dyn_cast<memref::LoadOp>(op);
      if (load && memory.contains(load.getMemRef()))
        findIndices(loop, load, found);
    });
    if (found.empty() || isOne || size > kMostOfLoop ||
        *copied + 2 * size > most)
      return false;
    *copied += 2 * size;
    MiddlePart part(loop);
    for (size_t i = 0; i < found.size(); ++i) {
      auto isSame = [&](const InnerIndex &other) {
        return other.isSame(found[i]);
      };
      if (llvm::none_of(ArrayRef(found).take_front(i), isSame))
        part.add(found[i]);
      addAxis(found[i].load, kTried, found[i].axis);
    }
    IRMapping middleOps;
    auto [front, middle] = part.split(middleOps);
    for (InnerIndex &index : found)
      addAxis(cast<memref::LoadOp>(middleOps.lookup(index.load.getOperation())),
              kInside, index.axis);
    for (scf::ForOp end : {front, loop}) {
      end->setAttr(kIsEnd, UnitAttr::get(loop.getContext()));
      ends.push_back(end);
    }
    visit(middle.getRegion());
    return true;
  }

  /// Adds the indices of a load that depend on the loop's variable, and else on
  /// numbers and loops whose bounds are known in front of the loop.
  void findIndices(scf::ForOp loop, memref::LoadOp load,
                   SmallVectorImpl<InnerIndex> &found) {
    auto boundary = load.getMemRef().getDefiningOp<loom::BoundaryOp>();
    if (!loop.isDefinedOutsideOfLoop(boundary.getResult()))
      return;
    SmallVector<int64_t> inside = getInsideAxes(load),
                         tried = getMarkedAxes(load, kTried);
    // Where a loop around has been split for an index, a loop around loops
    // would only save a computation in front of these.
    bool isInnermost = load->getParentOp() == loop;
    for (auto [axis, value] : llvm::enumerate(load.getIndices())) {
      // Among elements of the source are those between them.
      if (llvm::is_contained(inside, axis) || !goesBeyond(boundary, axis) ||
          boundary.getInteriorOf(axis) != 0 ||
          (!isInnermost && llvm::is_contained(tried, axis)))
        continue;
      std::optional<LinearIndex> index = LinearIndex::get(value);
      if (!index)
        continue;
      int64_t factor = index->getFactor(loop.getInductionVar());
      llvm::erase_if(index->terms, [&](auto &term) {
        return term.first == loop.getInductionVar();
      });
      if (factor > 0 && llvm::all_of(index->terms, [&](auto &term) {
            return isKnown(loop, term.first);
          }))
        found.push_back({load, int64_t(axis), std::move(*index), factor});
    }
  }

  static bool isKnown(scf::ForOp loop, Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    scf::ForOp inner = scf::getForInductionVarOwner(value);
    return inner && !inner.getUnsignedCmp() && value.getType().isIndex() &&
           loop.isDefinedOutsideOfLoop(inner.getLowerBound()) &&
           loop.isDefinedOutsideOfLoop(inner.getUpperBound());
  }

  llvm::DenseSet<Value> memory;
  /// The parts in front of middle ones and behind them: those that other
  /// boundaries made, and these make.
  SmallVector<scf::ForOp> earlier, ends;
  CopiedOperations &all;
  /// Those of the parts that are visited, and how many there may be.
  size_t *copied = &all.middle, most = kMostInMiddle;
};

} // namespace

void codegen::splitLoops(func::FuncOp func,
                         ArrayRef<loom::BoundaryOp> boundaries,
                         CopiedOperations &copied) {
  LoopSplitter(boundaries, copied).run(func.getBody());
}
