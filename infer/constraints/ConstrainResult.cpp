//===- ConstrainResult.cpp - a result against what takes its place --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ConstraintAnswers.h"
#include "infer/analysis/NumbersAtHand.h"
#include "infer/constraints/FunctionGuard.h"
#include "infer/constraints/Refiner.h"
#include "infer/functions/Origin.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether two numbers are proved equal. For a choice, such as a broadcast
/// extent, both alternatives are compared (`depth` times).
bool Refiner::areSame(const Number &a, const Number &b, unsigned depth) {
  if (truthOf(numbers, equal(numbers, a, b)) == Truth::Proved)
    return true;
  if (depth == 0 || a.constant != 0 || a.terms.size() != 1 ||
      a.terms[0].factor != 1 || a.terms[0].atoms.size() != 1)
    return false;
  Atom atom = numbers.getAtom(a.terms[0].atoms[0]);
  if (atom.kind == Atom::Kind::Symbol) {
    const Number *definition = getDefinition(numbers, atom.symbol);
    return definition && areSame(Number(*definition), b, depth - 1);
  }
  return atom.kind == Atom::Kind::Select && areSame(atom.a, b, depth - 1) &&
         areSame(atom.b, b, depth - 1);
}

LogicalResult Refiner::constrainResult(Operation *op, unsigned index, Value to,
                                       bool &isOpen) {
  OpBuilder builder(op);
  Shape claimed = analysis.getInfo(op->getResult(index)).shape;
  Shape given = analysis.getInfo(to).shape;
  // The cast to the operation's type reports a wrong rank.
  if (!claimed.isRanked() || !given.isRanked() ||
      given.rank() != claimed.rank())
    return success();
  Location loc = op->getLoc();
  NumbersAtHand atHand(analysis, op);
  NumberEmitter &emitter = atHand.getEmitter();
  auto require = [&](ConditionId condition, size_t axis, const Number &is,
                     const Number &should, StringRef says) -> LogicalResult {
    Truth truth = truthOf(numbers, condition);
    std::string what =
        "axis " + std::to_string(axis) + " of result " + std::to_string(index);
    if (truth == Truth::Refuted && isCertain(op))
      return op->emitError()
             << "'" << getOrigin(op) << "': " << what << " has extent "
             << toString(numbers, is) << " by the reference implementation but "
             << says << " " << toString(numbers, should)
             << " by the shape function";
    if (truth == Truth::Proved)
      return success();
    if (!emitter.canEmitCondition(condition) || !emitter.canEmit(is) ||
        !emitter.canEmit(should)) {
      isOpen = true;
      return success();
    }
    Value holds = emitter.emitCondition(condition);
    Value values[] = {emitter.emit(is), emitter.emit(should)};
    loom::ConstrainOp::create(
        builder, loc, getOrigin(op), holds,
        (what + " has extent {0} by the reference implementation but " + says +
         " {1} by the shape function")
            .str(),
        values);
    return success();
  };
  for (size_t axis = 0; axis < claimed.rank(); ++axis) {
    Number is = numberOf(numbers, given[axis]);
    Number should = numberOf(numbers, claimed[axis]);
    auto data = claimed[axis].isSymbol()
                    ? dataExtents.find(claimed[axis].symbolId())
                    : dataExtents.end();
    if (data == dataExtents.end()) {
      if (!areSame(is, should) &&
          failed(require(equal(numbers, is, should), axis, is, should, "has")))
        return failure();
      continue;
    }
    const DataExtent &bounds = data->second;
    if (failed(require(atMost(numbers, bounds.atLeast, is), axis, is,
                       bounds.atLeast, "at least")) ||
        (bounds.atMost && failed(require(atMost(numbers, is, *bounds.atMost),
                                         axis, is, *bounds.atMost, "at most"))))
      return failure();
  }
  return success();
}

LogicalResult Refiner::constrainResults(Operation *op, ValueRange to) {
  bool isOpen = false;
  if (!analysis.hasFunction(op))
    return success();
  for (auto [i, value] : llvm::enumerate(to)) {
    if (!isa<TensorType>(value.getType()))
      continue;
    Type type = op->getResult(i).getType();
    isOpen |= isa<TensorType>(type) &&
              (!analysis.getInfo(op->getResult(i)).shape.isRanked() ||
               !analysis.getInfo(value).shape.isRanked());
    if (failed(constrainResult(op, i, value, isOpen)))
      return failure();
  }
  if (isOpen)
    compareWhenItRuns(op, /*isAddition=*/false, to);
  return success();
}

void Refiner::compareWhenItRuns(Operation *op, bool isAddition,
                                ValueRange results) {
  bool runs = bool(requireFunction(analysis, op, isAddition, results));
  addFunctionRow(op,
                 "its shape function accepts the operands, and results have "
                 "the shapes that it says",
                 runs, "a rank or an extent of them is not known before");
}

