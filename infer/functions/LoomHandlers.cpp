//===- LoomHandlers.cpp - loom's operations of shape functions ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomShapeOps.h"
#include "dialect/ShapeConversion.h"
#include "infer/functions/Handlers.h"
#include "infer/functions/Statement.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"
#include "shape/FunctionMessages.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Step handleExtents(Evaluator &evaluator, loom::ExtentsOp op) {
  Numbers &numbers = evaluator.numbers;
  auto operand = evaluator.getOperand(op.getOperand());
  auto wanted = static_cast<int64_t>(op.getExtents().size());
  Number rank =
      operand->shape.isRanked
          ? Number(static_cast<int64_t>(operand->shape.extents.size()))
          : numbers.unknownWord({0, Bounds::kNone});
  ConditionId good = equal(numbers, rank, Number(wanted));
  std::string statement;
  if (evaluator.keepsProved())
    statement = toString(numbers, rank) + " = " + std::to_string(wanted);
  if (evaluator.constrain(op, good, op.getMessage(), {rank}, statement) ==
      Step::Stop)
    return Step::Stop;
  for (auto [i, extent] : llvm::enumerate(op.getExtents()))
    evaluator.set(extent, good == Numbers::kTrue
                              ? operand->shape.extents[i]
                              : numbers.unknownWord({0, Bounds::kNone}));
  return Step::Go;
}

Step handleDim(Evaluator &evaluator, loom::DimOp op) {
  Numbers &numbers = evaluator.numbers;
  auto operand = evaluator.getOperand(op.getOperand());
  Number axis = evaluator.getNumber(op.getAxis());
  Number extent = numbers.unknownWord({0, Bounds::kNone});
  bool isRanked = operand->shape.isRanked;
  Number rank =
      isRanked ? Number(static_cast<int64_t>(operand->shape.extents.size()))
               : numbers.unknownWord({0, Bounds::kNone});
  ConditionId inside = numbers.both(atMost(numbers, Number(0), axis),
                                    lessThan(numbers, axis, rank));
  if (isRanked && inside == Numbers::kFalse && axis.isConstant())
    return evaluator.fail(
        op, substitute(kAxisOfOperand, {axis.constant, rank.constant}));
  if (isRanked && axis.isConstant())
    return evaluator.setNumber(op, operand->shape.extents[axis.constant]);
  if (evaluator.constrain(op, inside, kAxisOfOperand, {axis, rank}) ==
      Step::Stop)
    return Step::Stop;
  return evaluator.setNumber(op, extent);
}

Step handleElementType(Evaluator &evaluator, loom::ElementTypeOp op) {
  return evaluator.set(op.getType(),
                       evaluator.getOperand(op.getOperand())->elementType);
}

Step handleType(Evaluator &evaluator, loom::TypeOp op) {
  return evaluator.set(op.getType(), op.getValue());
}

Step handleSameType(Evaluator &evaluator, loom::SameTypeOp op) {
  Type a = evaluator.getType(op.getLhs()), b = evaluator.getType(op.getRhs());
  return evaluator.setCondition(op, a && b ? evaluator.numbers.constant(a == b)
                                           : Numbers::kUnknown);
}

Step handleIsScalar(Evaluator &evaluator, loom::IsScalarOp op) {
  auto operand = evaluator.getOperand(op.getOperand());
  bool isKnown = operand->isScalar || operand->encoding;
  return evaluator.setCondition(
      op, isKnown ? evaluator.numbers.constant(operand->isScalar)
                  : Numbers::kUnknown);
}

Step handleEncoding(Evaluator &evaluator, loom::EncodingOp op) {
  return evaluator.set(op.getEncoding(),
                       evaluator.getOperand(op.getOperand())->encoding);
}

Step handleSameEncoding(Evaluator &evaluator, loom::SameEncodingOp op) {
  Attribute a = evaluator.getEncoding(op.getLhs());
  Attribute b = evaluator.getEncoding(op.getRhs());
  return evaluator.setCondition(op, a && b ? evaluator.numbers.constant(a == b)
                                           : Numbers::kUnknown);
}

//===----------------------------------------------------------------------===//
// Attributes and regions
//===----------------------------------------------------------------------===//

