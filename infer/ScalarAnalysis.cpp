//===- ScalarAnalysis.cpp - the integers of a program ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/ScalarAnalysis.h"

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

/// Whether numbers of this type do not wrap before extents do.
static bool isInteger(Type type) {
  return type.isIndex() || type.isInteger(64);
}

static bool isList(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 1 &&
         tensor.getElementType().isIntOrIndex();
}

Number ScalarAnalysis::makeUnknown(Value value, Bounds bounds) {
  Number number = numbers.unknown(bounds);
  if (!number.isConstant())
    values[number.terms[0].atoms[0]] = value;
  setNumber(value, number);
  return number;
}

Number ScalarAnalysis::getNumber(Value value) {
  if (const Datum *datum = evaluator.find(value))
    if (auto *number = std::get_if<Number>(datum))
      return *number;
  // A constant may stand where nobody walks.
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() < 63)
    return Number(constant.getSExtValue());
  return makeUnknown(value);
}

Number ScalarAnalysis::getNumber(OpFoldResult value) {
  if (auto constant = dyn_cast<Attribute>(value))
    return Number(cast<IntegerAttr>(constant).getInt());
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
    numbers.forEachLeaf(*number, [&](AtomId leaf) {
      if (auto it = values.find(leaf); it != values.end() && it->second == from)
        it->second = to;
    });
  evaluator.set(to, Datum(*datum));
  forget(from);
}

void ScalarAnalysis::forget(Value value) { evaluator.forget(value); }

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

/// Nothing where a divisor is not known to be positive.
static std::optional<Number> compute(Numbers &numbers, AffineExpr expression,
                                     ArrayRef<Number> operands,
                                     unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return Number(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  auto a = compute(numbers, binary.getLHS(), operands, numDims);
  auto b = compute(numbers, binary.getRHS(), operands, numDims);
  if (!a || !b)
    return std::nullopt;
  bool divides = binary.getKind() != AffineExprKind::Add &&
                 binary.getKind() != AffineExprKind::Mul;
  if (divides && numbers.boundsOf(*b).lo <= 0)
    return std::nullopt;
  Number minusOne(-1);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return numbers.add(*a, *b);
  case AffineExprKind::Mul:
    return numbers.multiply(*a, *b);
  case AffineExprKind::FloorDiv:
    return numbers.divide(*a, *b);
  case AffineExprKind::CeilDiv:
    return numbers.multiply(numbers.divide(numbers.multiply(*a, minusOne), *b),
                            minusOne);
  default:
    return numbers.remainder(*a, *b);
  }
}

/// The least or the greatest of the results of a map; `better` picks of two.
template <typename OpT>
static std::optional<Number>
computeAffine(Numbers &numbers, ScalarAnalysis &scalars, OpT op,
              Number (Numbers::*better)(const Number &, const Number &)) {
  SmallVector<Number> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scalars.getNumber(operand));
  std::optional<Number> best;
  for (AffineExpr expression : op.getMap().getResults()) {
    auto next =
        compute(numbers, expression, operands, op.getMap().getNumDims());
    if (!next)
      return std::nullopt;
    best = best ? (numbers.*better)(*best, *next) : *next;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isShapeType(Type type) {
  return isa<shape::ShapeDialect>(type.getDialect());
}

/// Whether the interpreter's arithmetic is that of the program's operation.
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
  if (!isa<arith::ArithDialect, index::IndexDialect, shape::ShapeDialect>(
          op->getDialect()) &&
      !isa<tensor::ExtractOp, tensor::FromElementsOp, tensor::CastOp>(op))
    return false;
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown) &&
         // Lists are not added element by element.
         (!isa<arith::ArithDialect>(op->getDialect()) ||
          llvm::none_of(op->getResultTypes(), isList));
}

/// Integers of 64 bits are data as well, and may wrap; extents do not.
static bool mayWrap(const Numbers &numbers, const Number &number) {
  return llvm::any_of(number.terms, [&](const Term &term) {
    return llvm::any_of(term.atoms, [&](AtomId id) {
      return numbers.getAtom(id).kind == Atom::Kind::Unknown;
    });
  });
}

bool ScalarAnalysis::visit(Operation *op) {
  std::optional<Number> affine;
  numbers.takeOverflow();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    affine = computeAffine(numbers, *this, apply, &Numbers::minimum);
  else if (auto least = dyn_cast<affine::AffineMinOp>(op))
    affine = computeAffine(numbers, *this, least, &Numbers::minimum);
  else if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
    affine = computeAffine(numbers, *this, greatest, &Numbers::maximum);
  else if (!isInterpreted(op))
    return false;
  if (affine) {
    if (!numbers.takeOverflow())
      setNumber(op->getResult(0), *affine);
    return true;
  }
  for (Value operand : op->getOperands())
    if (isInteger(operand.getType()))
      if (Number number = getNumber(operand);
          operand.getType().isInteger(64) && mayWrap(numbers, number) &&
          op->getResult(0).getType().isInteger(64))
        return true;
  if (!evaluator.evaluateAlone(op))
    return true;
  // What has come out as unknown is the value itself.
  for (Value result : op->getResults()) {
    if (!isInteger(result.getType()))
      continue;
    Number number = getNumber(result);
    if (number.terms.size() != 1 || number.terms[0].atoms.size() != 1)
      continue;
    AtomId atom = number.terms[0].atoms[0];
    if (numbers.getAtom(atom).kind == Atom::Kind::Unknown)
      values.try_emplace(atom, result);
  }
  return true;
}
