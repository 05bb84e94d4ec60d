//===- Refiner.cpp - what shape functions say of a program ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Refiner.h"
#include "dialect/LoomDialect.h"
#include "dialect/ShapeConversion.h"
#include "infer/Position.h"
#include "infer/ReportRow.h"
#include "infer/functions/ConstraintRows.h"
#include "infer/functions/DiagnosticListener.h"
#include "infer/functions/Origin.h"
#include "infer/functions/UserDialects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// A name for an extent; arguments have the short ones.
static std::string nameAxis(Value value, size_t axis) {
  Operation *op = value.getDefiningOp();
  return op ? "(axis " + std::to_string(axis) + " of the result of '" +
                  getOriginalName(op).str() + "')"
            : "";
}

void Refiner::nameArguments(FunctionOpInterface func) {
  if (!guardReport)
    return;
  for (BlockArgument argument : func.getArguments())
    (void)getShape(argument);
}

const Shape &Refiner::getShape(Value value) {
  auto [it, isNew] = shapes.try_emplace(value);
  if (!isNew)
    return it->second;
  // A cast changes the type of a shape and not the shape.
  Operation *def = value.getDefiningOp();
  auto between = dyn_cast_or_null<UnrealizedConversionCastOp>(def);
  if (isa_and_nonnull<tensor::CastOp>(def) ||
      (between && between.getNumOperands() == 1 &&
       isUserType(between.getOperand(0).getType()))) {
    Shape source = getShape(def->getOperand(0));
    if (source.isRanked())
      return shapes[value] = source;
  }
  Shape shape = Operand(value.getType()).shape;
  for (size_t axis = 0; axis < shape.rank(); ++axis)
    if (shape[axis].isDynamic()) {
      shape[axis] = symbols.create(guardReport ? nameAxis(value, axis) : "");
      // What a type only carries has no extents to read.
      if (isa<ShapedType>(value.getType()))
        sources[shape[axis].symbolId()] = {value, axis};
    }
  return shapes[value] = shape;
}

Request Refiner::makeRequestFor(Operation *op) {
  Request request = makeRequest(op);
  for (auto [operand, value] : llvm::zip(request.operands, op->getOperands())) {
    operand.shape = getShape(value);
    if (auto it = values.find(value); it != values.end())
      operand.value = it->second;
  }
  return request;
}

/// What the declared types of results say beyond the inferred shapes. rt-4
void Refiner::requireDeclared(Operation *op, Outcome &outcome) {
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    TensorType carried = getCarriedType(result.getType());
    Type type = carried ? Type(carried) : result.getType();
    std::optional<Shape> declared = shapeOf(type);
    ResultComponents &components = outcome.results[i];
    if (!declared)
      continue;
    auto require = [&](ConditionId condition, std::string message,
                       std::vector<Datum> data) {
      if (condition == Numbers::kTrue)
        return;
      outcome.constraints.push_back({numbers.truthOf(condition), condition,
                                     std::move(message), std::move(data),
                                     op->getLoc()});
    };
    auto number = [](size_t n) { return Number(static_cast<int64_t>(n)); };
    Type elementType = getElementTypeOrSelf(type);
    if (components.elementType && components.elementType != elementType)
      require(Numbers::kFalse,
              "result {0} is declared with elements of type {1} but has {2}",
              {number(i), elementType, components.elementType});
    Attribute encoding = encodingOf(type);
    if (components.encoding && components.encoding != encoding)
      require(Numbers::kFalse,
              "result {0} is declared with the encoding {1} but has {2}",
              {number(i), encoding, components.encoding});
    if (!declared->isRanked() || !components.shape.isRanked())
      continue;
    if (declared->rank() != components.shape.rank()) {
      require(Numbers::kFalse,
              "result {0} is declared with {1} axes but has {2}",
              {number(i), number(declared->rank()),
               number(components.shape.rank())});
      continue;
    }
    for (size_t axis = 0; axis < declared->rank(); ++axis) {
      if (!(*declared)[axis].isFixed())
        continue;
      Number is = numbers.numberOf(components.shape[axis]);
      Number should = numbers.numberOf((*declared)[axis]);
      bool isOpen = components.isFromInference && !is.isConstant();
      if (!isOpen)
        require(numbers.equal(is, should),
                "axis {1} of result {0} is declared {2} but is {3}",
                {number(i), number(axis), should, is});
      components.shape[axis] = (*declared)[axis];
    }
  }
  for (const Constraint &constraint : outcome.constraints)
    if (constraint.truth != Truth::Proved && outcome.truth != Truth::Refuted)
      outcome.truth = constraint.truth;
}

