//===- ScalarAnalysis.cpp - the integers of a program ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ScalarAnalysis.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/WordOperations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

ScalarAnalysis::ScalarAnalysis(Numbers &numbers)
    : numbers(numbers), evaluator(nullptr, request, options, numbers, outcome) {
  options.numbers = &numbers;
  options.maxSteps = UINT64_MAX;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether integers of this type are words of 64 bits.
static bool isInteger(Type type) {
  return type.isIndex() || type.isInteger(64);
}

static bool isList(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 1 &&
         tensor.getElementType().isIntOrIndex();
}

/// Whether an operation computes with the mathematical integers of a
/// constraint.
static bool isOfConstraint(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

Number ScalarAnalysis::makeUnknown(Value value, Bounds bounds) {
  Operation *op = value.getDefiningOp();
  Number number = op && isOfConstraint(op) ? numbers.unknown(bounds)
                                           : numbers.unknownWord(bounds);
  if (!number.isConstant())
    values[number.terms[0].atoms[0]] = value;
  setNumber(value, number);
  return number;
}

Number ScalarAnalysis::getNumber(Value value) {
  if (const Datum *datum = evaluator.find(value))
    if (auto *number = std::get_if<Number>(datum))
      return *number;
  // The walk may not have visited a constant.
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return numbers.word(constant.getSExtValue());
  return makeUnknown(value);
}

Number ScalarAnalysis::getNumber(OpFoldResult value) {
  if (auto constant = dyn_cast<Attribute>(value))
    return numbers.word(cast<IntegerAttr>(constant).getInt());
  return getNumber(cast<Value>(value));
}

ConditionId ScalarAnalysis::getCondition(Value value) {
  const Datum *datum = evaluator.find(value);
  if (auto *statement = datum ? std::get_if<Statement>(datum) : nullptr)
    return statement->condition;
  return Numbers::kUnknown;
}

std::optional<std::vector<Number>> ScalarAnalysis::getList(Value value) {
  const Datum *datum = evaluator.find(value);
  using Shared = std::shared_ptr<const ShapeDatum>;
  if (auto *list = datum ? std::get_if<Shared>(datum) : nullptr)
    if ((*list)->isRanked)
      return (*list)->extents;
  return std::nullopt;
}

void ScalarAnalysis::setNumber(Value value, const Number &number) {
  evaluator.set(value, number);
}

void ScalarAnalysis::setList(Value value, std::vector<Number> list) {
  evaluator.set(value, std::make_shared<const ShapeDatum>(
                           ShapeDatum{true, std::move(list)}));
}

void ScalarAnalysis::setSame(Value value, Value other) {
  if (const Datum *datum = evaluator.find(other))
    evaluator.set(value, Datum(*datum));
  else if (isInteger(value.getType()))
    setNumber(value, getNumber(other));
  else
    forget(value);
}

void ScalarAnalysis::replace(Value from, Value to) {
  const Datum *datum = evaluator.find(from);
  if (!datum)
    return;
  if (auto *number = std::get_if<Number>(datum))
    forEachLeaf(numbers, *number, [&](AtomId leaf) {
      if (auto it = values.find(leaf); it != values.end() && it->second == from)
        it->second = to;
    });
  evaluator.set(to, Datum(*datum));
  forget(from);
}

void ScalarAnalysis::forget(Value value) { evaluator.forget(value); }

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isShapeType(Type type) {
  return isa<shape::ShapeDialect>(type.getDialect());
}

/// Whether the interpreter of shape functions computes what the program's
/// operation does.
static bool isInterpreted(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return false;
  auto isKnown = [](Type type) {
    return isInteger(type) || type.isInteger(1) || isShapeType(type) ||
           isList(type);
  };
  if (isa<arith::ConstantOp, arith::IndexCastOp>(op)) {
    Type type = op->getResult(0).getType();
    return isInteger(type) || isList(type) || type.isInteger(1);
  }
  if (!isa_and_nonnull<arith::ArithDialect, index::IndexDialect,
                       shape::ShapeDialect>(op->getDialect()) &&
      !isa<tensor::ExtractOp, tensor::FromElementsOp, tensor::CastOp>(op))
    return false;
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown) &&
         // Lists are not added element by element.
         (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
          llvm::none_of(op->getResultTypes(), isList));
}

/// The value of an integer that is a constant, or an element of one.
std::optional<llvm::APInt> ScalarAnalysis::getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  DenseIntElementsAttr elements;
  if (!extract || !matchPattern(extract.getTensor(), m_Constant(&elements)))
    return std::nullopt;
  SmallVector<uint64_t> at;
  for (Value index : extract.getIndices()) {
    Number number = getNumber(index);
    if (!number.isConstant() || number.constant < 0)
      return std::nullopt;
    at.push_back(static_cast<uint64_t>(number.constant));
  }
  // An index out of range is an error of the program (rt-9).
  if (!elements.isValidIndex(ArrayRef(at)))
    return std::nullopt;
  return elements.getValues<APInt>()[ArrayRef(at)];
}

