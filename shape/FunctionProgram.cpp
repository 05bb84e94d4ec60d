//===- FunctionProgram.cpp - shape functions for run time -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMachine.h"
#include "shape/FunctionMessages.h"
#include "shape/TakesText.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace broadloom;

/// The same limit as for the compiler's evaluation of a function.
static constexpr int64_t kMaxSteps = 1 << 20;
static constexpr size_t kMaxElements = 4096;

std::vector<int64_t>
broadloom::packTexts(const std::vector<std::string> &texts) {
  std::vector<int64_t> words = {int64_t(texts.size())};
  for (const std::string &text : texts) {
    words.push_back(int64_t(text.size()));
    size_t first = words.size();
    words.resize(first + (text.size() + 7) / 8);
    if (!text.empty())
      std::memcpy(&words[first], text.data(), text.size());
  }
  return words;
}

FunctionInstruction broadloom::decode(const int64_t *words) {
  FunctionInstruction in;
  in.isUnsigned = words[0] >= kUnsignedCode;
  in.code = FunctionCode(words[0] % kUnsignedCode);
  in.next = words + words[1];
  in.numOperands = words[2];
  in.operands = words + 3;
  const int64_t *results = in.operands + in.numOperands;
  in.numResults = *results;
  in.results = results + 1;
  in.immediates = in.results + in.numResults;
  in.numImmediates = in.next - in.immediates;
  return in;
}

FunctionMachine::FunctionMachine(const int64_t *code, const int64_t *texts,
                                 const std::vector<FunctionInput> &inputs,
                                 const std::map<int32_t, int64_t> &dataExtents)
    : code(code), texts(texts), inputs(inputs), dataExtents(dataExtents),
      slots(size_t(code[0])) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool FunctionMachine::set(const FunctionInstruction &in,
                          FunctionNumber number) {
  FunctionValue &value = result(in);
  value = FunctionValue();
  value.number = number;
  return true;
}

bool FunctionMachine::setList(const FunctionInstruction &in, FunctionList list,
                              int64_t i) {
  if (list.numbers.size() > kMaxElements)
    return fail("the shape function made a shape of rank " +
                std::to_string(list.numbers.size()) + "; the limit is " +
                std::to_string(kMaxElements));
  FunctionValue &value = result(in, i);
  value = FunctionValue();
  value.kind = FunctionValue::Kind::List;
  int64_t size = int64_t(list.numbers.size());
  value.list = std::move(list);
  return charge(size);
}

/// Makes the results unknown, but keeps their kinds, which messages need.
void FunctionMachine::setUnknown(const FunctionInstruction &in) {
  for (int64_t i = 0; i < in.numResults; ++i) {
    FunctionValue::Kind kind = result(in, i).kind;
    result(in, i) = FunctionValue();
    result(in, i).kind = kind;
  }
}

