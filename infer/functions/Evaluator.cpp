//===- Evaluator.cpp - values, constraints and limits of an evaluation ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Evaluator.h"
#include "dialect/LoomShapeOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// More elements of a constant, or extents of a shape, are not looked at.
static constexpr size_t kMaxElements = 4096;
/// Constraints, and numbers that are not constants, in one evaluation.
static constexpr size_t kMaxConstraints = 1 << 16;
static constexpr size_t kMaxTableSize = 1 << 18;
/// Calls and regions inside each other: the interpreter is recursive.
static constexpr unsigned kMaxDepth = 200;
/// Beyond this, what passed constraints say is no longer remembered.
static constexpr size_t kMaxFacts = 64;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Datum Evaluator::makeUnknown(Type type) {
  if (type.isInteger(1))
    return Statement{Numbers::kUnknown};
  if (type.isIndex() || isa<IntegerType>(type))
    return numbers.unknown();
  if (isa<shape::SizeType>(type))
    return numbers.unknown({0, Bounds::kNone});
  if (isa<shape::WitnessType>(type))
    return Statement{Numbers::kUnknown};
  if (isa<loom::ElementTypeType>(type))
    return Type();
  if (isa<shape::ValueShapeType>(type))
    return std::make_shared<const OperandDatum>();
  if (loom::isOperandList(type))
    return std::make_shared<const ListDatum>(ListDatum{false, {}});
  return std::make_shared<const ShapeDatum>(ShapeDatum::unranked());
}

Datum Evaluator::getDatum(Value value) {
  Datum &datum = values[value];
  if (std::holds_alternative<std::monostate>(datum))
    datum = makeUnknown(value.getType());
  return datum;
}

Number Evaluator::getNumber(Value value) {
  Datum datum = getDatum(value);
  if (auto *number = std::get_if<Number>(&datum))
    return std::move(*number);
  return numbers.unknown();
}

ConditionId Evaluator::getCondition(Value value) {
  Datum datum = getDatum(value);
  auto *statement = std::get_if<Statement>(&datum);
  return statement ? statement->condition : Numbers::kUnknown;
}

/// The datum's value of a kind, or the default one.
template <typename T> static T getAs(const Datum &datum, T otherwise) {
  if (auto *value = std::get_if<T>(&datum))
    if (*value)
      return *value;
  return otherwise;
}

std::shared_ptr<const ShapeDatum> Evaluator::getShape(Value value) {
  static const auto unranked =
      std::make_shared<const ShapeDatum>(ShapeDatum::unranked());
  return getAs(getDatum(value), unranked);
}

std::shared_ptr<const OperandDatum> Evaluator::getOperand(Value value) {
  static const auto unknown = std::make_shared<const OperandDatum>();
  return getAs(getDatum(value), unknown);
}

std::shared_ptr<const ListDatum> Evaluator::getList(Value value) {
  static const auto unknown =
      std::make_shared<const ListDatum>(ListDatum{false, {}});
  return getAs(getDatum(value), unknown);
}

Type Evaluator::getType(Value value) { return getAs(getDatum(value), Type()); }

Step Evaluator::set(Value value, Datum datum) {
  values[value] = std::move(datum);
  return Step::Go;
}

Step Evaluator::setNumber(Operation *op, const Number &number) {
  if (numbers.takeOverflow())
    return fail(op, "a number of its shape does not fit 63 bits");
  return set(op->getResult(0), number);
}

Step Evaluator::setCondition(Operation *op, ConditionId condition) {
  if (numbers.takeOverflow())
    return fail(op, "a number of its shape does not fit 63 bits");
  return set(op->getResult(0), Statement{condition});
}

Step Evaluator::setShape(Value value, ShapeDatum shape) {
  if (shape.extents.size() > kMaxElements) {
    Location loc = value.getLoc();
    return giveUp(loc, "the shape function made a shape of rank " +
                           Twine(shape.extents.size()) + "; the limit is " +
                           Twine(kMaxElements));
  }
  if (Operation *op = value.getDefiningOp())
    if (charge(op, shape.extents.size()) == Step::Stop)
      return Step::Stop;
  return set(value, std::make_shared<const ShapeDatum>(std::move(shape)));
}