/// Whether every call of the function runs `op`.
static bool alwaysRuns(Operation *op) {
  return op->getBlock()->isEntryBlock() &&
         isa<FunctionOpInterface>(op->getParentOp());
}

NumberEmitter Refiner::makeEmitter(OpBuilder &builder, Location loc) {
  return NumberEmitter(
      builder, loc, numbers,
      [&, loc](SymbolId symbol) -> Value {
        auto [value, axis] = sources.find(symbol)->second;
        return tensor::DimOp::create(builder, loc, value, axis);
      },
      [&](SymbolId symbol) { return sources.count(symbol) != 0; });
}

/// Records what is not known before the operation; false where a constraint
/// depends on what no extent tells.
bool Refiner::obligeAll(Operation *op, const Outcome &outcome, bool obligations,
                        ArrayRef<size_t> rows) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  NumberEmitter emitter = makeEmitter(builder, loc);
  bool isCovered = true;
  for (auto [i, constraint] : llvm::enumerate(outcome.constraints)) {
    if (constraint.truth == Truth::Proved)
      continue;
    std::vector<Number> data;
    std::string message = makeTemplate(outcome, constraint, data);
    if (!obligations || !emitter.canEmitCondition(constraint.condition) ||
        !llvm::all_of(data,
                      [&](const Number &n) { return emitter.canEmit(n); })) {
      isCovered = false;
      ++numOpen;
      continue;
    }
    SmallVector<Value> values;
    Value condition = emitter.emitCondition(constraint.condition);
    for (const Number &number : data)
      values.push_back(emitter.emit(number));
    auto oblige = loom::ObligeOp::create(builder, loc, getOrigin(op), condition,
                                         message, values);
    if (!rows.empty())
      setRow(oblige, rows[i]);
    ++numObliged;
    // rt-8
    if (alwaysRuns(op))
      numbers.assume(constraint.condition);
  }
  return isCovered;
}

/// A type that says this shape in the place of `declared`, a tensor's or one
/// that carries a tensor's; null where that is no other. What has an encoding
/// keeps its type: the encoding may speak of the extents.
static Type getRefined(Type declared, ShapeView shape) {
  TensorType carried = getCarriedType(declared);
  auto type = carried ? carried : dyn_cast<TensorType>(declared);
  if (!type || !shape.isRanked())
    return {};
  if (auto ranked = dyn_cast<RankedTensorType>(type);
      ranked && ranked.getEncoding())
    return {};
  auto refined =
      dyn_cast_or_null<TensorType>(typeOf(type, shape, type.getElementType()));
  if (!refined || refined == type)
    return {};
  return carried ? withCarriedType(declared, refined) : Type(refined);
}

void Refiner::refineType(OpResult result, ShapeView shape) {
  Type type = result.getType();
  Type refined = getRefined(type, shape);
  if (!refined)
    return;
  OpBuilder builder(result.getOwner()->getContext());
  builder.setInsertionPointAfter(result.getOwner());
  result.setType(refined);
  Operation *cast;
  if (isa<TensorType>(type))
    cast = tensor::CastOp::create(builder, result.getLoc(), type, result);
  else
    cast = UnrealizedConversionCastOp::create(builder, result.getLoc(), type,
                                              result);
  result.replaceAllUsesExcept(cast->getResult(0), cast);
  ++numRefined;
}

void Refiner::replace(Value from, Value to) {
  if (auto it = values.find(from); it != values.end()) {
    std::vector<Integer> value = std::move(it->second);
    values.erase(it);
    values[to] = std::move(value);
  }
  auto it = shapes.find(from);
  if (it == shapes.end())
    return;
  Shape shape = std::move(it->second);
  shapes.erase(it);
  if (!shape.isRanked())
    return;
  for (Extent extent : shape)
    if (extent.isSymbol())
      if (auto source = sources.find(extent.symbolId());
          source != sources.end() && source->second.first == from)
        source->second.first = to;
  shapes[to] = std::move(shape);
}

void Refiner::setBroadcast(Value result, ValueRange operands) {
  if (operands.empty())
    return;
  Shape shape = getShape(operands.front());
  if (!shape.isRanked())
    return;
  for (Value operand : operands.drop_front()) {
    const Shape &other = getShape(operand);
    if (!other.isRanked() || other.rank() != shape.rank())
      return;
    for (size_t axis = 0; axis < shape.rank(); ++axis)
      if (numbers.truthOf(numbers.equal(numbers.numberOf(shape[axis]),
                                        numbers.numberOf(other[axis]))) !=
          Truth::Proved)
        return;
  }
  shapes[result] = std::move(shape);
}

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

