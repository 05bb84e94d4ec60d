//===- Evaluate.cpp - the result shapes of an operation -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Evaluate.h"
#include "dialect/LoomShapeOps.h"
#include "dialect/ShapeConversion.h"
#include "infer/functions/Evaluator.h"
#include "infer/functions/OperandGroups.h"
#include "infer/functions/TraitFunctions.h"
#include "infer/functions/UserDialects.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"
#include "shape/Message.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Attribute infer::encodingOf(Type type) {
  auto orNone = [&](Attribute attribute) -> Attribute {
    return attribute ? attribute : UnitAttr::get(type.getContext());
  };
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return orNone(tensor.getEncoding());
  if (auto memref = dyn_cast<MemRefType>(type)) {
    Attribute layout =
        memref.getLayout().isIdentity() ? Attribute() : memref.getLayout();
    return ArrayAttr::get(type.getContext(),
                          {orNone(layout), orNone(memref.getMemorySpace())});
  }
  // An unranked tensor type has no encoding, but the tensor may have one.
  if (isa<UnrankedTensorType>(type))
    return {};
  return orNone({});
}

bool Operand::isScalar() const {
  return type && !isa<ShapedType, tosa::shapeType>(type);
}

Operand::Operand(Type type) : encoding(encodingOf(type)), type(type) {
  if (auto numbers = dyn_cast<tosa::shapeType>(type)) {
    shape = {Extent::fixed(numbers.getRank())};
    elementType = IndexType::get(type.getContext());
    return;
  }
  if (std::optional<Shape> found = shapeOf(type)) {
    shape = *found;
    elementType = cast<ShapedType>(type).getElementType();
    return;
  }
  // sf-10
  if (TensorType carried = getCarriedType(type)) {
    *this = Operand(carried);
    return;
  }
  // A scalar.
  shape = Shape();
  elementType = type;
}

static Operand readOperand(Value value) {
  Operand operand(value.getType());
  if (Operation *def = value.getDefiningOp();
      def && def->hasTrait<OpTrait::ConstantLike>())
    for (StringRef name : {"values", "value"})
      if (auto elements = def->getAttrOfType<ElementsAttr>(name))
        operand.constant = elements;
  return operand;
}

static std::vector<Operand> readYields(Region &region) {
  std::vector<Operand> yields;
  if (!region.empty() && !region.back().empty())
    for (Value value : region.back().back().getOperands())
      yields.push_back(Operand(value.getType()));
  return yields;
}

static std::function<Operation *(SymbolRefAttr)> lookUpFrom(Operation *scope) {
  return [scope](SymbolRefAttr symbol) {
    return SymbolTable::lookupNearestSymbolFrom(scope, symbol);
  };
}

Request infer::makeRequest(Operation *op) {
  Request request;
  request.operation = getOperationKey(op);
  for (Value value : op->getOperands())
    request.operands.push_back(readOperand(value));
  request.attributes = op->getAttrDictionary();
  for (Region &region : op->getRegions())
    request.regionYields.push_back(readYields(region));
  request.numResults = op->getNumResults();
  request.lookupSymbol = lookUpFrom(op);
  return request;
}

Request infer::makeRequest(const OperationState &state, Operation *scope) {
  Request request;
  request.operation = state.name.getStringRef();
  for (Value value : state.operands)
    request.operands.push_back(readOperand(value));
  request.attributes = state.attributes.getDictionary(state.getContext());
  for (const std::unique_ptr<Region> &region : state.regions)
    request.regionYields.push_back(readYields(*region));
  if (scope)
    request.lookupSymbol = lookUpFrom(scope);
  return request;
}

