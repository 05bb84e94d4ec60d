//===- FunctionShapes.cpp - shapes and lists ------------------------------===//
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
    return fail(substitute(kElementOfList, {index.value, size}));
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
    return fail(substitute(kAxisOfList, {axis.value}));
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
    return fail(substitute(kShapeSplitAt, {rank, index.value}));
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
    if (!constrain(areSame(in), text == kNoText ? kMustBeEqual : getText(text),
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

bool FunctionMachine::count(const FunctionInstruction &in) {
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
    else if (__builtin_mul_overflow(count.value, extent.value, &count.value) ||
             count.value == INT64_MAX)
      return fail(kNumberTooLarge);
  }
  return set(in, count);
}

/// Whether all operands are equal. An immediate is the message of what requires
/// that.
bool FunctionMachine::compareAll(const FunctionInstruction &in) {
  FunctionNumber same = areSame(in);
  std::vector<std::string> values;
  for (int64_t i = 0; i < in.numOperands; ++i)
    values.push_back(spell(operand(in, i)));
  if (in.numImmediates != 0 &&
      !constrain(same, getText(in.immediates[0]), values))
    return false;
  return set(in, same);
}

bool FunctionMachine::executeShape(const FunctionInstruction &in) {
  switch (in.code) {
  case Code::Rank: {
    const FunctionList &shape = operand(in, 0).list;
    return set(in, shape.isKnown ? FunctionNumber(int64_t(shape.numbers.size()))
                                 : FunctionNumber());
  }
  case Code::Count:
    return count(in);
  case Code::Extent:
    return getExtent(in, operand(in, 0).list, kAxisOfShape);
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
  case Code::Same:
    return compareAll(in);
  case Code::Broadcasts:
  case Code::Broadcast:
    return broadcast(in);
  case Code::Meet:
  case Code::Any:
    return meet(in);
  default:
    return failUnknown(in);
  }
}
