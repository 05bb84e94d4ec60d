//===- CarriedShapes.cpp - values that are handed on and joined -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeWalk.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static bool isInteger(Type type) {
  return type.isIndex() || type.isInteger(64);
}

/// Names that facts give extents here may not hold elsewhere.
ShapeWalk::Carried ShapeWalk::carry(Value value) {
  Carried carried;
  carried.value = value;
  if (!value)
    return carried;
  if (ShapeAnalysis::hasShape(value.getType())) {
    carried.info = analysis.getInfo(value);
    if (carried.info.shape.isRanked()) {
      carried.known = Shape();
      for (Extent extent : carried.info.shape)
        carried.known.push_back(analysis.getProver().resolve(extent));
    }
  } else if (isInteger(value.getType())) {
    carried.number = analysis.getScalars().getNumber(value);
    carried.bounds = boundsOf(analysis.getNumbers(), *carried.number);
  }
  return carried;
}

//===----------------------------------------------------------------------===//
// Available numbers
//===----------------------------------------------------------------------===//

static bool isOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

/// Whether all leaves of a number are available after `outOf`.
bool ShapeWalk::isAvailable(const Number &number, Operation *outOf) {
  if (!outOf)
    return true;
  const Numbers &numbers = analysis.getNumbers();
  SmallVector<const Number *> work{&number};
  llvm::SmallDenseSet<SymbolId> seen;
  bool isGood = true;
  auto isNodeOutside = [&](NodeId node) {
    return llvm::all_of(analysis.getTable().getLeaves(node), [&](NodeId leaf) {
      Value value = analysis.getTable().getNode(leaf).value;
      return value && isOutside(value, outOf);
    });
  };
  while (isGood && !work.empty()) {
    forEachLeaf(numbers, *work.pop_back_val(), [&](AtomId leaf) {
      const Atom &atom = numbers.getAtom(leaf);
      if (atom.kind == Atom::Kind::Unknown) {
        Value value = analysis.getScalars().getValue(leaf);
        isGood &= value && isOutside(value, outOf);
        return;
      }
      if (!seen.insert(atom.symbol).second)
        return;
      if (const Number *definition = getDefinition(numbers, atom.symbol)) {
        work.push_back(definition);
        return;
      }
      ExtentSource source = analysis.getFacts().getSource(atom.symbol);
      isGood &= source.isKnown && isNodeOutside(source.node);
    });
    // Long joins are not worth the time.
    isGood &= seen.size() <= Symbols::kMaxMembers;
  }
  return isGood;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

Extent ShapeWalk::join(ArrayRef<const Carried *> from, size_t axis) {
  // The names that fit all values so far.
  SmallVector<Extent, 2> names;
  bool isFirst = true;
  for (const Carried *carried : from) {
    Extent own = carried->info.shape[axis], known = carried->known[axis];
    if (analysis.isOpen(own))
      continue;
    if (isFirst)
      names = {known, own};
    else
      llvm::erase_if(names,
                     [&](Extent name) { return name != own && name != known; });
    isFirst = false;
  }
  if (isFirst)
    return from.front()->info.shape[axis];
  return names.empty() ? Extent() : names.front();
}

/// The shape of a value that is one of several; unranked where their ranks
/// differ or are not known.
Shape ShapeWalk::join(ArrayRef<const Carried *> from) {
  const Shape &first = from.front()->info.shape;
  for (const Carried *carried : from) {
    const Shape &shape = carried->info.shape;
    if (!shape.isRanked() || shape.rank() != first.rank())
      return Shape::unranked();
  }
  Shape joined;
  for (size_t axis = 0; axis < first.rank(); ++axis)
    joined.push_back(join(from, axis));
  return joined;
}

std::optional<std::vector<Shape>> ShapeWalk::getReturned() {
  if (returned.empty())
    return std::nullopt;
  std::vector<Shape> shapes;
  for (size_t i = 0; i < returned.front().size(); ++i) {
    SmallVector<const Carried *> from;
    for (const CarriedList &list : returned)
      from.push_back(&list[i]);
    shapes.push_back(join(from));
  }
  return shapes;
}

void ShapeWalk::receiveShape(Value input, ArrayRef<const Carried *> from,
                             Operation *outOf) {
  const ShapeInfo &first = from.front()->info;
  if (!first.shape.isRanked()) {
    // A shape of unknown rank stays the same shape on all edges. The simulation
    // of a loop may learn its rank, and then that one extent differs; the
    // extents of such a shape are not carried.
    bool isSame = !isAnyAxisGivenUp(input) &&
                  llvm::all_of(from, [&](const Carried *carried) {
                    return !carried->info.shape.isRanked() &&
                           carried->info.node == first.node;
                  });
    Value value = analysis.getTable().getNode(first.node).value;
    if (isSame && value && (!outOf || isOutside(value, outOf)))
      return analysis.setSame(input, value);
    return analysis.setUnknown(input);
  }
  Shape joined = join(from);
  if (!joined.isRanked())
    return analysis.setUnknown(input);
  Shape shape;
  for (size_t axis = 0; axis < joined.rank(); ++axis) {
    Extent extent = joined[axis];
    bool isGood = !isGivenUp(input, axis) &&
                  (!extent.isSymbol() ||
                   isAvailable(numberOf(analysis.getNumbers(), extent), outOf));
    shape.push_back(isGood ? extent : Extent());
  }
  analysis.setShape(input, shape);
}

/// Numbers that differ still have bounds in common. For values that a loop
/// carries, each end of the bounds is assumed separately and then checked.
void ShapeWalk::receiveBounds(Value input, ArrayRef<const Carried *> from) {
  if (!isInteger(input.getType()))
    return analysis.setUnknown(input);
  Bounds bounds{Bounds::kNone, -Bounds::kNone};
  for (const Carried *carried : from) {
    Bounds own = carried->number ? carried->bounds : Bounds();
    bounds = {std::min(bounds.lo, own.lo), std::max(bounds.hi, own.hi)};
  }
  if (from.empty() || isGivenUp(input, kLower))
    bounds.lo = Bounds().lo;
  if (from.empty() || isGivenUp(input, kUpper))
    bounds.hi = Bounds().hi;
  analysis.getScalars().setUnknown(input, bounds);
}

/// Numbers that differ by constants from one of them keep that distance from it
/// as bounds.
void ShapeWalk::receiveDistance(Value input, ArrayRef<const Carried *> from,
                                Operation *outOf) {
  if (from.size() < 2 || !from.front()->number ||
      !isAvailable(*from.front()->number, outOf))
    return;
  Numbers &numbers = analysis.getNumbers();
  const Number &base = *from.front()->number;
  Number least, most;
  for (const Carried *carried : llvm::drop_begin(from)) {
    if (!carried->number)
      return;
    std::optional<Number> distance = subtract(numbers, *carried->number, base);
    if (!distance || !distance->isConstant())
      return;
    least.constant = std::min(least.constant, distance->constant);
    most.constant = std::max(most.constant, distance->constant);
  }
  Number own = analysis.getScalars().getNumber(input);
  if (std::optional<Number> lower = add(numbers, base, least))
    assume(numbers, atMost(numbers, *lower, own));
  if (std::optional<Number> upper = add(numbers, base, most))
    assume(numbers, atMost(numbers, own, *upper));
}

/// Whether `input` is an output of a loop over tensors, which its iterations
/// write: it has the shape of what it comes from, and other elements.
static bool isWrittenByIterations(Value input) {
  Operation *op = isa<BlockArgument>(input)
                      ? input.getParentBlock()->getParentOp()
                      : input.getDefiningOp();
  return isa_and_nonnull<scf::ForallOp>(op);
}

void ShapeWalk::receive(Value input, ArrayRef<const Carried *> from,
                        Operation *outOf) {
  if (isGivenUp(input, kWhole) && !ShapeAnalysis::hasShape(input.getType()))
    return receiveBounds(input, from);
  if (from.empty() || isGivenUp(input, kWhole))
    return analysis.setUnknown(input);
  Value value = from.front()->value;
  bool isOne = llvm::all_of(
      from, [&](const Carried *carried) { return carried->value == value; });
  if (!value)
    return analysis.setUnknown(input);
  if (ShapeAnalysis::hasShape(input.getType())) {
    if (!ShapeAnalysis::hasShape(value.getType()))
      return analysis.setUnknown(input);
    receiveShape(input, from, outOf);
    // A list of integers has a shape and its elements.
    if (isOne && from.size() == 1 && !outOf && !isWrittenByIterations(input))
      analysis.getScalars().setSame(input, value);
    else
      analysis.getScalars().forget(input);
    return;
  }
  bool isSame = llvm::all_of(from, [&](const Carried *carried) {
    return carried->number && *carried->number == *from.front()->number;
  });
  if (isSame && isAvailable(*from.front()->number, outOf))
    return analysis.getScalars().setNumber(input, *from.front()->number);
  receiveBounds(input, from);
  if (isInteger(input.getType()))
    receiveDistance(input, from, outOf);
}

/// A counter fits 64 bits because the index of its loop does.
void ShapeWalk::assumeCounted(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return;
  Numbers &numbers = analysis.getNumbers();
  ScalarAnalysis &scalars = analysis.getScalars();
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs())) {
    if (!isInteger(argument.getType()) || !isGivenUp(argument, kWhole) ||
        isGivenUp(argument, kCounted))
      continue;
    std::optional<Number> grown =
        subtract(numbers, scalars.getNumber(argument), scalars.getNumber(init));
    std::optional<Number> passed =
        subtract(numbers, scalars.getNumber(loop.getInductionVar()),
                 scalars.getNumber(loop.getLowerBound()));
    if (grown && passed)
      assume(numbers, atMost(numbers, *grown, *passed));
  }
}