Datum Evaluator::makeOperand(const Operand &operand) {
  OperandDatum datum;
  datum.elementType = operand.elementType;
  datum.constant = operand.constant;
  if (operand.shape.isRanked()) {
    datum.shape.isRanked = true;
    for (Extent extent : operand.shape)
      datum.shape.extents.push_back(numbers.numberOf(extent));
  }
  if (operand.value && operand.value->size() <= kMaxElements) {
    datum.value.isRanked = true;
    for (const Integer &integer : *operand.value) {
      std::optional<int64_t> number = integer.getNumber();
      // The ends stand for "no bound".
      if (number && *number > -INT64_MAX && *number < INT64_MAX)
        datum.value.extents.push_back(Number(*number));
      else if (number || integer.getExtent().isDynamic())
        datum.value.extents.push_back(numbers.unknown());
      else
        datum.value.extents.push_back(numbers.numberOf(integer.getExtent()));
    }
  }
  return std::make_shared<const OperandDatum>(std::move(datum));
}

std::optional<ShapeDatum> Evaluator::readIntegers(Attribute attribute) {
  ShapeDatum list;
  auto add = [&](const APInt &value, bool isSigned) {
    std::optional<int64_t> number =
        isSigned ? value.trySExtValue()
                 : std::optional<int64_t>(value.getActiveBits() < 64
                                              ? value.getZExtValue()
                                              : INT64_MAX);
    // The ends stand for "no bound".
    if (!number || *number == INT64_MAX || *number <= -INT64_MAX)
      return false;
    list.extents.push_back(Number(*number));
    return true;
  };
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute)) {
    if (array.size() > kMaxElements)
      return std::nullopt;
    for (Attribute element : array) {
      auto integer = dyn_cast<IntegerAttr>(element);
      if (!integer || !add(integer.getValue(), true))
        return std::nullopt;
    }
    return list;
  }
  // Also the arrays of type DenseI64ArrayAttr and the like.
  if (auto array = dyn_cast_or_null<DenseArrayAttr>(attribute)) {
    if (static_cast<size_t>(array.getSize()) > kMaxElements)
      return std::nullopt;
    auto addAll = [&](auto values) {
      for (int64_t value : values)
        if (!add(APInt(64, value, true), true))
          return false;
      return true;
    };
    bool isGood = false;
    if (auto typed = dyn_cast<DenseI32ArrayAttr>(attribute))
      isGood = addAll(typed.asArrayRef());
    else if (auto typed = dyn_cast<DenseI64ArrayAttr>(attribute))
      isGood = addAll(typed.asArrayRef());
    else if (auto typed = dyn_cast<DenseI8ArrayAttr>(attribute))
      isGood = addAll(typed.asArrayRef());
    else if (auto typed = dyn_cast<DenseI16ArrayAttr>(attribute))
      isGood = addAll(typed.asArrayRef());
    return isGood ? std::optional(list) : std::nullopt;
  }
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!elements ||
      static_cast<size_t>(elements.getNumElements()) > kMaxElements)
    return std::nullopt;
  Type type = elements.getElementType();
  bool isSigned = !type.isInteger(1) && !type.isUnsignedInteger();
  for (const APInt &value : elements.getValues<APInt>())
    if (!add(value, isSigned))
      return std::nullopt;
  return list;
}

