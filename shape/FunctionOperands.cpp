//===- FunctionOperands.cpp - constants and operands ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMachine.h"
#include "shape/FunctionMessages.h"

#include <algorithm>

using namespace broadloom;

using Code = FunctionCode;
using Kind = FunctionValue::Kind;

FunctionList broadloom::toList(const int64_t *numbers, int64_t count,
                               bool hasUnknown) {
  FunctionList list;
  list.isKnown = true;
  for (int64_t i = 0; i < count; ++i)
    list.numbers.push_back(hasUnknown && numbers[i] < 0
                               ? FunctionNumber()
                               : FunctionNumber(numbers[i]));
  return list;
}

bool FunctionMachine::makeOperand(const FunctionInstruction &in) {
  FunctionOperand made;
  const int64_t *next = in.immediates;
  int64_t input = *next++;
  made.type = *next++;
  made.encoding = *next++;
  made.isScalar = *next++ != 0;
  if (*next++ != 0) {
    made.shape = toList(next + 1, *next, /*hasUnknown=*/true);
    next += 1 + *next;
  }
  if (*next++ != 0)
    made.elements = toList(next + 1, *next);
  if (input >= 0) {
    const FunctionInput &given = inputs[size_t(input)];
    if (given.isRanked)
      made.shape = toList(given.extents.data(), int64_t(given.extents.size()),
                          /*hasUnknown=*/true);
    if (given.elements && !made.elements.isKnown)
      made.elements =
          toList(given.elements->data(), int64_t(given.elements->size()));
  }
  auto size = int64_t(made.shape.numbers.size() + made.elements.numbers.size());
  FunctionValue &value = result(in);
  value = FunctionValue();
  value.kind = Kind::Operand;
  value.operand = std::make_shared<const FunctionOperand>(std::move(made));
  operands.push_back(value.operand);
  return charge(size / 4);
}

bool FunctionMachine::executeConstant(const FunctionInstruction &in) {
  FunctionValue value;
  switch (in.code) {
  case Code::Number:
  case Code::Condition:
    return set(in, in.immediates[0]);
  case Code::List:
    return setList(in, toList(in.immediates, in.numImmediates));
  case Code::Text:
    value.kind = Kind::Text;
    value.text = in.immediates[0];
    break;
  case Code::Operand:
    return makeOperand(in);
  case Code::Unknown:
    value.kind = Kind(in.immediates[0]);
    break;
  default:
    return failUnknown(in);
  }
  result(in) = value;
  return true;
}

bool FunctionMachine::getElements(const FunctionInstruction &in,
                                  const FunctionOperand &from) {
  if (from.elements.isKnown)
    return setList(in, from.elements);
  // The number of elements, which are unknown.
  FunctionList list;
  int64_t count = from.shape.isKnown ? 1 : -1;
  for (const FunctionNumber &extent : from.shape.numbers)
    if (!extent.isKnown || count < 0 ||
        __builtin_mul_overflow(count, extent.value, &count) || count > 4096)
      count = -1;
  list.isKnown = count >= 0;
  list.numbers.resize(size_t(std::max<int64_t>(count, 0)));
  return setList(in, std::move(list));
}

/// The operand with another shape.
bool FunctionMachine::setShape(const FunctionInstruction &in,
                               const FunctionOperand &from) {
  FunctionOperand made = from;
  made.shape = operand(in, 1).list;
  made.elements = FunctionList();
  made.encoding = -1;
  made.isScalar = false;
  auto size = int64_t(made.shape.numbers.size());
  FunctionValue value;
  value.kind = Kind::Operand;
  value.operand = std::make_shared<const FunctionOperand>(std::move(made));
  result(in) = value;
  return charge(size);
}

/// All extents of an operand, which must have as many.
bool FunctionMachine::getExtents(const FunctionInstruction &in,
                                 const FunctionOperand &from) {
  FunctionNumber rank, same;
  if (from.shape.isKnown) {
    rank = int64_t(from.shape.numbers.size());
    same = rank.value == in.numResults;
  }
  if (!constrain(same, getText(in.immediates[0]), {spell(rank)}))
    return false;
  setUnknown(in);
  for (int64_t i = 0; same.is(1) && i < in.numResults; ++i)
    result(in, i).number = from.shape.numbers[size_t(i)];
  return true;
}

bool FunctionMachine::getExtent(const FunctionInstruction &in,
                                const FunctionList &shape,
                                const char *message) {
  FunctionNumber axis = operand(in, 1).number;
  if (!axis.isKnown || !shape.isKnown)
    return set(in, {});
  auto rank = int64_t(shape.numbers.size());
  if (axis.value < 0 || axis.value >= rank)
    return fail(substitute(message, {axis.value, rank}));
  return set(in, shape.numbers[size_t(axis.value)]);
}

bool FunctionMachine::executeOperand(const FunctionInstruction &in) {
  static const FunctionOperand unknown;
  std::shared_ptr<const FunctionOperand> held = operand(in, 0).operand;
  const FunctionOperand &from = held ? *held : unknown;
  FunctionValue value;
  switch (in.code) {
  case Code::ShapeOf:
    return setList(in, from.shape);
  case Code::ElementsOf:
    return getElements(in, from);
  case Code::TypeOf:
  case Code::EncodingOf:
    value.kind = Kind::Text;
    value.text = in.code == Code::TypeOf ? from.type : from.encoding;
    result(in) = value;
    return true;
  case Code::IsScalar:
    return set(in, held ? FunctionNumber(from.isScalar) : FunctionNumber());
  case Code::WithShape:
    return setShape(in, from);
  case Code::Extents:
    return getExtents(in, from);
  case Code::Dim:
    return getExtent(in, from.shape, kAxisOfOperand);
  default:
    return failUnknown(in);
  }
}