bool FunctionMachine::assign(const int64_t *to,
                             const std::vector<FunctionValue> &values) {
  int64_t size = 0;
  for (const FunctionValue &value : values) {
    size += int64_t(value.list.numbers.size());
    slots[size_t(*to++)] = value;
  }
  return charge(size);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string_view FunctionMachine::getText(int64_t index) const {
  const int64_t *next = texts + 1;
  for (; index > 0; --index)
    next += 1 + (*next + 7) / 8;
  return {reinterpret_cast<const char *>(next + 1), size_t(*next)};
}

std::string FunctionMachine::spell(const FunctionNumber &number) const {
  return number.isKnown ? std::to_string(number.value) : "?";
}

std::string FunctionMachine::spell(const FunctionList &shape) const {
  if (!shape.isKnown)
    return "*";
  return writeShape(shape.numbers.size(),
                    [&](size_t axis) { return spell(shape.numbers[axis]); });
}

std::string FunctionMachine::spell(const FunctionValue &value) const {
  switch (value.kind) {
  case FunctionValue::Kind::Number:
    return spell(value.number);
  case FunctionValue::Kind::List:
    return spell(value.list);
  case FunctionValue::Kind::Operand:
    return value.operand ? spell(value.operand->shape) : "*";
  case FunctionValue::Kind::Text:
    if (value.text >= 0)
      return std::string(getText(value.text));
    break;
  case FunctionValue::Kind::Operands:
    break;
  }
  return "?";
}

std::string FunctionMachine::nameOperands() const {
  std::vector<OperandText> named;
  for (size_t i = 0; i < operands.size(); ++i) {
    const FunctionList &shape = operands[i]->shape;
    if (operands[i]->isScalar || !shape.isKnown)
      continue;
    named.push_back(
        {int64_t(i),
         writeShape(shape.numbers.size(),
                    [&](size_t axis) { return spell(shape.numbers[axis]); }),
         {}});
  }
  return describeOperands(named);
}

bool FunctionMachine::fail(std::string text) {
  verdict.isRefuted = true;
  verdict.message = std::move(text);
  verdict.operands = nameOperands();
  return false;
}

bool FunctionMachine::failUnknown(const FunctionInstruction &in) {
  assert(false && "the code has no implementation");
  return fail(substitute(kUnknownOperation, {int64_t(in.code)}));
}

bool FunctionMachine::constrain(FunctionNumber condition,
                                std::string_view message,
                                const std::vector<std::string> &values) {
  if (condition.is(1))
    return true;
  std::string text =
      substitute(message, values.size(), [&](size_t k) { return values[k]; });
  if (condition.isKnown)
    return fail(std::move(text));
  if (!verdict.isOpen) {
    verdict.message = std::move(text);
    verdict.operands = nameOperands();
  }
  verdict.isOpen = true;
  return true;
}

bool FunctionMachine::charge(int64_t count) {
  steps += count;
  return steps <= kMaxSteps ||
         fail("the shape function was stopped after " +
              std::to_string(kMaxSteps) + " steps; does it end?");
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

bool FunctionMachine::run(int64_t offset, std::vector<FunctionValue> &yielded) {
  if (depth >= kMaxFunctionDepth)
    return fail("the shape function is nested more than " +
                std::to_string(kMaxFunctionDepth) + " calls and regions deep");
  ++depth;
  for (const int64_t *next = code + offset;;) {
    FunctionInstruction in = decode(next);
    if (in.code == FunctionCode::Yield) {
      yielded.clear();
      for (int64_t i = 0; i < in.numOperands; ++i)
        yielded.push_back(operand(in, i));
      --depth;
      return true;
    }
    // A long instruction counts as several steps.
    if (!charge(1 + (in.next - next) / 16) || !execute(in))
      return false;
    next = in.next;
  }
}

bool FunctionMachine::execute(const FunctionInstruction &in) {
  if (in.code <= FunctionCode::Operand)
    return executeConstant(in);
  if (in.code <= FunctionCode::Dim)
    return executeOperand(in);
  if (in.code <= FunctionCode::All)
    return executeArithmetic(in);
  if (in.code <= FunctionCode::Any)
    return executeShape(in);
  if (in.code <= FunctionCode::Element)
    return executeList(in);
  return executeControl(in);
}

FunctionVerdict
broadloom::runFunction(const int64_t *code, const int64_t *texts,
                       const std::vector<FunctionInput> &inputs) {
  std::map<int32_t, int64_t> dataExtents;
  std::vector<FunctionValue> none;
  FunctionMachine first(code, texts, inputs, dataExtents);
  bool isDone = first.run(code[1], none);
  if (!isDone || !first.verdict.isOpen || first.met.empty())
    return std::move(first.verdict);
  // Evaluates again, with the actual data-dependent extents.
  dataExtents = first.met;
  FunctionMachine second(code, texts, inputs, dataExtents);
  (void)second.run(code[1], none);
  return std::move(second.verdict);
}