/// The attribute as a value of `type`; nothing if it is not one.
std::optional<Datum> readAs(Evaluator &evaluator, Attribute attribute,
                            Type type) {
  if (isa<loom::ElementTypeType>(type)) {
    auto typed = dyn_cast<TypeAttr>(attribute);
    if (!typed)
      return std::nullopt;
    auto shaped = dyn_cast<ShapedType>(typed.getValue());
    return Datum(shaped ? shaped.getElementType() : typed.getValue());
  }
  if (isa<loom::EncodingType>(type))
    return Datum(attribute);
  if (isa<shape::ValueShapeType>(type)) {
    Operand operand;
    if (auto elements = dyn_cast<ElementsAttr>(attribute)) {
      operand = Operand(Type(elements.getShapedType()));
      operand.constant = attribute;
    } else if (auto typed = dyn_cast<TypeAttr>(attribute)) {
      operand = Operand(typed.getValue());
    } else {
      return std::nullopt;
    }
    return evaluator.makeOperand(operand);
  }
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (type.isInteger(1) && integer.getType().isInteger(1))
      return Datum(
          Statement{evaluator.numbers.constant(!integer.getValue().isZero())});
    if (!type.isIndex())
      return std::nullopt;
    std::optional<ShapeDatum> number = evaluator.readIntegers(
        ArrayAttr::get(attribute.getContext(), attribute));
    return number ? std::optional<Datum>(number->extents.front())
                  : std::nullopt;
  }
  if (type.isIndex() || type.isInteger(1))
    return std::nullopt;
  std::optional<ShapeDatum> list = evaluator.readIntegers(attribute);
  if (!list)
    return std::nullopt;
  return Datum(std::make_shared<const ShapeDatum>(std::move(*list)));
}

StringRef nameOf(Type type) {
  if (type.isInteger(1))
    return "true or false";
  if (type.isIndex())
    return "an integer";
  if (isa<loom::ElementTypeType>(type))
    return "a type";
  if (isa<shape::ValueShapeType>(type))
    return "a type or elements";
  return "a list of integers";
}

/// The dictionary from which an attribute is read; nothing if the operation of
/// a symbol is not known.
Step findOwner(Evaluator &evaluator, loom::AttributeOp op,
               std::optional<DictionaryAttr> &owner) {
  owner = evaluator.request.attributes;
  if (!op.getSymbol())
    return Step::Go;
  Attribute named = *owner ? owner->get(*op.getSymbol()) : Attribute();
  owner = std::nullopt;
  // `tosa.variable_read` has its symbol as text.
  auto symbol = dyn_cast_or_null<SymbolRefAttr>(named);
  if (auto text = dyn_cast_or_null<StringAttr>(named))
    symbol = FlatSymbolRefAttr::get(text);
  if (!symbol)
    return evaluator.fail(op, "attribute '" + *op.getSymbol() + "' is " +
                                  (named ? "no symbol" : "missing"));
  if (!evaluator.request.lookupSymbol)
    return Step::Go;
  Operation *found = evaluator.request.lookupSymbol(symbol);
  if (!found)
    return evaluator.fail(op, "there is no '" +
                                  symbol.getLeafReference().getValue() + "'");
  owner = found->getAttrDictionary();
  return Step::Go;
}

Step handleAttribute(Evaluator &evaluator, loom::AttributeOp op) {
  std::optional<DictionaryAttr> owner;
  if (findOwner(evaluator, op, owner) == Step::Stop)
    return Step::Stop;
  if (!owner) {
    for (Value result : op.getValues())
      evaluator.set(result, evaluator.makeUnknown(result.getType()));
    return Step::Go;
  }
  Attribute attribute = *owner ? owner->get(op.getName()) : Attribute();
  if (!attribute)
    attribute = op.getAbsentAttr();
  if (!attribute)
    return evaluator.fail(op, "attribute '" + op.getName() + "' is missing");
  auto wrong = [&](const Twine &wanted) {
    return evaluator.fail(op,
                          "attribute '" + op.getName() + "' must be " + wanted);
  };
  if (op.getNumResults() == 1) {
    Value result = op.getResult(0);
    std::optional<Datum> datum = readAs(evaluator, attribute, result.getType());
    if (!datum)
      return wrong(nameOf(result.getType()));
    return evaluator.set(result, std::move(*datum));
  }
  std::optional<ShapeDatum> list = evaluator.readIntegers(attribute);
  if (!list)
    return wrong("a list of integers");
  if (list->extents.size() != op.getNumResults())
    return wrong(Twine(op.getNumResults()) + " integers, but has " +
                 Twine(list->extents.size()));
  for (auto [result, number] : llvm::zip(op.getValues(), list->extents))
    evaluator.set(result, number);
  return Step::Go;
}

