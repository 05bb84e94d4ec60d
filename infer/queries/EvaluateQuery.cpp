//===- EvaluateQuery.cpp - result shapes of symbolic argument shapes ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/EvaluateQuery.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/LocationText.h"
#include "dialect/ShapeConversion.h"
#include "infer/analysis/TensorMemory.h"
#include "infer/queries/QueryArithmetic.h"
#include "infer/queries/QueryEvaluator.h"
#include "runtime/abi/Abi.h"
#include "shape/Formula.h"
#include "shape/FunctionProgram.h"
#include "shape/Memory.h"
#include "shape/Message.h"
#include "shape/TakesText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Number QueryEvaluator::getNumber(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second.number;
  return numbers.unknown();
}

ConditionId QueryEvaluator::getCondition(Value value) {
  auto it = values.find(value);
  return it == values.end() ? Numbers::kUnknown : it->second.condition;
}

ShapeDatum QueryEvaluator::getShape(Value value) {
  auto it = values.find(value);
  return it == values.end() ? ShapeDatum::unranked() : it->second.shape;
}

void QueryEvaluator::setUnknown(Value value) {
  QueryValue unknown;
  unknown.number = numbers.unknown();
  unknown.condition = Numbers::kUnknown;
  unknown.shape = ShapeDatum::unranked();
  values[value] = unknown;
}

std::vector<QueryValue> QueryEvaluator::getAll(ValueRange range) {
  std::vector<QueryValue> all;
  for (Value value : range) {
    if (!values.count(value))
      setUnknown(value);
    all.push_back(values[value]);
  }
  return all;
}

