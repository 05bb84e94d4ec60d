//===- ObligeResult.cpp - a result against what takes its place -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/NumbersAtHand.h"
#include "infer/Refiner.h"
#include "infer/functions/Origin.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether two numbers are proved equal; of a choice, as of a broadcast
/// extent, both alternatives (`depth` times).
bool Refiner::areSame(const Number &a, const Number &b, unsigned depth) {
  if (numbers.truthOf(numbers.equal(a, b)) == Truth::Proved)
    return true;
  if (depth == 0 || a.constant != 0 || a.terms.size() != 1 ||
      a.terms[0].factor != 1 || a.terms[0].atoms.size() != 1)
    return false;
  Atom atom = numbers.getAtom(a.terms[0].atoms[0]);
  if (atom.kind == Atom::Kind::Symbol) {
    const Number *definition = numbers.getDefinition(atom.symbol);
    return definition && areSame(Number(*definition), b, depth - 1);
  }
  return atom.kind == Atom::Kind::Select && areSame(atom.a, b, depth - 1) &&
         areSame(atom.b, b, depth - 1);
}

LogicalResult Refiner::obligeResult(Operation *op, unsigned index, Value to) {
  OpBuilder builder(op);
  Shape claimed = analysis.getInfo(op->getResult(index)).shape;
  Shape given = analysis.getInfo(to).shape;
  // A wrong rank is for the cast to the operation's type to tell.
  if (!claimed.isRanked() || !given.isRanked() ||
      given.rank() != claimed.rank())
    return success();
  Location loc = op->getLoc();
  NumbersAtHand atHand(analysis, op);
  NumberEmitter &emitter = atHand.getEmitter();
  auto require = [&](ConditionId condition, size_t axis, const Number &is,
                     const Number &should, StringRef says) -> LogicalResult {
    Truth truth = numbers.truthOf(condition);
    std::string what =
        "axis " + std::to_string(axis) + " of result " + std::to_string(index);
    if (truth == Truth::Refuted && alwaysRuns(op))
      return op->emitError()
             << "'" << getOrigin(op) << "': " << what << " has extent "
             << numbers.toString(is) << " by the reference implementation but "
             << says << " " << numbers.toString(should)
             << " by the shape function";
    if (truth == Truth::Proved || !emitter.canEmitCondition(condition) ||
        !emitter.canEmit(is) || !emitter.canEmit(should))
      return success();
    Value holds = emitter.emitCondition(condition);
    Value values[] = {emitter.emit(is), emitter.emit(should)};
    loom::ObligeOp::create(
        builder, loc, getOrigin(op), holds,
        (what + " has extent {0} by the reference implementation but " + says +
         " {1} by the shape function")
            .str(),
        values);
    return success();
  };
  for (size_t axis = 0; axis < claimed.rank(); ++axis) {
    Number is = numbers.numberOf(given[axis]);
    Number should = numbers.numberOf(claimed[axis]);
    auto data = claimed[axis].isSymbol()
                    ? dataExtents.find(claimed[axis].symbolId())
                    : dataExtents.end();
    if (data == dataExtents.end()) {
      if (!areSame(is, should) &&
          failed(require(numbers.equal(is, should), axis, is, should, "has")))
        return failure();
      continue;
    }
    const DataExtent &bounds = data->second;
    if (failed(require(numbers.atMost(bounds.atLeast, is), axis, is,
                       bounds.atLeast, "at least")) ||
        (bounds.atMost && failed(require(numbers.atMost(is, *bounds.atMost),
                                         axis, is, *bounds.atMost, "at most"))))
      return failure();
  }
  return success();
}
