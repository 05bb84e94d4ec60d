//===- FunctionShapes.cpp - shapes, lists and operands --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMachine.h"
#include "shape/Message.h"

#include <algorithm>

using namespace broadloom;

using Code = FunctionCode;
using Kind = FunctionValue::Kind;

//===----------------------------------------------------------------------===//
// Constants and operands
//===----------------------------------------------------------------------===//

static FunctionList toList(const int64_t *numbers, int64_t count,
                           bool hasUnknown = false) {
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
  default:
    value.kind = Kind(in.immediates[0]);
  }
  result(in) = value;
  return true;
}

bool FunctionMachine::executeOperand(const FunctionInstruction &in) {
  static const FunctionOperand unknown;
  std::shared_ptr<const FunctionOperand> held = operand(in, 0).operand;
  const FunctionOperand &from = held ? *held : unknown;
  FunctionValue value;
  switch (in.code) {
  case Code::ShapeOf:
    return setList(in, from.shape);
  case Code::ElementsOf: {
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
  case Code::TypeOf:
  case Code::EncodingOf:
    value.kind = Kind::Text;
    value.text = in.code == Code::TypeOf ? from.type : from.encoding;
    result(in) = value;
    return true;
  case Code::IsScalar:
    return set(in, held ? FunctionNumber(from.isScalar) : FunctionNumber());
  case Code::WithShape: {
    FunctionOperand made = from;
    made.shape = operand(in, 1).list;
    made.elements = FunctionList();
    made.encoding = -1;
    made.isScalar = false;
    auto size = int64_t(made.shape.numbers.size());
    value.kind = Kind::Operand;
    value.operand = std::make_shared<const FunctionOperand>(std::move(made));
    result(in) = value;
    return charge(size);
  }
  case Code::Extents: {
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
  default: {
    FunctionNumber axis = operand(in, 1).number;
    if (!axis.isKnown || !from.shape.isKnown)
      return set(in, {});
    auto rank = int64_t(from.shape.numbers.size());
    if (axis.value < 0 || axis.value >= rank)
      return fail("axis " + std::to_string(axis.value) +
                  " does not exist: the operand has rank " +
                  std::to_string(rank));
    return set(in, from.shape.numbers[size_t(axis.value)]);
  }
  }
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

bool FunctionMachine::getElement(const FunctionInstruction &in) {
  const FunctionValue &list = operand(in, 0);
  // The result may have the slot of the list, so that the list is copied first.
  std::shared_ptr<const std::vector<FunctionValue>> members = list.operands;
  bool isList = list.kind == Kind::List;
  FunctionNumber index = operand(in, 1).number;
  if ((isList ? !list.list.isKnown : !members) || !index.isKnown) {
    setUnknown(in);
    return true;
  }
  auto size = int64_t(isList ? list.list.numbers.size() : members->size());
  if (index.value < 0 || index.value >= size)
    return fail("its shape cannot be computed: element " +
                std::to_string(index.value) + " of " + std::to_string(size));
  if (isList)
    return set(in, list.list.numbers[size_t(index.value)]);
  result(in) = (*members)[size_t(index.value)];
  return true;
}

bool FunctionMachine::executeList(const FunctionInstruction &in) {
  if (in.code == Code::Element)
    return getElement(in);
  if (in.code == Code::MakeOperands) {
    // Lists contain operands only, because lists of lists could be nested
    // without limit.
    std::vector<FunctionValue> all(size_t(in.numOperands));
    for (int64_t i = 0; i < in.numOperands; ++i) {
      all[size_t(i)].kind = Kind::Operand;
      all[size_t(i)].operand = operand(in, i).operand;
    }
    FunctionValue value;
    value.kind = Kind::Operands;
    value.operands =
        std::make_shared<const std::vector<FunctionValue>>(std::move(all));
    result(in) = value;
    return true;
  }
  const FunctionValue &list = operand(in, 0);
  const FunctionNumber &axis = operand(in, 1).number;
  if (axis.isKnown && axis.value != 0)
    return fail("its shape cannot be computed: axis " +
                std::to_string(axis.value) + " of a list");
  if (list.kind == Kind::List && list.list.isKnown)
    return set(in, int64_t(list.list.numbers.size()));
  if (list.kind == Kind::Operands && list.operands)
    return set(in, int64_t(list.operands->size()));
  return set(in, {});
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool FunctionMachine::split(const FunctionInstruction &in) {
  FunctionList shape = operand(in, 0).list;
  FunctionNumber index = operand(in, 1).number;
  if (!shape.isKnown || !index.isKnown)
    return setList(in, {}) && setList(in, {}, 1);
  auto rank = int64_t(shape.numbers.size());
  int64_t at = index.value < 0 ? index.value + rank : index.value;
  if (at < 0 || at > rank)
    return fail("its shape cannot be computed: a shape of rank " +
                std::to_string(rank) + " split at axis " +
                std::to_string(index.value));
  auto middle = shape.numbers.begin() + at;
  return setList(in, {true, {shape.numbers.begin(), middle}}) &&
         setList(in, {true, {middle, shape.numbers.end()}}, 1);
}

/// Whether all operands, lists or numbers or texts, are equal.
FunctionNumber FunctionMachine::areSame(const FunctionInstruction &in) {
  bool isOpen = false;
  auto equal = [&](const FunctionNumber &a, const FunctionNumber &b) {
    isOpen |= !a.isKnown || !b.isKnown;
    return !a.isKnown || !b.isKnown || a.value == b.value;
  };
  for (int64_t i = 1; i < in.numOperands; ++i) {
    const FunctionValue &a = operand(in, 0), &b = operand(in, i);
    if (a.kind == Kind::Text) {
      isOpen |= a.text < 0 || b.text < 0;
      if (a.text >= 0 && b.text >= 0 && a.text != b.text)
        return 0;
      continue;
    }
    if (a.kind != Kind::List) {
      if (!equal(a.number, b.number))
        return 0;
      continue;
    }
    if (!a.list.isKnown || !b.list.isKnown) {
      isOpen = true;
      continue;
    }
    if (a.list.numbers.size() != b.list.numbers.size())
      return 0;
    for (size_t axis = 0; axis < a.list.numbers.size(); ++axis)
      if (!equal(a.list.numbers[axis], b.list.numbers[axis]))
        return 0;
  }
  return isOpen ? FunctionNumber() : FunctionNumber(1);
}

bool FunctionMachine::broadcast(const FunctionInstruction &in) {
  std::vector<std::vector<int64_t>> extents;
  bool isKnown = true;
  for (int64_t i = 0; i < in.numOperands; ++i) {
    const FunctionList &shape = operand(in, i).list;
    isKnown &= shape.isKnown;
    extents.emplace_back();
    for (const FunctionNumber &extent : shape.numbers) {
      isKnown &= extent.isKnown;
      extents.back().push_back(extent.value);
    }
  }
  bool gives = in.code == Code::Broadcast;
  int64_t text = in.immediates[0];
  if (!isKnown) {
    verdict.isOpen = true;
    return gives ? setList(in, {}) : set(in, {});
  }
  std::vector<ExtentSpan> spans;
  for (const std::vector<int64_t> &shape : extents)
    spans.push_back({shape.data(), int64_t(shape.size())});
  Conflict conflict;
  std::vector<int64_t> made(size_t(broadcastRank(spans.data(), spans.size())));
  bool good =
      broadcastSpans(spans.data(), spans.size(), made.data(), &conflict);
  // A second immediate means that nothing is required.
  bool requires_ = in.numImmediates == 1;
  if (!good && requires_)
    return fail(text != kNoText
                    ? std::string(getText(text))
                    : describe(conflict, spans.data(), spans.size()));
  return gives ? setList(in, toList(made.data(), int64_t(made.size())))
               : set(in, good);
}

/// The more precise of two equal values.
bool FunctionMachine::meet(const FunctionInstruction &in) {
  if (in.code == Code::Meet) {
    int64_t text = in.immediates[0];
    std::vector<std::string> values;
    if (text == kNoText)
      values = {spell(operand(in, 0)), spell(operand(in, 1))};
    if (!constrain(areSame(in),
                   text == kNoText ? "{0} and {1} must be equal"
                                   : getText(text),
                   values))
      return false;
  }
  FunctionValue made = operand(in, 0);
  for (int64_t i = 1; i < in.numOperands; ++i) {
    const FunctionValue &next = operand(in, i);
    if (!made.number.isKnown)
      made.number = next.number;
    if (!made.list.isKnown)
      made.list = next.list;
    else if (made.list.numbers.size() == next.list.numbers.size())
      for (size_t axis = 0; axis < next.list.numbers.size(); ++axis)
        if (next.list.numbers[axis].isKnown)
          made.list.numbers[axis] = next.list.numbers[axis];
  }
  return assign(in.results, {std::move(made)});
}

bool FunctionMachine::executeShape(const FunctionInstruction &in) {
  switch (in.code) {
  case Code::Rank: {
    const FunctionList &shape = operand(in, 0).list;
    return set(in, shape.isKnown ? FunctionNumber(int64_t(shape.numbers.size()))
                                 : FunctionNumber());
  }
  case Code::Count: {
    const FunctionList &shape = operand(in, 0).list;
    if (!shape.isKnown)
      return set(in, {});
    FunctionNumber count = 1;
    // An extent of 0 makes up for any that are too large.
    for (const FunctionNumber &extent : shape.numbers)
      if (extent.is(0))
        return set(in, 0);
    for (const FunctionNumber &extent : shape.numbers) {
      if (!extent.isKnown || !count.isKnown)
        count = FunctionNumber();
      else if (__builtin_mul_overflow(count.value, extent.value,
                                      &count.value) ||
               count.value == INT64_MAX)
        return fail("a number of its shape does not fit 63 bits");
    }
    return set(in, count);
  }
  case Code::Extent: {
    const FunctionList &shape = operand(in, 0).list;
    FunctionNumber axis = operand(in, 1).number;
    if (!shape.isKnown || !axis.isKnown)
      return set(in, {});
    auto rank = int64_t(shape.numbers.size());
    if (axis.value < 0 || axis.value >= rank)
      return fail("its shape cannot be computed: axis " +
                  std::to_string(axis.value) + " of a shape of rank " +
                  std::to_string(rank));
    return set(in, shape.numbers[size_t(axis.value)]);
  }
  case Code::MakeList: {
    FunctionList list;
    list.isKnown = true;
    for (int64_t i = 0; i < in.numOperands; ++i)
      list.numbers.push_back(operand(in, i).number);
    return setList(in, std::move(list));
  }
  case Code::Concat: {
    FunctionList list = operand(in, 0).list;
    const FunctionList &more = operand(in, 1).list;
    list.isKnown &= more.isKnown;
    list.numbers.insert(list.numbers.end(), more.numbers.begin(),
                        more.numbers.end());
    if (!list.isKnown)
      list.numbers.clear();
    return setList(in, std::move(list));
  }
  case Code::Split:
    return split(in);
  case Code::Same: {
    FunctionNumber same = areSame(in);
    // An immediate is the message of what requires it.
    std::vector<std::string> values;
    for (int64_t i = 0; i < in.numOperands; ++i)
      values.push_back(spell(operand(in, i)));
    if (in.numImmediates != 0 &&
        !constrain(same, getText(in.immediates[0]), values))
      return false;
    return set(in, same);
  }
  case Code::Broadcasts:
  case Code::Broadcast:
    return broadcast(in);
  default:
    return meet(in);
  }
}