/// The first value if `condition` holds, else the second; the join of both if
/// it is not known.
QueryValue QueryEvaluator::select(ConditionId condition, const QueryValue &a,
                                  const QueryValue &b) {
  QueryValue result;
  result.number = selectNumber(numbers, condition, a.number, b.number);
  result.condition =
      numbers.either(numbers.both(condition, a.condition),
                     numbers.both(numbers.negate(condition), b.condition));
  result.shape = ShapeDatum::unranked();
  if (a.shape.isRanked && b.shape.isRanked &&
      a.shape.extents.size() == b.shape.extents.size()) {
    result.shape = ShapeDatum();
    for (size_t i = 0; i < a.shape.extents.size(); ++i)
      result.shape.extents.push_back(selectNumber(
          numbers, condition, a.shape.extents[i], b.shape.extents[i]));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

void QueryEvaluator::fail(Operation *op, StringRef origin,
                          const std::string &text) {
  answer.status = BROADLOOM_GUARD_FAILED;
  answer.message = withSite(getLocationText(op->getLoc()), origin.str(), text);
}

std::string QueryEvaluator::getText(Value value) {
  // The ends of the 64-bit range have no symbol or constant.
  auto spell = [&](const Number &number) {
    std::optional<int64_t> word = numbers.getWord(number);
    return word ? std::to_string(*word) : nameOf(numbers, number, numNamed);
  };
  if (!isa<loom::ShapeType>(value.getType()))
    return spell(getNumber(value));
  ShapeDatum shape = getShape(value);
  if (!shape.isRanked)
    return "*";
  if (shape.extents.empty())
    return "scalar";
  return llvm::join(llvm::map_range(shape.extents, spell), "x");
}

void QueryEvaluator::evaluate(loom::RequireOp op) {
  ConditionId condition = getCondition(op.getCondition());
  if (isAnyIteration)
    answer.isOpen |= !decide(numbers, condition).isProved();
  if (isAnyIteration || !certain)
    return;
  if (!decide(numbers, condition).isRefuted())
    return record(numbers, condition, "by a guard");
  std::vector<std::string> texts;
  for (Value value : op.getValues())
    texts.push_back(getText(value));
  fail(op, op.getOrigin(),
       substitute(op.getMessage().str(), texts.size(),
                  [&](size_t k) { return texts[k]; }));
}

void QueryEvaluator::evaluate(loom::RequireBroadcastOp op) {
  std::vector<Shape> shapes;
  for (Value value : op.getShapes()) {
    ShapeDatum datum = getShape(value);
    Shape &shape = shapes.emplace_back();
    if (!datum.isRanked)
      shape = Shape::unranked();
    for (const Number &extent : datum.extents)
      shape.push_back(extentOf(numbers, extent));
  }
  std::vector<ShapeView> views(shapes.begin(), shapes.end());
  Broadcast result = broadcast(views, numbers.getProver());
  answer.isOpen |= isAnyIteration;
  if (isAnyIteration || !certain)
    return;
  if (!result.error) {
    for (const ShapeConstraint &constraint : result.constraints)
      learn(numbers.getSymbols(), constraint, "by a guard");
    return;
  }
  struct Named final : Spelling {
    Named(Numbers &numbers, SymbolId numNamed, ArrayAttr owners)
        : numbers(numbers), numNamed(numNamed), owners(owners) {}
    std::string extent(int32_t, int32_t, Extent extent) override {
      return nameOf(numbers, numberOf(numbers, extent), numNamed);
    }
    std::string rank(int32_t, int32_t rank) override {
      return rank < 0 ? "?" : std::to_string(rank);
    }
    std::string origin(int32_t operand, int32_t axis) override {
      StringRef owner =
          owners ? cast<StringAttr>(owners[operand]).getValue() : "";
      return owner.empty() ? "" : ofAxis(axis, owner.str());
    }
    Numbers &numbers;
    SymbolId numNamed;
    ArrayAttr owners;
  } spelling(numbers, numNamed, op.getOwnersAttr());
  fail(
      op, op.getOrigin(),
      describe(*result.error, Situation{views, result.inferred, {}}, spelling));
}

/// A guard is refuted if it fails for all values of the unknown extents.
void QueryEvaluator::evaluate(loom::RequireFunctionOp op) {
  answer.isOpen |= isAnyIteration;
  if (isAnyIteration || !certain)
    return;
  std::vector<FunctionInput> inputs;
  for (Value value : op.getInputs()) {
    ShapeDatum shape = getShape(value);
    FunctionInput &input = inputs.emplace_back();
    input.isRanked = shape.isRanked;
    for (const Number &extent : shape.extents) {
      Bounds bounds = boundsOf(numbers, extent);
      input.extents.push_back(bounds.lo == bounds.hi ? bounds.lo : -1);
    }
  }
  std::vector<std::string> texts;
  for (StringRef text : op.getTexts().getAsValueRange<StringAttr>())
    texts.push_back(text.str());
  FunctionVerdict verdict =
      runFunction(op.getProgram().data(), packTexts(texts).data(), inputs);
  if (verdict.isRefuted)
    fail(op, op.getOrigin(), verdict.message + verdict.operands);
}

namespace {
/// `Ops` of joinFormula.
struct NumberOps {
  Numbers &numbers;

  Number one() const { return Number(1); }
  ConditionId equal(const Number &a, const Number &b) const {
    return infer::equal(numbers, a, b);
  }
  Number select(ConditionId condition, const Number &a, const Number &b) const {
    return selectNumber(numbers, condition, a, b);
  }
};
} // namespace

void QueryEvaluator::evaluate(loom::BroadcastOp op) {
  ShapeDatum result;
  std::vector<ShapeDatum> shapes;
  for (Value value : op.getShapes()) {
    shapes.push_back(getShape(value));
    if (!shapes.back().isRanked)
      return setUnknown(op.getShape());
    result.extents.resize(
        std::max(result.extents.size(), shapes.back().extents.size()),
        Number(1));
  }
  for (const ShapeDatum &shape : shapes) {
    size_t added = result.extents.size() - shape.extents.size();
    for (auto [axis, extent] : llvm::enumerate(shape.extents)) {
      Number &joined = result.extents[added + axis];
      joined = joinFormula(NumberOps{numbers}, joined, extent);
    }
  }
  set(op.getShape(), result);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void QueryEvaluator::evaluate(Operation *op) {
  ++steps;
  llvm::TypeSwitch<Operation *>(op)
      .Case<loom::RequireOp, loom::RequireBroadcastOp, loom::RequireFunctionOp,
            loom::BroadcastOp, scf::IfOp, scf::ForOp, scf::WhileOp,
            func::CallOp>([&](auto it) { evaluate(it); })
      .Case([&](loom::FromExtentsOp it) {
        ShapeDatum shape;
        for (Value extent : it.getExtents())
          shape.extents.push_back(getNumber(extent));
        set(it.getShape(), shape);
      })
      .Case([&](loom::RankOp it) {
        ShapeDatum shape = getShape(it.getShape());
        setNumber(it.getRank(),
                  shape.isRanked
                      ? Number(static_cast<int64_t>(shape.extents.size()))
                      : numbers.unknown({0, BROADLOOM_MAX_RANK}));
      })
      .Case([&](loom::ExtentOp it) {
        ShapeDatum shape = getShape(it.getShape());
        int64_t axis = it.getAxis(), rank = shape.extents.size();
        if (axis < 0)
          axis += rank;
        // bcast-1
        setNumber(it.getExtent(), !shape.isRanked ? numbers.unknown({0})
                                  : axis < 0 || axis >= rank
                                      ? Number(1)
                                      : shape.extents[axis]);
      })
      .Default([&](Operation *it) { compute(it); });
}

//===----------------------------------------------------------------------===//
// The query
//===----------------------------------------------------------------------===//

std::string QueryEvaluator::getArgumentText(int32_t index) const {
  bool hasName = static_cast<size_t>(index) < names.size();
  return argumentText(index, hasName ? names[index] : "");
}

/// Makes the runtime's check of an argument; false if it fails. ext-5
bool QueryEvaluator::checkMemory(int32_t index, TensorType type,
                                 const Shape &shape) {
  std::vector<int64_t> known;
  std::string text;
  for (Extent extent : shape) {
    known.push_back(extent.isFixed() ? extent.value() : 1);
    text += (text.empty() ? "" : "x") + toString(extent, &numbers.getSymbols());
  }
  for (Extent extent : shape)
    numbers.limitExtent(extent, getMostBeside(getMostElements(type), known),
                        index);
  if (canExist(known.data(), known.size(),
               kMaxTensorBytes / getMostElements(type)))
    return true;
  answer.status = BROADLOOM_INVALID_ARGUMENT;
  answer.message = describeTooLarge(getArgumentText(index), text);
  return false;
}

/// Makes the checks at the entry of the function; false if one fails.
bool QueryEvaluator::bindArgument(int32_t index, Type type, const Shape &shape,
                                  Block::args_iterator &next) {
  auto tensor = dyn_cast<TensorType>(type);
  if (tensor && shape.isRanked() && !checkMemory(index, tensor, shape))
    return false;
  if (tensor && !tensor.hasRank()) {
    ShapeDatum datum;
    datum.isRanked = shape.isRanked();
    for (Extent extent : shape)
      datum.extents.push_back(numberOf(numbers, extent));
    set(*next++, datum);
    return true;
  }
  Shape declared = tensor ? *shapeOf(tensor) : Shape();
  auto refuse = [&] {
    answer.status = BROADLOOM_INVALID_ARGUMENT;
    answer.message = describeArgument(getArgumentText(index), shape, declared,
                                      &numbers.getSymbols());
    return false;
  };
  if (shape.isRanked() && shape.rank() != declared.rank())
    return refuse();
  for (size_t axis = 0; axis < declared.rank(); ++axis) {
    Number given = shape.isRanked() ? numberOf(numbers, shape[axis])
                                    : numberOf(numbers, Extent());
    if (declared[axis].isDynamic()) {
      setNumber(*next++, given);
      continue;
    }
    ConditionId fits = equal(numbers, given, numberOf(numbers, declared[axis]));
    if (decide(numbers, fits).isRefuted())
      return refuse();
    record(numbers, fits, "by the type of an argument");
  }
  return true;
}

QueryShapes QueryEvaluator::run(func::FuncOp query,
                                const std::vector<Shape> &arguments) {
  std::optional<ShapeQueryInfo> info = readShapeQuery(query);
  auto next = query.args_begin();
  for (auto [i, type] : llvm::enumerate(info->type.getInputs()))
    if (!bindArgument(i, type, arguments[i], next))
      return answer;
  Block &body = query.getBody().front();
  if (!evaluate(body))
    return answer;
  auto result = body.getTerminator()->operand_begin();
  for (const auto &certainties : info->results) {
    QueryShape &shape = answer.results.emplace_back();
    if (!certainties) {
      ShapeDatum datum = getShape(*result++);
      shape.isRanked = datum.isRanked;
      for (const Number &extent : datum.extents)
        shape.extents.push_back({extent, Certainty::Exact});
      continue;
    }
    for (Certainty certainty : *certainties)
      shape.extents.push_back({getNumber(*result++), certainty});
  }
  return answer;
}

QueryShapes infer::evaluateQuery(func::FuncOp query,
                                 const std::vector<Shape> &arguments,
                                 Numbers &numbers,
                                 ArrayRef<std::string> names) {
  return QueryEvaluator(numbers, names).run(query, arguments);
}