ShapeDatum Evaluator::getValue(const OperandDatum &operand) {
  if (operand.value.isRanked)
    return operand.value;
  if (std::optional<ShapeDatum> list = readIntegers(operand.constant))
    return *list;
  // As many numbers as there are elements, and nothing more is known.
  Number count(1);
  for (const Number &extent : operand.shape.extents)
    count = numbers.multiply(count, extent);
  numbers.takeOverflow();
  if (!operand.shape.isRanked || !count.isConstant() || count.constant < 0 ||
      static_cast<size_t>(count.constant) > kMaxElements)
    return ShapeDatum::unranked();
  ShapeDatum list;
  for (int64_t i = 0; i < count.constant; ++i)
    list.extents.push_back(numbers.unknown());
  return list;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

static ShapeDatum joinShapes(Numbers &numbers, ConditionId condition,
                             const ShapeDatum &a, const ShapeDatum &b) {
  if (!a.isRanked || !b.isRanked || a.extents.size() != b.extents.size())
    return ShapeDatum::unranked();
  ShapeDatum joined;
  for (size_t i = 0; i < a.extents.size(); ++i)
    joined.extents.push_back(
        numbers.select(condition, a.extents[i], b.extents[i]));
  return joined;
}

static OperandDatum joinOperands(Evaluator &evaluator, ConditionId condition,
                                 const OperandDatum &a, const OperandDatum &b) {
  OperandDatum joined;
  joined.shape = joinShapes(evaluator.numbers, condition, a.shape, b.shape);
  if (a.elementType == b.elementType)
    joined.elementType = a.elementType;
  if (a.constant && a.constant == b.constant)
    joined.constant = a.constant;
  else if (a.value.isRanked || b.value.isRanked)
    joined.value = joinShapes(evaluator.numbers, condition,
                              evaluator.getValue(a), evaluator.getValue(b));
  return joined;
}

Datum Evaluator::join(ConditionId condition, const Datum &a, const Datum &b) {
  if (auto *x = std::get_if<Number>(&a))
    if (auto *y = std::get_if<Number>(&b))
      return numbers.select(condition, *x, *y);
  if (auto *x = std::get_if<Statement>(&a))
    if (auto *y = std::get_if<Statement>(&b))
      return Statement{numbers.either(
          numbers.both(condition, x->condition),
          numbers.both(numbers.negate(condition), y->condition))};
  if (auto *x = std::get_if<Type>(&a))
    if (auto *y = std::get_if<Type>(&b))
      return *x == *y ? *x : Type();
  if (auto *x = std::get_if<std::shared_ptr<const ShapeDatum>>(&a))
    if (auto *y = std::get_if<std::shared_ptr<const ShapeDatum>>(&b))
      return std::make_shared<const ShapeDatum>(
          joinShapes(numbers, condition, **x, **y));
  if (auto *x = std::get_if<std::shared_ptr<const OperandDatum>>(&a))
    if (auto *y = std::get_if<std::shared_ptr<const OperandDatum>>(&b))
      return std::make_shared<const OperandDatum>(
          joinOperands(*this, condition, **x, **y));
  auto *x = std::get_if<std::shared_ptr<const ListDatum>>(&a);
  auto *y = std::get_if<std::shared_ptr<const ListDatum>>(&b);
  ListDatum joined{false, {}};
  if (x && y && (*x)->isKnown && (*y)->isKnown &&
      (*x)->operands.size() == (*y)->operands.size()) {
    joined.isKnown = true;
    for (size_t i = 0; i < (*x)->operands.size(); ++i)
      joined.operands.push_back(
          joinOperands(*this, condition, (*x)->operands[i], (*y)->operands[i]));
  }
  return std::make_shared<const ListDatum>(std::move(joined));
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

Step Evaluator::constrain(Operation *at, ConditionId condition,
                          StringRef message, std::vector<Datum> values) {
  if (condition == Numbers::kTrue)
    return Step::Go;
  bool isCertain = path == Numbers::kTrue;
  ConditionId onPath =
      isCertain ? condition : numbers.either(numbers.negate(path), condition);
  // Facts hold on the path. What fails where it is taken is no error where it
  // need not be taken.
  Truth onThisPath = numbers.truthOf(condition);
  bool endsPath = onThisPath == Truth::Refuted;
  Truth truth = isCertain || !endsPath ? onThisPath : Truth::Unknown;
  if (outcome.constraints.size() >= kMaxConstraints)
    return giveUp(at->getLoc(), "the shape function has more than " +
                                    Twine(kMaxConstraints) + " constraints");
  outcome.constraints.push_back(
      {truth, onPath, message.str(), std::move(values), at->getLoc()});
  if (truth == Truth::Refuted) {
    outcome.truth = Truth::Refuted;
    if (!options.findAll)
      stopped = true;
    return options.findAll ? Step::Go : Step::Stop;
  }
  if (truth == Truth::Unknown && outcome.truth == Truth::Proved)
    outcome.truth = Truth::Unknown;
  if (truth == Truth::Unknown && ++numFacts <= kMaxFacts)
    numbers.assume(condition);
  return endsPath ? Step::Stop : Step::Go;
}

Step Evaluator::fail(Operation *at, const Twine &message) {
  // What is behind a failed constraint is not told: it follows from it.
  if (outcome.truth != Truth::Refuted)
    (void)constrain(at, Numbers::kFalse, message.str());
  if (path == Numbers::kTrue)
    stopped = true;
  return Step::Stop;
}

Step Evaluator::giveUp(Location location, const Twine &message) {
  if (!outcome.error)
    outcome.error = EvaluationError{location, message.str()};
  outcome.truth = Truth::Refuted;
  stopped = true;
  return Step::Stop;
}

Step Evaluator::skip(Operation *op, const Twine &why) {
  if (!outcome.skipped)
    outcome.skipped = EvaluationError{op->getLoc(), why.str()};
  if (outcome.truth == Truth::Proved)
    outcome.truth = Truth::Unknown;
  for (Value result : op->getResults())
    set(result, makeUnknown(result.getType()));
  return Step::Go;
}

Step Evaluator::charge(Operation *at, uint64_t count) {
  steps += count;
  if (steps > options.maxSteps)
    return giveUp(at->getLoc(), "the shape function was stopped after " +
                                    Twine(options.maxSteps) +
                                    " steps; does it end?");
  if (numbers.size() > sizeAtStart + kMaxTableSize)
    return giveUp(at->getLoc(), "the shape function computes more than " +
                                    Twine(kMaxTableSize) +
                                    " numbers that are not known");
  return Step::Go;
}

Evaluator::Path::Path(Evaluator &evaluator, ConditionId condition)
    : evaluator(evaluator), before(evaluator.path),
      numFacts(evaluator.numFacts), scope(evaluator.numbers) {
  evaluator.path = evaluator.numbers.both(before, condition);
  if (++evaluator.numFacts <= kMaxFacts)
    evaluator.numbers.assume(condition);
}

Evaluator::Path::~Path() {
  evaluator.path = before;
  evaluator.numFacts = numFacts;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Step Evaluator::run(Block &block, std::vector<Datum> *yielded) {
  if (depth >= kMaxDepth)
    return giveUp(block.getParentOp()->getLoc(),
                  "the shape function is nested more than " + Twine(kMaxDepth) +
                      " calls and regions deep");
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (sizeAtStart == 0)
    sizeAtStart = numbers.size();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      if (yielded)
        for (Value value : op.getOperands())
          yielded->push_back(getDatum(value));
      return Step::Go;
    }
    if (charge(&op, 1) == Step::Stop)
      return Step::Stop;
    Handler handler = getHandler(&op);
    if (!handler)
      return giveUp(op.getLoc(), "a shape function cannot have '" +
                                     op.getName().getStringRef() + "'");
    if (handler(*this, &op) == Step::Stop || stopped)
      return Step::Stop;
  }
  return Step::Go;
}

Step Evaluator::call(Operation *at, shape::FuncOp function,
                     std::vector<Datum> &arguments) {
  if (!function)
    return giveUp(at->getLoc(), "the function that is called was not found");
  Block &body = function.getBody().front();
  for (auto [argument, datum] : llvm::zip(body.getArguments(), arguments))
    set(argument, std::move(datum));
  arguments.clear();
  return run(body, &arguments);
}
