//===- ReductionCandidates.cpp - what reductions can be fused with --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/fuse/ReductionCandidates.h"

#include "dialect/LoomAccess.h"
#include "dialect/ScalarBody.h"
#include "lower/fuse/Passes.h"
#include "runtime/calls/Tensor.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::AxisAccess;
using loom::MapOp;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// What is known of an operand's extents: each is the result's (Same), each may
/// be (Open), or one is 1 and the result's may differ (Other).
enum class Extents { Same, Open, Other };

static Extents getExtents(MapOp map, unsigned i) {
  auto type = cast<RankedTensorType>(map.getInputs()[i].getType());
  auto result = cast<RankedTensorType>(map.getResult(0).getType());
  if (type.getRank() != result.getRank())
    return Extents::Other;
  if (loom::hasShapeOfMap(map, i))
    return Extents::Same;
  auto access = map.getKinds() ? cast<loom::AccessAttr>((*map.getKinds())[i])
                               : loom::AccessAttr();
  bool isKnown = access && access.getRanked();
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool isOne = type.getDimSize(axis) == 1 ||
                 (isKnown && access.getAxes()[axis] == AxisAccess::One);
    if (isOne && result.getDimSize(axis) != 1)
      return Extents::Other;
  }
  return Extents::Open;
}

/// Whether operand `i` does not affect the result's shape.
static bool isAllOnes(MapOp map, unsigned i) {
  Value input = map.getInputs()[i];
  auto type = dyn_cast<RankedTensorType>(input.getType());
  return !isa<ShapedType>(input.getType()) ||
         (type && type.hasStaticShape() && type.getNumElements() == 1);
}

/// In a fused reduction, the extents of a value are those of its operands. So
/// each result of a map must be computed from all operands whose broadcast
/// gives its extents, or from one that is known to have all of these (rt-6).
static bool computesFromAll(MapOp map) {
  uint64_t needed = 0, same = 0;
  for (unsigned i = 0; i < map.getInputs().size(); ++i) {
    if (isAllOnes(map, i))
      continue;
    needed |= uint64_t(1) << i;
    if (getExtents(map, i) == Extents::Same)
      same |= uint64_t(1) << i;
  }
  DenseMap<Value, uint64_t> read;
  for (BlockArgument argument : map.getBodyBlock().getArguments())
    read[argument] = uint64_t(1) << argument.getArgNumber();
  for (Operation &op : map.getBodyBlock().without_terminator()) {
    uint64_t all = 0;
    for (Value operand : loom::getReads(&op))
      all |= read.lookup(operand);
    for (Value result : op.getResults())
      read[result] = all;
  }
  return llvm::all_of(map.getBodyBlock().getTerminator()->getOperands(),
                      [&](Value value) {
                        Operation *def = value.getDefiningOp();
                        uint64_t all = read.lookup(value);
                        return def && !def->hasTrait<OpTrait::ConstantLike>() &&
                               ((needed & ~all) == 0 || (same & all) != 0);
                      });
}

static bool isRankedWithin(Type type, int64_t rank) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return !isa<ShapedType>(type) || (ranked && ranked.getRank() <= rank);
}

