//===- FunctionControl.cpp - constraints, branches, loops and calls -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMachine.h"

using namespace broadloom;

using Code = FunctionCode;
using Kind = FunctionValue::Kind;

/// Immediates: the body; the slots of its argument and of carried values.
bool FunctionMachine::runLoop(const FunctionInstruction &in) {
  const FunctionNumber lo = operand(in, 0).number, hi = operand(in, 1).number,
                       step = operand(in, 2).number;
  if (!lo.isKnown || !hi.isKnown || !step.isKnown) {
    verdict.isOpen = true;
    setUnknown(in);
    return true;
  }
  if (step.value <= 0)
    return fail("the loop's step is " + std::to_string(step.value) +
                "; it must be positive");
  std::vector<FunctionValue> carried;
  for (int64_t i = 3; i < in.numOperands; ++i)
    carried.push_back(operand(in, i));
  for (int64_t i = lo.value; i < hi.value;) {
    slots[size_t(in.immediates[1])] = FunctionValue();
    slots[size_t(in.immediates[1])].number = i;
    if (!assign(in.immediates + 2, carried) || !charge(1) ||
        !run(in.immediates[0], carried))
      return false;
    if (__builtin_add_overflow(i, step.value, &i))
      break;
  }
  return assign(in.results, carried);
}

/// The same for the extents of a shape: the slots of the axis, of the extent,
/// and of carried values.
bool FunctionMachine::runReduce(const FunctionInstruction &in) {
  FunctionList shape = operand(in, 0).list;
  if (!shape.isKnown) {
    verdict.isOpen = true;
    setUnknown(in);
    return true;
  }
  std::vector<FunctionValue> carried;
  for (int64_t i = 1; i < in.numOperands; ++i)
    carried.push_back(operand(in, i));
  for (size_t axis = 0; axis < shape.numbers.size(); ++axis) {
    FunctionValue number;
    number.number = int64_t(axis);
    slots[size_t(in.immediates[1])] = number;
    number.number = shape.numbers[axis];
    slots[size_t(in.immediates[2])] = number;
    if (!assign(in.immediates + 3, carried) || !charge(1) ||
        !run(in.immediates[0], carried))
      return false;
  }
  return assign(in.results, carried);
}

/// Checks the inferred extents of a result: they are not negative, and equal
/// those of the actual result, if there is one.
bool FunctionMachine::checkResult(const FunctionInstruction &in) {
  const FunctionValue &value = operand(in, 0);
  const FunctionList &shape = value.kind == Kind::Operand && value.operand
                                  ? value.operand->shape
                                  : value.list;
  std::string of = " of result " + std::to_string(in.immediates[0]);
  for (size_t axis = 0; axis < shape.numbers.size(); ++axis)
    if (const FunctionNumber &extent = shape.numbers[axis];
        extent.isKnown && extent.value < 0)
      return fail("axis " + std::to_string(axis) + of + " would have extent " +
                  std::to_string(extent.value));
  int64_t input = in.immediates[1];
  if (input < 0 || !inputs[size_t(input)].isRanked)
    return true;
  const std::vector<int64_t> &given = inputs[size_t(input)].extents;
  bool isAddition = in.numImmediates > 2;
  const char *but =
      isAddition ? " but " : " by the reference implementation but ";
  const char *by = isAddition ? " by the shape function that a library adds"
                              : " by the shape function";
  if (!shape.isKnown)
    return true;
  if (given.size() != shape.numbers.size())
    return fail("result " + std::to_string(in.immediates[0]) + " has " +
                std::to_string(given.size()) + " axes" + but + "has " +
                std::to_string(shape.numbers.size()) + by);
  for (size_t axis = 0; axis < given.size(); ++axis) {
    const FunctionNumber &extent = shape.numbers[axis];
    int64_t is = given[axis];
    if (is < 0)
      continue;
    const char *says = nullptr;
    int64_t should = extent.value;
    if (extent.isKnown) {
      says = is == extent.value ? nullptr : "has";
    } else if (extent.data >= 0) {
      met[extent.data] = is;
      if (is < extent.atLeast) {
        says = "at least";
        should = extent.atLeast;
      } else if (extent.atMost && is > *extent.atMost) {
        says = "at most";
        should = *extent.atMost;
      }
    }
    if (says)
      return fail("axis " + std::to_string(axis) + of + " has extent " +
                  std::to_string(is) + but + says + " " +
                  std::to_string(should) + by);
  }
  return true;
}

bool FunctionMachine::executeControl(const FunctionInstruction &in) {
  std::vector<FunctionValue> values;
  switch (in.code) {
  case Code::Constrain: {
    std::vector<std::string> texts;
    for (int64_t i = 1; i < in.numOperands; ++i)
      texts.push_back(spell(operand(in, i)));
    return constrain(operand(in, 0).number, getText(in.immediates[0]), texts);
  }
  case Code::Fail:
    return fail(std::string(getText(in.immediates[0])));
  case Code::DataExtent: {
    FunctionNumber extent, lo = operand(in, 0).number, hi;
    if (in.numOperands > 1)
      hi = operand(in, 1).number;
    extent.data = numData++;
    if (lo.isKnown && lo.value > 0)
      extent.atLeast = lo.value;
    if (hi.isKnown)
      extent.atMost = hi.value;
    if (extent.atMost && *extent.atMost < extent.atLeast)
      return fail("its extent would be at least " +
                  std::to_string(extent.atLeast) + " and at most " +
                  std::to_string(*extent.atMost));
    if (auto it = dataExtents.find(extent.data); it != dataExtents.end())
      extent = it->second;
    return set(in, extent);
  }
  case Code::If: {
    FunctionNumber condition = operand(in, 0).number;
    int64_t block = in.immediates[condition.is(0) ? 1 : 0];
    if (!condition.isKnown) {
      verdict.isOpen = true;
      setUnknown(in);
      return true;
    }
    if (block >= 0 && !run(block, values))
      return false;
    return assign(in.results, values);
  }
  case Code::For:
    return runLoop(in);
  case Code::Reduce:
    return runReduce(in);
  case Code::Call:
    for (int64_t i = 0; i < in.numOperands; ++i)
      values.push_back(operand(in, i));
    if (!assign(in.immediates + 1, values) || !run(in.immediates[0], values))
      return false;
    return assign(in.results, values);
  case FunctionCode::Result:
    return checkResult(in);
  default:
    return failUnknown(in);
  }
}