Step handleAttributeIs(Evaluator &evaluator, loom::AttributeIsOp op) {
  DictionaryAttr attributes = evaluator.request.attributes;
  Attribute attribute = attributes ? attributes.get(op.getName()) : Attribute();
  return evaluator.setCondition(
      op, evaluator.numbers.constant(attribute == op.getValue()));
}

Step handleRegionYields(Evaluator &evaluator, loom::RegionYieldsOp op) {
  const auto &yields = evaluator.request.regionYields;
  auto number = static_cast<uint64_t>(op.getRegion());
  if (number >= yields.size())
    return evaluator.fail(op, "region " + Twine(number) +
                                  " is missing: the operation has " +
                                  Twine(yields.size()));
  ListDatum list;
  for (const Operand &operand : yields[number])
    list.operands.push_back(*std::get<std::shared_ptr<const OperandDatum>>(
        evaluator.makeOperand(operand)));
  return evaluator.set(op, std::make_shared<const ListDatum>(std::move(list)));
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

Step handleDataExtent(Evaluator &evaluator, loom::DataExtentOp op) {
  Numbers &numbers = evaluator.numbers;
  // sf-7
  DataExtent data;
  data.atLeast = evaluator.getNumber(op.getAtLeast());
  Bounds bounds;
  bounds.lo = std::max<int64_t>(boundsOf(numbers, data.atLeast).lo, 0);
  if (op.getAtMost()) {
    data.atMost = evaluator.getNumber(op.getAtMost());
    bounds.hi = boundsOf(numbers, *data.atMost).hi;
  }
  if (bounds.hi < bounds.lo)
    return evaluator.fail(op, "its extent would be at least " +
                                  Twine(bounds.lo) + " and at most " +
                                  Twine(bounds.hi));
  Symbols &symbols = numbers.getSymbols();
  Extent extent = symbols.create();
  symbols.assumeBounds(extent, bounds.lo,
                       bounds.hi == Bounds::kNone ? ExtentRange::kUnbounded
                                                  : bounds.hi);
  data.symbol = extent.symbolId();
  evaluator.addDataExtent(std::move(data));
  return evaluator.setNumber(op, numberOf(numbers, extent));
}

Step handleData(Evaluator &evaluator, loom::DataOp op) {
  return evaluator.set(op.getValue(), evaluator.makeUnknown(op.getType()));
}

//===----------------------------------------------------------------------===//
// Constraints and calls
//===----------------------------------------------------------------------===//

Step handleConstraint(Evaluator &evaluator, loom::ConstraintOp op) {
  const Numbers &numbers = evaluator.numbers;
  std::vector<Datum> values;
  for (Value value : op.getValues())
    values.push_back(evaluator.getDatum(value));
  std::string statement;
  if (evaluator.keepsProved())
    statement = describeCondition(op.getCondition(), [&](Value value) {
      return toString(numbers, evaluator.getNumber(value));
    });
  return evaluator.constrain(op, evaluator.getCondition(op.getCondition()),
                             op.getMessage(), std::move(values),
                             std::move(statement));
}

Step handleApply(Evaluator &evaluator, loom::ApplyOp op) {
  std::vector<Datum> data;
  for (Value argument : op.getArguments())
    data.push_back(evaluator.getDatum(argument));
  if (evaluator.call(op, evaluator.getCallee(op), data) == Step::Stop)
    return Step::Stop;
  for (auto [result, datum] : llvm::zip(op.getValues(), data))
    evaluator.set(result, std::move(datum));
  return Step::Go;
}

} // namespace

void infer::addLoomHandlers(HandlerTable &table) {
  table.add<loom::ExtentsOp, handleExtents>();
  table.add<loom::DimOp, handleDim>();
  table.add<loom::ElementTypeOp, handleElementType>();
  table.add<loom::TypeOp, handleType>();
  table.add<loom::SameTypeOp, handleSameType>();
  table.add<loom::IsScalarOp, handleIsScalar>();
  table.add<loom::EncodingOp, handleEncoding>();
  table.add<loom::SameEncodingOp, handleSameEncoding>();
  table.add<loom::AttributeOp, handleAttribute>();
  table.add<loom::AttributeIsOp, handleAttributeIs>();
  table.add<loom::RegionYieldsOp, handleRegionYields>();
  table.add<loom::DataExtentOp, handleDataExtent>();
  table.add<loom::DataOp, handleData>();
  table.add<loom::ConstraintOp, handleConstraint>();
  table.add<loom::ApplyOp, handleApply>();
}