void ShapeWalk::checkCounted(Value input, const Number &next) {
  auto argument = dyn_cast<BlockArgument>(input);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || loop.getUnsignedCmp() || argument == loop.getInductionVar() ||
      isGivenUp(input, kCounted))
    return;
  Numbers &numbers = analysis.getNumbers();
  ScalarAnalysis &scalars = analysis.getScalars();
  Value init = loop.getTiedLoopInit(argument)->get();
  std::optional<Number> grown =
      subtract(numbers, next, scalars.getNumber(init));
  std::optional<Number> passed =
      subtract(numbers,
               add(numbers, scalars.getNumber(loop.getInductionVar()),
                   scalars.getNumber(loop.getStep())),
               scalars.getNumber(loop.getLowerBound()));
  if (!grown || !passed ||
      !decide(numbers, atMost(numbers, *grown, *passed)).isProved())
    giveUp(input, kCounted);
}

void ShapeWalk::checkNumber(Value input, const Carried &carried) {
  if (!carried.number)
    return giveUpAll(input);
  Numbers &numbers = analysis.getNumbers();
  Number own = analysis.getScalars().getNumber(input);
  if (!isGivenUp(input, kWhole)) {
    if (truthOf(numbers, equal(numbers, own, *carried.number)) != Truth::Proved)
      giveUp(input, kWhole);
    return;
  }
  checkCounted(input, *carried.number);
  Bounds assumed = numbers.naturalBoundsOf(own);
  if (carried.bounds.lo < assumed.lo)
    giveUp(input, kLower);
  if (carried.bounds.hi > assumed.hi)
    giveUp(input, kUpper);
}

void ShapeWalk::check(Value input, const Carried &carried) {
  if (!ShapeAnalysis::hasShape(input.getType()))
    return checkNumber(input, carried);
  if (isGivenUp(input, kWhole))
    return;
  // The elements of a list are carried along a single edge only.
  if (analysis.getScalars().getList(input))
    return giveUp(input, kWhole);
  ShapeInfo own = analysis.getInfo(input);
  const ShapeInfo &next = carried.info;
  if (!own.shape.isRanked() || !next.shape.isRanked()) {
    if (own.node != next.node)
      giveUp(input, kWhole);
    return;
  }
  if (own.shape.rank() != next.shape.rank())
    return giveUp(input, kWhole);
  for (size_t axis = 0; axis < own.shape.rank(); ++axis)
    if (!isGivenUp(input, axis) &&
        !analysis.getProver()
             .equal(own.shape[axis], next.shape[axis])
             .isProved())
      giveUp(input, axis);
}