/// Whether the body has a loop. Kernels over rows also compute unused lanes
/// with arbitrary data, for which a loop may not end.
static bool hasLoop(MapOp map) {
  return map.getBody()
      .walk([](Operation *op) {
        bool jumps = llvm::any_of(op->getRegions(), [](Region &region) {
          return !region.empty() && !region.hasOneBlock();
        });
        return jumps || isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

void ReductionCandidates::addMap(MapOp map) {
  auto result = dyn_cast<RankedTensorType>(map.getResult(0).getType());
  if (!result || result.getRank() == 0 ||
      result.getRank() > BROADLOOM_MAX_RANK ||
      map.getInputs().size() > kMaxFusedOperands ||
      !llvm::all_of(
          map.getOperandTypes(),
          [&](Type type) { return isRankedWithin(type, result.getRank()); }) ||
      !llvm::all_of(map.getResultTypes(),
                    [](Type type) { return isa<RankedTensorType>(type); }) ||
      !computesFromAll(map) || hasLoop(map))
    return;
  RowCandidate &candidate = candidates[map];
  candidate.op = map;
  candidate.inputs = map.getInputs();
  candidate.rank = result.getRank();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void ReductionCandidates::addReduction(Operation *op, Reduction reduction) {
  Value input = op->getOperand(0);
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getRank() > BROADLOOM_MAX_RANK)
    return;
  RowCandidate candidate;
  candidate.op = op;
  candidate.reduction = reduction;
  candidate.axes = uint64_t(1) << reduction.axis;
  candidate.rank = type.getRank();
  candidate.inputs = {input};
  candidate.chain = {op};
  if (auto it = candidates.find(input.getDefiningOp());
      it != candidates.end() && it->second.reduction && input.hasOneUse() &&
      it->second.reduction->isSameAs(reduction) &&
      !(it->second.axes & candidate.axes)) {
    candidate.axes |= it->second.axes;
    candidate.inputs = it->second.inputs;
    llvm::append_range(candidate.chain, it->second.chain);
    continued[it->first] = op;
    candidates.erase(it);
  }
  candidates[op] = std::move(candidate);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// The kind of a key: a static shape, a class and the reduced axes, or a unique
/// shape.
enum : int64_t { kStatic, kReduced, kOwn };

ShapeClass ReductionCandidates::intern(std::vector<int64_t> key) {
  auto [it, isNew] = numbers.try_emplace(key, keys.size());
  if (isNew)
    keys.push_back(std::move(key));
  return it->second;
}

ShapeClass ReductionCandidates::getReducedClass(ShapeClass shape,
                                                uint64_t axes) {
  std::vector<int64_t> key = keys[shape];
  if (key.front() != kStatic)
    return intern({kReduced, int64_t(shape), int64_t(axes)});
  for (size_t axis = 0; axis + 1 < key.size(); ++axis)
    if (axes >> axis & 1)
      key[axis + 1] = 1;
  return intern(std::move(key));
}

ShapeClass ReductionCandidates::getMapClass(MapOp map) {
  SmallVector<ShapeClass> open;
  // The class after a reduction identifies the class before it.
  std::optional<ShapeClass> reduced;
  for (unsigned i = 0; i < map.getInputs().size(); ++i) {
    Value input = map.getInputs()[i];
    if (!isa<RankedTensorType>(input.getType()))
      continue;
    Extents extents = getExtents(map, i);
    ShapeClass own = getClass(input);
    if (extents == Extents::Same)
      return own;
    if (extents == Extents::Open)
      open.push_back(own);
    if (keys[own].front() == kReduced && !reduced)
      reduced = own;
  }
  if (open.empty())
    return intern({kOwn, int64_t(keys.size())});
  if (!reduced)
    return open.front();
  ShapeClass whole = ShapeClass(keys[*reduced][1]);
  return llvm::is_contained(open, whole) ? whole : *reduced;
}

ShapeClass ReductionCandidates::getClass(Value value) {
  if (auto it = classes.find(value); it != classes.end())
    return it->second;
  ShapeClass found;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.hasStaticShape()) {
    std::vector<int64_t> key = {kStatic};
    llvm::append_range(key, type.getShape());
    found = intern(std::move(key));
  } else {
    found = intern({kOwn, int64_t(keys.size())});
  }
  return classes[value] = found;
}

ReductionCandidates::ReductionCandidates(Block &block) {
  for (Operation &op : block) {
    if (auto map = dyn_cast<MapOp>(op))
      addMap(map);
    else if (std::optional<Reduction> reduction = matchReduction(&op))
      addReduction(&op, *reduction);
    // In order, so that a class is computed after those on which it depends.
    auto it = candidates.find(&op);
    if (it == candidates.end())
      continue;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    // No value has the reduced shape of an argmax, whose result has another
    // rank.
    if (type.hasStaticShape() || isArgMax(it->second))
      continue;
    ShapeClass own = it->second.reduction
                         ? getReducedClass(getClass(it->second.inputs.front()),
                                           it->second.axes)
                         : getMapClass(cast<MapOp>(op));
    for (Value result : op.getResults())
      classes[result] = own;
  }
}

const RowCandidate *ReductionCandidates::find(Operation *op) const {
  auto it = candidates.find(op);
  return it == candidates.end() ? nullptr : &it->second;
}

Operation *ReductionCandidates::getLast(Operation *op) const {
  for (auto it = continued.find(op); it != continued.end();
       it = continued.find(op))
    op = it->second;
  return op;
}