LogicalResult Refiner::obligeResult(OpBuilder &builder, Operation *op,
                                    unsigned index, Value to) {
  auto it = shapes.find(op->getResult(index));
  if (it == shapes.end() || !it->second.isRanked())
    return success();
  Shape claimed = it->second, given = getShape(to);
  // A wrong rank is for the cast to the operation's type to tell.
  if (!given.isRanked() || given.rank() != claimed.rank())
    return success();
  Location loc = op->getLoc();
  NumberEmitter emitter = makeEmitter(builder, loc);
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

/// Takes what is known better of the operands, past the casts that are there
/// for others.
static void takeKnownOperands(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *def = operand.get().getDefiningOp();
    auto cast = dyn_cast_or_null<tensor::CastOp>(def);
    if (cast && tensor::canFoldIntoConsumerOp(cast))
      operand.set(cast.getSource());
    if (auto cast = dyn_cast_or_null<UnrealizedConversionCastOp>(def);
        cast && cast.getNumOperands() == 1 &&
        isUserType(cast.getOperand(0).getType()))
      operand.set(cast.getOperand(0));
  }
}

/// Whether an operation that no library maps is worth deriving a function for:
/// one that makes tensors of tensors and of nothing else. sf-9
static bool mayDerive(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return op->getNumResults() != 0 && op->getNumRegions() == 0 &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa_and_nonnull<loom::LoomDialect, tensor::TensorDialect>(
             op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), isTensor) &&
         llvm::any_of(op->getOperandTypes(), isTensor);
}

/// Whether the operation stays valid when its operands and results get their
/// better types. The verifiers of others may want the types that their own
/// inference gives, or results tied to operands.
static bool staysValid(Operation *op, const Outcome &outcome) {
  Operation *trial = op->clone();
  takeKnownOperands(trial);
  for (auto [result, components] :
       llvm::zip(trial->getResults(), outcome.results))
    if (Type refined = getRefined(result.getType(), components.shape))
      result.setType(refined);
  DiagnosticListener listener(op->getContext());
  bool isValid = succeeded(verify(trial));
  trial->erase();
  return isValid;
}

LogicalResult Refiner::refine(Operation *op, Effects effects) {
  StringRef name = getOperationKey(op);
  bool isMapped = library.lookup(name);
  if (!isMapped && (!mayDerive(op) || !library.lookupOrDerive(name)))
    return success();
  EvaluationOptions options;
  options.numbers = &numbers;
  bool isReported = guardReport && effects.obligations;
  options.findAll = options.keepProved = isReported;
  std::optional<Outcome> outcome =
      evaluate(library, makeRequestFor(op), options);
  if (!outcome->error && outcome->truth != Truth::Refuted)
    requireDeclared(op, *outcome);
  std::vector<size_t> rows;
  if (isReported)
    rows = addRows(*guardReport, op, *outcome);
  if (outcome->truth == Truth::Refuted) {
    if (!effects.errors)
      return success();
    if (outcome->error || alwaysRuns(op))
      return reportRefuted(op->getLoc(), getOrigin(op), *outcome);
    // Better types would make an error of it in later passes.
    if (!effects.obligations)
      return success();
  }
  bool isCovered =
      obligeAll(op, *outcome, effects.obligations, rows) && !outcome->skipped;
  effects.types &= isMapped || (isCovered && staysValid(op, *outcome));
  if (effects.types)
    takeKnownOperands(op);
  if (isCovered)
    setResults(op, *outcome, effects.types);
  else
    for (auto [result, components] :
         llvm::zip(op->getResults(), outcome->results))
      if (components.value)
        values[result] = *components.value;
  return success();
}

/// Believes the outcome, on which everything has been checked.
void Refiner::setResults(Operation *op, const Outcome &outcome, bool types) {
  for (const DataExtent &data : outcome.dataExtents) {
    Number number = numbers.numberOf(Extent::symbol(data.symbol));
    numbers.assume(numbers.atMost(data.atLeast, number));
    if (data.atMost)
      numbers.assume(numbers.atMost(number, *data.atMost));
    dataExtents.try_emplace(data.symbol, data);
  }
  for (auto [result, components] :
       llvm::zip(op->getResults(), outcome.results)) {
    if (components.value)
      values[result] = *components.value;
    if (!components.hasShape)
      continue;
    if (components.shape.isRanked()) {
      shapes[result] = components.shape;
      for (auto [axis, extent] : llvm::enumerate(components.shape))
        if (extent.isSymbol() && isa<ShapedType>(result.getType()) &&
            !numbers.getDefinition(extent.symbolId()))
          sources.try_emplace(extent.symbolId(), result, axis);
    }
    if (types && op->getNumRegions() == 0)
      refineType(result, components.shape);
  }
}
