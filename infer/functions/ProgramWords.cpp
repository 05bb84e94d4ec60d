//===- ProgramWords.cpp - the words of a shape function -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramWords.h"

#include "dialect/LoomShapeOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Code = FunctionCode;

void ProgramWords::append(Words &words, int64_t code,
                          ArrayRef<int64_t> operands, ArrayRef<int64_t> results,
                          ArrayRef<int64_t> immediates) {
  words.push_back(code);
  words.push_back(4 + operands.size() + results.size() + immediates.size());
  words.push_back(operands.size());
  llvm::append_range(words, operands);
  words.push_back(results.size());
  llvm::append_range(words, results);
  llvm::append_range(words, immediates);
}
int64_t ProgramWords::getSlot(Value value) {
  auto [it, isNew] = slots.try_emplace(value, numSlots);
  numSlots += isNew;
  return it->second;
}
SmallVector<int64_t> ProgramWords::getSlots(ValueRange values) {
  SmallVector<int64_t> all;
  for (Value value : values)
    all.push_back(getSlot(value));
  return all;
}

int64_t ProgramWords::getText(StringRef text) {
  auto [it, isNew] = textOf.try_emplace(text, made.texts.size());
  if (isNew)
    made.texts.push_back(text.str());
  return it->second;
}
int64_t ProgramWords::getTextIfAny(std::optional<StringRef> text) {
  return text ? getText(*text) : kNoText;
}

int64_t ProgramWords::getTextOf(Type type) {
  if (!type)
    return -1;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return getText(text);
}

int64_t ProgramWords::getTextOf(Attribute attribute) {
  if (!attribute)
    return -1;
  if (isa<UnitAttr>(attribute))
    return getText("none");
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return getText(text);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void ProgramWords::writeOperand(Words &words, const Operand &operand,
                                int64_t input, int64_t slot) {
  SmallVector<int64_t> immediates = {input, getTextOf(operand.elementType),
                                     getTextOf(operand.encoding),
                                     operand.isScalar()};
  immediates.push_back(operand.shape.isRanked());
  if (operand.shape.isRanked()) {
    immediates.push_back(operand.shape.rank());
    for (Extent extent : operand.shape)
      immediates.push_back(extent.isFixed() ? extent.value() : -1);
  }
  std::optional<SmallVector<int64_t>> elements = getConstant(operand);
  immediates.push_back(elements.has_value());
  if (elements) {
    immediates.push_back(elements->size());
    llvm::append_range(immediates, *elements);
  }
  append(words, Code::Operand, {}, {slot}, immediates);
}

/// The elements of a constant, or of a value whose elements are known.
std::optional<SmallVector<int64_t>>
ProgramWords::getConstant(const Operand &operand) {
  SmallVector<int64_t> elements;
  if (operand.value) {
    for (const Integer &integer : *operand.value) {
      if (!integer.getNumber())
        return std::nullopt;
      elements.push_back(*integer.getNumber());
    }
    return elements;
  }
  Outcome ignored;
  Evaluator evaluator(&library, request, options, numbers, ignored);
  std::optional<ShapeDatum> list = evaluator.readIntegers(operand.constant);
  if (!list)
    return std::nullopt;
  for (const Number &number : list->extents)
    elements.push_back(number.constant);
  return elements;
}

void ProgramWords::writeUnknown(Words &words, Value value) {
  Type type = value.getType();
  int64_t kind = isa<shape::ValueShapeType>(type)                       ? 2
                 : loom::isOperandList(type)                            ? 3
                 : isa<loom::ElementTypeType, loom::EncodingType>(type) ? 4
                 : isa<shape::ShapeType, RankedTensorType>(type)        ? 1
                                                                        : 0;
  append(words, Code::Unknown, {}, {getSlot(value)}, {kind});
}

void ProgramWords::writeDatum(Words &words, Value value, const Datum &datum) {
  int64_t slot = getSlot(value);
  if (auto *number = std::get_if<Number>(&datum);
      number && number->isConstant())
    return append(words, Code::Number, {}, {slot}, {number->constant});
  if (auto *statement = std::get_if<Statement>(&datum);
      statement && (statement->condition == Numbers::kTrue ||
                    statement->condition == Numbers::kFalse))
    return append(words, Code::Condition, {}, {slot},
                  {statement->condition == Numbers::kTrue});
  if (auto *type = std::get_if<Type>(&datum))
    return append(words, Code::Text, {}, {slot}, {getTextOf(*type)});
  if (auto *encoding = std::get_if<Attribute>(&datum))
    return append(words, Code::Text, {}, {slot}, {getTextOf(*encoding)});
  if (auto *shape = std::get_if<std::shared_ptr<const ShapeDatum>>(&datum);
      shape && (*shape)->isRanked) {
    SmallVector<int64_t> list;
    for (const Number &number : (*shape)->extents)
      list.push_back(number.constant);
    if (llvm::all_of((*shape)->extents,
                     [](const Number &n) { return n.isConstant(); }))
      return append(words, Code::List, {}, {slot}, list);
  }
  if (auto *operand = std::get_if<std::shared_ptr<const OperandDatum>>(&datum))
    return writeDatum(words, **operand, slot);
  if (auto *list = std::get_if<std::shared_ptr<const ListDatum>>(&datum);
      list && (*list)->isKnown) {
    SmallVector<int64_t> members;
    for (const OperandDatum &operand : (*list)->operands) {
      members.push_back(makeSlot());
      writeDatum(words, operand, members.back());
    }
    return append(words, Code::MakeOperands, members, {slot});
  }
  writeUnknown(words, value);
}

void ProgramWords::writeDatum(Words &words, const OperandDatum &datum,
                              int64_t slot) {
  Operand operand;
  operand.elementType = datum.elementType;
  operand.encoding = datum.encoding;
  operand.constant = datum.constant;
  if (datum.isScalar)
    operand.type = datum.elementType;
  if (datum.shape.isRanked) {
    operand.shape = Shape();
    for (const Number &extent : datum.shape.extents)
      operand.shape.push_back(
          extent.isConstant() ? Extent::fixed(extent.constant) : Extent());
  }
  writeOperand(words, operand, -1, slot);
}

void ProgramWords::writeStatic(Words &words, Operation *op) {
  Outcome outcome;
  Evaluator evaluator(&library, request, options, numbers, outcome);
  if (!evaluator.evaluateAlone(op)) {
    std::string text = outcome.error ? outcome.error->message
                       : outcome.constraints.empty()
                           ? std::string("it has no answer")
                           : outcome.constraints.front().message;
    append(words, Code::Fail, {}, {}, {getText(text)});
  }
  for (Value result : op->getResults())
    if (const Datum *datum = evaluator.find(result))
      writeDatum(words, result, *datum);
    else
      writeUnknown(words, result);
}
