//===- FunctionMachine.h - evaluating a shape function's program -*- C++ -*-==//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to FunctionProgram.cpp and its neighbours: the state of one
// evaluation of a program that has been verified. Unknown is a value, so that a
// program can also be evaluated if only some extents are known.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_FUNCTIONMACHINE_H
#define BROADLOOM_SHAPE_FUNCTIONMACHINE_H

#include "shape/FunctionProgram.h"

#include <map>
#include <memory>

namespace broadloom {

/// The limit of nested calls and regions.
constexpr int32_t kMaxFunctionDepth = 200;

/// A number, or a condition as 0 or 1.
struct FunctionNumber {
  bool isKnown = false;
  int64_t value = 0;
  /// The number of the data-dependent extent that it is; -1 for none.
  int32_t data = -1;
  /// The bounds of such an extent.
  int64_t atLeast = 0;
  std::optional<int64_t> atMost;

  FunctionNumber() = default;
  FunctionNumber(int64_t value) : isKnown(true), value(value) {}
  bool is(int64_t number) const { return isKnown && value == number; }
};

struct FunctionList {
  bool isKnown = false;
  std::vector<FunctionNumber> numbers;
};

struct FunctionOperand {
  FunctionList shape, elements;
  int64_t type = -1, encoding = -1;
  bool isScalar = false;
};

struct FunctionValue {
  enum class Kind : uint8_t { Number, List, Operand, Operands, Text };
  /// Selects one of the following fields.
  Kind kind = Kind::Number;
  FunctionNumber number;
  FunctionList list;
  std::shared_ptr<const FunctionOperand> operand;
  /// A list of operands; null if its length is not known.
  std::shared_ptr<const std::vector<FunctionValue>> operands;
  /// The number of the text of a type or an encoding; -1 if it is not known.
  int64_t text = -1;
};

/// One instruction, decoded.
struct FunctionInstruction {
  FunctionCode code;
  bool isUnsigned;
  int64_t numOperands, numResults, numImmediates;
  const int64_t *operands, *results, *immediates, *next;
};

FunctionInstruction decode(const int64_t *words);

/// `count` numbers; with `hasUnknown`, negative ones are unknown.
FunctionList toList(const int64_t *numbers, int64_t count,
                    bool hasUnknown = false);

class FunctionMachine {
public:
  FunctionMachine(const int64_t *code, const int64_t *texts,
                  const std::vector<FunctionInput> &inputs,
                  const std::map<int32_t, int64_t> &dataExtents);

  /// Evaluates the block at `offset`; `yielded` gets the yielded values. False
  /// if evaluation has ended.
  bool run(int64_t offset, std::vector<FunctionValue> &yielded);

  FunctionVerdict verdict;
  /// The actual values of data-dependent extents.
  std::map<int32_t, int64_t> met;

private:
  bool execute(const FunctionInstruction &in);
  bool executeConstant(const FunctionInstruction &in);
  bool executeOperand(const FunctionInstruction &in);
  bool executeList(const FunctionInstruction &in);
  bool executeShape(const FunctionInstruction &in);
  bool executeArithmetic(const FunctionInstruction &in);
  bool executeControl(const FunctionInstruction &in);

  bool makeOperand(const FunctionInstruction &in);
  bool compute(const FunctionInstruction &in, const FunctionNumber &a,
               const FunctionNumber &b, FunctionNumber &result);
  bool compare(const FunctionInstruction &in);
  bool broadcast(const FunctionInstruction &in);
  bool meet(const FunctionInstruction &in);
  bool split(const FunctionInstruction &in);
  bool getElement(const FunctionInstruction &in);
  /// The extent of the axis that operand 1 is; `message` is of the axis and the
  /// rank.
  bool getExtent(const FunctionInstruction &in, const FunctionList &shape,
                 const char *message);
  bool getElements(const FunctionInstruction &in, const FunctionOperand &from);
  bool setShape(const FunctionInstruction &in, const FunctionOperand &from);
  bool getExtents(const FunctionInstruction &in, const FunctionOperand &from);
  bool count(const FunctionInstruction &in);
  bool compareAll(const FunctionInstruction &in);
  bool checkResult(const FunctionInstruction &in);
  FunctionNumber areSame(const FunctionInstruction &in);
  bool runLoop(const FunctionInstruction &in);
  bool runReduce(const FunctionInstruction &in);

  FunctionValue &operand(const FunctionInstruction &in, int64_t i) {
    return slots[size_t(in.operands[i])];
  }
  FunctionValue &result(const FunctionInstruction &in, int64_t i = 0) {
    return slots[size_t(in.results[i])];
  }
  /// Sets the number that is the only result.
  bool set(const FunctionInstruction &in, FunctionNumber number);
  bool setList(const FunctionInstruction &in, FunctionList list, int64_t i = 0);
  void setUnknown(const FunctionInstruction &in);
  bool assign(const int64_t *to, const std::vector<FunctionValue> &values);

  /// False if the condition does not hold; `values` are for the message.
  bool constrain(FunctionNumber condition, std::string_view message,
                 const std::vector<std::string> &values);
  bool fail(std::string text);
  /// For an instruction that a group of codes does not have, which the verifier
  /// (shape/FunctionVerifier.h) lets none be.
  bool failUnknown(const FunctionInstruction &in);
  std::string_view getText(int64_t index) const;
  std::string spell(const FunctionValue &value) const;
  std::string spell(const FunctionNumber &number) const;
  std::string spell(const FunctionList &shape) const;
  /// The operands with known shapes, for the end of a message.
  std::string nameOperands() const;
  bool charge(int64_t count);

  const int64_t *code, *texts;
  const std::vector<FunctionInput> &inputs;
  const std::map<int32_t, int64_t> &dataExtents;
  std::vector<FunctionValue> slots;
  std::vector<std::shared_ptr<const FunctionOperand>> operands;
  int64_t steps = 0;
  int32_t depth = 0, numData = 0;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FUNCTIONMACHINE_H