const Constraint *Outcome::getRefuted() const {
  for (const Constraint &constraint : constraints)
    if (constraint.truth == Truth::Refuted)
      return &constraint;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

std::optional<SmallVector<size_t>>
infer::getOperandGroups(const ShapeFunction &function, const Request &request) {
  SmallVector<size_t> groups;
  size_t numParameters = function.isList.size();
  size_t numOperands = request.operands.size();
  size_t numLists = llvm::count(function.isList, true);
  if (numLists <= 1) {
    if (numLists == 0 ? numOperands != numParameters
                      : numOperands + 1 < numParameters)
      return std::nullopt;
    for (bool isList : function.isList)
      groups.push_back(isList ? numOperands + 1 - numParameters : 1);
    return groups;
  }
  auto sizes =
      request.attributes
          ? request.attributes.getAs<DenseI32ArrayAttr>("operandSegmentSizes")
          : DenseI32ArrayAttr();
  if (!sizes || static_cast<size_t>(sizes.size()) != numParameters)
    return std::nullopt;
  size_t sum = 0;
  for (auto [size, isList] : llvm::zip(sizes.asArrayRef(), function.isList)) {
    if (size < 0 || (!isList && size != 1))
      return std::nullopt;
    groups.push_back(size);
    sum += size;
  }
  if (sum != numOperands)
    return std::nullopt;
  return groups;
}

namespace {

/// A table for one evaluation whose caller has none and uses static extents and
/// `?`.
struct OwnNumbers {
  Symbols symbols;
  Numbers numbers{symbols};
};

class Evaluation {
public:
  Evaluation(const ShapeLibrary &library, const ShapeFunction &function,
             const Request &request, const EvaluationOptions &options,
             Numbers &numbers, Outcome &outcome)
      : function(function), op(function.op), request(request), numbers(numbers),
        outcome(outcome),
        evaluator(&library, request, options, numbers, outcome) {}

  void run() {
    // Without an answer, all results are unknown.
    makeResults();
    std::vector<Datum> data;
    if (!bindOperands(data))
      return;
    if (evaluator.call(op, op, data) == Step::Stop)
      return;
    setResults(data);
  }

private:
  void makeResults() {
    unsigned count = function.numResults;
    if (function.hasListResult)
      count = std::max(count - 1, request.numResults.value_or(0));
    else if (request.numResults && *request.numResults != count)
      evaluator.giveUp(
          op.getLoc(),
          "'" + request.operation + "' has " + Twine(*request.numResults) +
              " results but its shape function gives " + Twine(count));
    outcome.results.resize(count);
  }

  bool bindOperands(std::vector<Datum> &data) {
    if (outcome.error)
      return false;
    std::optional<SmallVector<size_t>> groups =
        getOperandGroups(function, request);
    if (!groups) {
      evaluator.giveUp(op.getLoc(),
                       "'" + request.operation + "' has " +
                           Twine(request.operands.size()) +
                           " operands but its shape function is for " +
                           Twine(function.isList.size()));
      return false;
    }
    int32_t next = 0;
    auto makeNext = [&] {
      const Operand &operand = request.operands[next];
      return evaluator.makeOperand(operand, next++);
    };
    for (auto [size, isList] : llvm::zip(*groups, function.isList)) {
      if (!isList) {
        data.push_back(makeNext());
        continue;
      }
      ListDatum list;
      for (size_t i = 0; i < size; ++i)
        list.operands.push_back(
            *std::get<std::shared_ptr<const OperandDatum>>(makeNext()));
      data.push_back(std::make_shared<const ListDatum>(std::move(list)));
    }
    return true;
  }

  Extent toExtent(const Number &number) {
    if (outcome.isCoarse)
      return number.isConstant() ? Extent::fixed(number.constant) : Extent();
    return extentOf(numbers, number);
  }

  /// Sets the shape. Requires that its extents are not negative, unless that is
  /// proved or they are those of an existing tensor.
  void setShape(ResultComponents &result, const ShapeDatum &datum, size_t i) {
    result.hasShape = true;
    if (!datum.isRanked)
      return;
    Shape shape;
    for (auto [axis, extent] : llvm::enumerate(datum.extents)) {
      if (!datum.isOfTensor)
        evaluator.constrain(op, atMost(numbers, Number(0), extent),
                            "axis " + std::to_string(axis) + " of result " +
                                std::to_string(i) + " would have extent {0}",
                            {extent});
      shape.push_back(toExtent(extent));
    }
    result.shape = std::move(shape);
  }

  void setValue(ResultComponents &result, const ShapeDatum &datum) {
    result.isList = true;
    if (!datum.isRanked)
      return;
    result.shape = {Extent::fixed(static_cast<int64_t>(datum.extents.size()))};
    result.hasShape = true;
    result.value.emplace();
    for (const Number &number : datum.extents)
      result.value->push_back(number.isConstant() || !outcome.isCoarse
                                  ? Integer(number)
                                  : Integer());
  }

  void setOperand(ResultComponents &result, const OperandDatum &datum,
                  size_t i) {
    setShape(result, datum.shape, i);
    result.elementType = datum.elementType;
    result.encoding = datum.encoding;
  }

  void setList(const ListDatum &list, size_t first) {
    if (!list.isKnown)
      return;
    if (request.numResults && first + list.operands.size() !=
                                  static_cast<size_t>(*request.numResults)) {
      evaluator.constrain(
          op, Numbers::kFalse, "it has {0} results but must have {1}",
          {Number(*request.numResults),
           Number(static_cast<int64_t>(first + list.operands.size()))});
      return;
    }
    outcome.results.resize(first + list.operands.size());
    for (auto [i, operand] : llvm::enumerate(list.operands))
      setOperand(outcome.results[first + i], operand, first + i);
  }

  void setResults(const std::vector<Datum> &data) {
    for (auto [datum, number] : llvm::zip(data, function.resultOf)) {
      if (auto *list = std::get_if<std::shared_ptr<const ListDatum>>(&datum)) {
        setList(**list, number);
        continue;
      }
      ResultComponents &result = outcome.results[number];
      if (auto *type = std::get_if<Type>(&datum))
        result.elementType = *type;
      else if (auto *encoding = std::get_if<Attribute>(&datum))
        result.encoding = *encoding;
      else if (auto *operand =
                   std::get_if<std::shared_ptr<const OperandDatum>>(&datum))
        setOperand(result, **operand, number);
      else if (auto *shape =
                   std::get_if<std::shared_ptr<const ShapeDatum>>(&datum)) {
        size_t component = &datum - data.data();
        if (isa<shape::ShapeType>(op.getFunctionType().getResult(component)))
          setShape(result, **shape, number);
        else
          setValue(result, **shape);
      }
    }
  }

  const ShapeFunction &function;
  shape::FuncOp op;
  const Request &request;
  Numbers &numbers;
  Outcome &outcome;
  Evaluator evaluator;
};

} // namespace

std::optional<Outcome> infer::evaluate(const ShapeLibrary &library,
                                       const Request &request,
                                       const EvaluationOptions &options) {
  const ShapeFunction *function =
      options.isAddition ? nullptr : library.lookupOrDerive(request.operation);
  if (!function)
    function = library.lookupAddition(request.operation);
  if (!function)
    return std::nullopt;
  Outcome outcome;
  Numbers *numbers = options.numbers;
  if (numbers) {
    outcome.numbers = std::shared_ptr<const Numbers>(
        std::shared_ptr<const Numbers>(), numbers);
    outcome.isCoarse = false;
  } else {
    auto own = std::make_shared<OwnNumbers>();
    numbers = &own->numbers;
    outcome.numbers = std::shared_ptr<const Numbers>(own, numbers);
  }
  // Constraints are assumed only within this evaluation: the caller checks
  // them.
  Numbers::Scope scope(*numbers);
  if (function->op)
    Evaluation(library, *function, request, options, *numbers, outcome).run();
  if (function->hasInference && outcome.truth != Truth::Refuted)
    addInference(*RegisteredOperationName::lookup(request.operation,
                                                  library.getContext()),
                 request, *numbers, outcome);
  return outcome;
}