/// The word of a program's integer, as operations on words read it.
std::optional<Number> ScalarAnalysis::getWord(Value value) {
  if (isInteger(value.getType()))
    return getNumber(value);
  std::optional<APInt> constant = getConstant(value);
  if (!constant || constant->getSignificantBits() > 64)
    return std::nullopt;
  return numbers.word(constant->getSExtValue());
}

/// The word of 64 bits that the only result of `op` is.
std::optional<Number> ScalarAnalysis::computeWord(Operation *op) {
  if (op->getNumResults() != 1 || !isInteger(op->getResult(0).getType()) ||
      isOfConstraint(op))
    return std::nullopt;
  auto number = [&](Value value) { return getWord(value); };
  auto condition = [&](Value value) {
    std::optional<APInt> constant = getConstant(value);
    return constant ? numbers.constant(!constant->isZero())
                    : getCondition(value);
  };
  if (auto word = evaluateWordOperation(numbers, op, {number, condition}))
    return word;
  if (isa<tensor::ExtractOp>(op))
    if (std::optional<APInt> constant = getConstant(op->getResult(0)))
      return numbers.word(constant->getSExtValue());
  return extend(op);
}

/// An unknown integer of fewer bits as one of 64 bits.
std::optional<Number> ScalarAnalysis::extend(Operation *op) {
  std::optional<IntegerCast> cast = getIntegerCast(op);
  if (!cast || cast->from >= 64)
    return std::nullopt;
  if (!cast->isSigned)
    return numbers.unknownWord(
        {0, cast->from < 63 ? (int64_t(1) << cast->from) - 1 : Bounds::kNone});
  // All conversions of one source share a number. It stands for the first of
  // them, or, if there are several, for the source, which is available to all.
  Value source = op->getOperand(0);
  if (const Datum *datum = evaluator.find(source))
    if (auto *number = std::get_if<Number>(datum)) {
      if (!number->isConstant())
        if (Value &value = values[number->terms[0].atoms[0]];
            value != op->getResult(0))
          value = source;
      return *number;
    }
  int64_t end = int64_t(1) << (cast->from - 1);
  Number number = makeUnknown(source, {-end, end - 1});
  values[number.terms[0].atoms[0]] = op->getResult(0);
  return number;
}

bool ScalarAnalysis::visit(Operation *op) {
  if (std::optional<Number> known = computeWord(op)) {
    setNumber(op->getResult(0), *known);
    adopt(op);
    return true;
  }
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          op)) {
    adopt(op);
    return true;
  }
  if (!isInterpreted(op))
    return false;
  // Unknown operands are words that stand for their values.
  for (Value operand : op->getOperands())
    if (isInteger(operand.getType()))
      (void)getNumber(operand);
  if (evaluator.evaluateAlone(op))
    adopt(op);
  return true;
}

/// An unknown result becomes an unknown number that stands for the value
/// itself.
void ScalarAnalysis::adopt(Operation *op) {
  if (isOfConstraint(op))
    return;
  for (Value result : op->getResults()) {
    if (!isInteger(result.getType()))
      continue;
    Number number = getNumber(result);
    if (number.terms.size() != 1 || number.terms[0].atoms.size() != 1)
      continue;
    AtomId atom = number.terms[0].atoms[0];
    if (numbers.getAtom(atom).kind != Atom::Kind::Unknown)
      continue;
    numbers.setWord(atom);
    values.try_emplace(atom, result);
  }
}
