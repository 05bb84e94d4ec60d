//===- EvaluatorValues.cpp - the values of an evaluation ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomShapeOps.h"
#include "infer/functions/Evaluator.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"
#include "shape/FunctionMessages.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The limit of elements of a constant, and of extents of a shape, that are
/// read.
static constexpr size_t kMaxElements = 4096;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Datum Evaluator::makeUnknown(Type type) {
  if (type.isInteger(1))
    return Statement{Numbers::kUnknown};
  if (type.isIndex() || isa<IntegerType>(type))
    return numbers.unknown();
  if (isa<shape::SizeType>(type))
    return numbers.unknownWord({0, Bounds::kNone});
  if (isa<shape::WitnessType>(type))
    return Statement{Numbers::kUnknown};
  if (isa<loom::ElementTypeType>(type))
    return Type();
  if (isa<loom::EncodingType>(type))
    return Attribute();
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

const Datum *Evaluator::find(Value value) const {
  auto it = values.find(value);
  return it == values.end() ||
                 std::holds_alternative<std::monostate>(it->second)
             ? nullptr
             : &it->second;
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

Attribute Evaluator::getEncoding(Value value) {
  return getAs(getDatum(value), Attribute());
}

Step Evaluator::set(Value value, Datum datum) {
  values[value] = std::move(datum);
  return Step::Go;
}

Step Evaluator::setNumber(Operation *op, const std::optional<Number> &number) {
  // The ends of the 64-bit range are no valid numbers of a shape function. The
  // sides of a program's constraint are compared as they are.
  if (!number || (!isAlone && numbers.isNoWord(*number)))
    return fail(op, kNumberTooLarge);
  return set(op->getResult(0), *number);
}

Step Evaluator::setCondition(Operation *op, ConditionId condition) {
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

Datum Evaluator::makeOperand(const Operand &operand, int32_t number) {
  OperandDatum datum;
  datum.number = number;
  datum.elementType = operand.elementType;
  datum.encoding = operand.encoding;
  datum.isScalar = operand.isScalar();
  datum.constant = operand.constant;
  if (operand.shape.isRanked()) {
    datum.shape.isRanked = true;
    datum.shape.isOfTensor = true;
    for (Extent extent : operand.shape)
      datum.shape.extents.push_back(numberOf(numbers, extent));
  }
  if (operand.value && operand.value->size() <= kMaxElements) {
    datum.value.isRanked = true;
    for (const Integer &integer : *operand.value) {
      std::optional<int64_t> known = integer.getNumber();
      datum.value.extents.push_back(known ? numbers.word(*known)
                                          : integer.in(numbers));
    }
  }
  return std::make_shared<const OperandDatum>(std::move(datum));
}

std::optional<ShapeDatum> Evaluator::readIntegers(Attribute attribute) {
  ShapeDatum list;
  auto add = [&](const APInt &value, bool isSigned) {
    std::optional<int64_t> number =
        isSigned ? value.trySExtValue()
                 : (value.getActiveBits() < 64
                        ? std::optional<int64_t>(value.getZExtValue())
                        : std::nullopt);
    if (number)
      list.extents.push_back(numbers.word(*number));
    return number.has_value();
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
  // The number of elements, which are unknown.
  std::optional<Number> count(1);
  for (const Number &extent : operand.shape.extents)
    count = multiply(numbers, count, extent);
  if (!operand.shape.isRanked || !count || !count->isConstant() ||
      count->constant < 0 ||
      static_cast<size_t>(count->constant) > kMaxElements)
    return ShapeDatum::unranked();
  // An element that is read twice is the same number.
  ShapeDatum own, &list = operand.number < 0 ? own : dataOf[operand.number];
  for (auto i = static_cast<int64_t>(list.extents.size()); i < count->constant;
       ++i) {
    list.extents.push_back(numbers.unknownWord());
    if (operand.number >= 0)
      outcome.elements.push_back({list.extents.back().terms[0].atoms[0],
                                  static_cast<unsigned>(operand.number), i});
  }
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
  joined.isOfTensor = a.isOfTensor && b.isOfTensor;
  for (size_t i = 0; i < a.extents.size(); ++i)
    joined.extents.push_back(
        select(numbers, condition, a.extents[i], b.extents[i]));
  return joined;
}

static OperandDatum joinOperands(Evaluator &evaluator, ConditionId condition,
                                 const OperandDatum &a, const OperandDatum &b) {
  OperandDatum joined;
  joined.shape = joinShapes(evaluator.numbers, condition, a.shape, b.shape);
  if (a.elementType == b.elementType)
    joined.elementType = a.elementType;
  if (a.encoding == b.encoding)
    joined.encoding = a.encoding;
  joined.isScalar = a.isScalar && b.isScalar;
  if (a.constant && a.constant == b.constant)
    joined.constant = a.constant;
  else if (a.value.isRanked || b.value.isRanked)
    joined.value = joinShapes(evaluator.numbers, condition,
                              evaluator.getValue(a), evaluator.getValue(b));
  return joined;
}

Datum Evaluator::join(ConditionId condition, const Datum &a, const Datum &b) {
  if (condition == Numbers::kTrue)
    return a;
  if (condition == Numbers::kFalse)
    return b;
  if (auto *x = std::get_if<Number>(&a))
    if (auto *y = std::get_if<Number>(&b))
      return select(numbers, condition, *x, *y);
  if (auto *x = std::get_if<Statement>(&a))
    if (auto *y = std::get_if<Statement>(&b))
      return Statement{numbers.either(
          numbers.both(condition, x->condition),
          numbers.both(numbers.negate(condition), y->condition))};
  if (auto *x = std::get_if<Type>(&a))
    if (auto *y = std::get_if<Type>(&b))
      return *x == *y ? *x : Type();
  if (auto *x = std::get_if<Attribute>(&a))
    if (auto *y = std::get_if<Attribute>(&b))
      return *x == *y ? *x : Attribute();
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