bool Refiner::constrainAddition(OpResult result, const Shape &claimed,
                                const DataExtents &data, bool isWalk) {
  Operation *op = result.getOwner();
  if (!isa<TensorType>(result.getType()))
    return true;
  Shape given = analysis.getInfo(result).shape;
  if (!claimed.isRanked() || !given.isRanked())
    return false;
  // The types have been compared with the claim.
  if (given.rank() != claimed.rank())
    return true;
  NumbersAtHand atHand(analysis, op, NumbersAtHand::Where::After);
  OpBuilder &builder = atHand.getBuilder();
  NumberEmitter &emitter = atHand.getEmitter();
  auto require = [&](ConditionId condition, size_t axis, const Number &is,
                     const Number &should, StringRef says) {
    if (truthOf(numbers, condition) == Truth::Proved)
      return true;
    if (!emitter.canEmitCondition(condition) || !emitter.canEmit(is) ||
        !emitter.canEmit(should))
      return false;
    Value holds = emitter.emitCondition(condition);
    Value values[] = {emitter.emit(is), emitter.emit(should)};
    auto constrain = loom::ConstrainOp::create(
        builder, op->getLoc(), getOrigin(op), holds,
        ("axis " + Twine(axis) + " of result " +
         Twine(result.getResultNumber()) + " has extent {0} but " + says +
         " {1} by the shape function that a library adds")
            .str(),
        values);
    if (isWalk || alwaysRuns(op))
      analysis.learn(condition, guardReport ? getFactOrigin(constrain) : "");
    return true;
  };
  bool isCovered = true;
  for (size_t axis = 0; axis < claimed.rank(); ++axis) {
    Number is = numberOf(numbers, given[axis]);
    Number should = numberOf(numbers, claimed[axis]);
    auto bounds = claimed[axis].isSymbol() ? data.find(claimed[axis].symbolId())
                                           : data.end();
    if (bounds == data.end()) {
      isCovered &= require(equal(numbers, is, should), axis, is, should, "has");
      continue;
    }
    const Number &atLeast = bounds->second.atLeast;
    isCovered &=
        require(atMost(numbers, atLeast, is), axis, is, atLeast, "at least");
    if (const std::optional<Number> &most = bounds->second.atMost)
      isCovered &=
          require(atMost(numbers, is, *most), axis, is, *most, "at most");
  }
  return isCovered;
}

/// Whether an extent of a result follows from values other than the result.
static bool isClaimed(Operation *op, Numbers &numbers,
                      const ShapeAnalysis &analysis, Extent extent,
                      NumberEmitter &emitter) {
  Number number = numberOf(numbers, extent);
  if (!emitter.canEmit(number))
    return false;
  bool isOwn = false;
  forEachLeaf(numbers, number, [&](AtomId leaf) {
    if (numbers.getAtom(leaf).kind != Atom::Kind::Symbol)
      return;
    ExtentSource source =
        analysis.getFacts().getSource(numbers.getAtom(leaf).symbol);
    Value value = source.isKnown
                      ? analysis.getTable().getNode(source.node).value
                      : Value();
    isOwn |= value && value.getDefiningOp() == op;
  });
  return !isOwn;
}

/// For questions about shapes, an extent that depends on data: a value that is
/// read from data, limited to the shape function's bound. sf-7
Value Refiner::emitDataExtent(OpBuilder &builder, Location loc, Extent extent,
                              NumberEmitter &emitter) {
  Value data = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                       builder.getIndexType());
  Value number = tensor::ExtractOp::create(builder, loc, data, ValueRange());
  auto it = extent.isSymbol() ? dataExtents.find(extent.symbolId())
                              : dataExtents.end();
  if (it == dataExtents.end() || !it->second.atMost ||
      !emitter.canEmit(*it->second.atMost))
    return number;
  return arith::MinSIOp::create(builder, loc, number,
                                emitter.emit(*it->second.atMost));
}

bool Refiner::replaceByShapes(Operation *op) {
  NumbersAtHand atHand(analysis, op);
  NumberEmitter &emitter = atHand.getEmitter();
  if (!llvm::all_of(op->getResults(), [&](OpResult result) {
        return isa<TensorType>(result.getType()) &&
               analysis.getInfo(result).shape.isRanked();
      }))
    return false;
  OpBuilder builder(op);
  auto emit = [&](Extent extent) -> OpFoldResult {
    if (extent.isFixed())
      return builder.getIndexAttr(extent.value());
    if (isClaimed(op, numbers, analysis, extent, emitter))
      return emitter.emit(numberOf(numbers, extent));
    return emitDataExtent(builder, op->getLoc(), extent, emitter);
  };
  // Extents that are equal are one number.
  llvm::DenseMap<SymbolId, OpFoldResult> emitted;
  for (OpResult result : op->getResults()) {
    auto type = cast<TensorType>(result.getType());
    Shape shape = analysis.getInfo(result).shape;
    SmallVector<OpFoldResult> sizes;
    for (Extent extent : shape) {
      if (!extent.isSymbol()) {
        sizes.push_back(emit(extent));
        continue;
      }
      OpFoldResult &size = emitted[extent.symbolId()];
      if (!size)
        size = emit(extent);
      sizes.push_back(size);
    }
    Value made = tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                         type.getElementType());
    if (made.getType() != type)
      made = tensor::CastOp::create(builder, op->getLoc(), type, made);
    analysis.replace(result, made);
    result.replaceAllUsesWith(made);
  }
  op->erase();
  return true;
}
