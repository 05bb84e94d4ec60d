//===- CheckSetTensors.cpp - what has tensors whose shape is a set --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/CheckSetTensors.h"

#include "dialect/BroadcastableOpInterface.h"
#include "dialect/MemoryFunction.h"
#include "poly/PackedSet.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;
using loom::getSetEncoding;

bool legalize::passesOnSets(Operation *op) {
  return isa<func::ReturnOp, func::CallOp, scf::IfOp, scf::ForOp, scf::WhileOp,
             scf::YieldOp, scf::ConditionOp, cf::BranchOp, cf::CondBranchOp,
             tosa::IfOp, tosa::WhileOp, tosa::YieldOp, tosa::IdentityOp,
             tensor::CastOp, linalg::FillOp>(op) ||
         (isa<arith::SelectOp>(op) &&
          !isa<TensorType>(op->getOperand(0).getType()));
}

static bool isElementwise(Operation *op) {
  return op->getNumResults() == 1 &&
         (isa<BroadcastableOpInterface>(op) ||
          (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
               op->getDialect()) &&
           OpTrait::hasElementwiseMappableTraits(op)));
}

/// A tensor that has one element by its type.
static bool hasOneElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
}

/// Checks an element-wise operation: its result has the set of each operand
/// that has more than one element.
static LogicalResult checkElementwise(Operation *op) {
  Type result = op->getResult(0).getType();
  if (llvm::none_of(op->getOperandTypes(), isSetTensor))
    return op->emitOpError("has a result of type ")
           << result
           << " and no operand of this shape, which would tell the extents; "
              "use 'linalg.fill'";
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
    if (getSetEncoding(type) == getSetEncoding(result) && isSetTensor(type))
      continue;
    if (isSetTensor(result) && !isSetTensor(type) && hasOneElement(type))
      continue;
    return op->emitOpError("has operand ")
           << i << " of type " << type << " and a result of type " << result
           << "; element-wise operations are of tensors of one shape, and of "
              "one element; use 'loom.to_set' and 'loom.from_set'";
  }
  return success();
}

static LogicalResult checkConstant(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape())
    return op->emitOpError("has open extents in type ")
           << type << "; give them as numbers, or use 'linalg.fill'";
  DenseElementsAttr value;
  bool isDense = matchPattern(op, m_Constant(&value));
  if (isDense && (value.getElementType() != type.getElementType() ||
                  value.getType().getShape() != type.getShape()))
    return op->emitOpError("has a value of type ")
           << value.getType() << " for type " << type
           << "; both need the same extents and elements";
  if (isDense && value.isSplat())
    return success();
  return op->emitOpError("has a value for each element of type ")
         << type
         << "; a constant whose shape is a set has one number for all, such as "
            "dense<1.0>; give others as an argument";
}

std::optional<SmallVector<int64_t>> legalize::getAxisOrder(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return SmallVector<int64_t>(transpose.getPermutation());
  if (auto transpose = dyn_cast<tosa::TransposeOp>(op))
    return llvm::to_vector_of<int64_t>(transpose.getPerms());
  return std::nullopt;
}

static LogicalResult checkTransposition(Operation *op,
                                        ArrayRef<int64_t> order) {
  loom::SetShapeAttr from = getSetEncoding(op->getOperand(0).getType()),
                     to = getSetEncoding(op->getResult(0).getType());
  if (!from || !to)
    return op->emitOpError("has tensors of types ")
           << op->getOperand(0).getType() << " and "
           << op->getResult(0).getType()
           << "; the transposition of a set is a set; use 'loom.to_set' or "
              "'loom.from_set'";
  size_t rank = from.getSet().getSignature().outputs.size();
  if (order.size() != rank ||
      to.getSet().getSignature().outputs.size() != rank ||
      from.getNumSymbols() > 1 || to.getNumSymbols() != from.getNumSymbols())
    return op->emitOpError("transposes the shape ")
           << from.getText() << " to " << to.getText()
           << ", which is supported for shapes of one symbol; use "
              "'loom.from_set'";
  poly::Relation permuted =
      poly::permute(from.getSet(), {order.begin(), order.end()});
  if (poly::isEqual(permuted, to.getSet()).truth == Truth::Proved)
    return success();
  return op->emitOpError("transposes the shape ")
         << from.getText() << " to " << poly::printSet(permuted)
         << ", but the result has the shape " << to.getText();
}

/// Checks a product whose result is a set: it has all elements that may be
/// other than 0.
static LogicalResult checkProductSet(linalg::MatmulOp op) {
  loom::SetShapeAttr first = getSetEncoding(op.getInputs()[0].getType()),
                     second = getSetEncoding(op.getInputs()[1].getType()),
                     product = getSetEncoding(op->getResult(0).getType());
  if (!first || !second)
    return op->emitOpError("has a dense factor, operand ")
           << (first ? 1 : 0) << ", and a result of the shape "
           << product.getText()
           << "; the result is dense, of which 'loom.to_set' takes the "
              "elements";
  unsigned symbols = product.getNumSymbols();
  if (symbols > 1 || first.getNumSymbols() != symbols ||
      second.getNumSymbols() != symbols)
    return op->emitOpError("multiplies the shapes ")
           << first.getText() << " and " << second.getText()
           << " to a result of the shape " << product.getText()
           << ", which is supported where each has one symbol or none has; use "
              "a dense result and 'loom.to_set'";
  if (poly::hasProduct(product.getSet(), first.getSet(), second.getSet()) ==
      Truth::Proved)
    return success();
  return op->emitOpError("multiplies the shapes ")
         << first.getText() << " and " << second.getText()
         << ", of which the product is not known to have 0 in all elements "
            "that "
            "are none of the shape "
         << product.getText() << "; use a dense result and 'loom.to_set'";
}

static LogicalResult checkProduct(linalg::MatmulOp op) {
  Type image = op.getInputs()[0].getType(),
       weight = op.getInputs()[1].getType(),
       result = op->getResult(0).getType();
  bool isFilled = false;
  if (auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>())
    isFilled = matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ||
               matchPattern(fill.getInputs()[0], m_Zero());
  if (getElementTypeOrSelf(image) != getElementTypeOrSelf(result) ||
      getElementTypeOrSelf(weight) != getElementTypeOrSelf(result))
    return op->emitOpError("has operands of types ")
           << image << " and " << weight << " and a result of type " << result
           << "; a product of a set has elements of one type; use 'tosa.cast'";
  if (op.hasUserDefinedMaps())
    return op->emitOpError(
        "has indexing maps of its own; a product of a set "
        "takes rows of the first factor and columns of the "
        "second one; use 'loom.from_set' or a transposition");
  if (isSetTensor(result) && failed(checkProductSet(op)))
    return failure();
  if (!isFilled)
    return op->emitOpError("adds to its destination; give it zeros "
                           "('linalg.fill'), since products of a set are "
                           "summed from 0 on");
  return success();
}

/// Checks an operation that fills with zeros, or compares with them.
static LogicalResult checkZeros(Operation *op) {
  bool needsZeros = isa<loom::FromSetOp, linalg::MatmulOp>(op);
  if (auto to = dyn_cast<loom::ToSetOp>(op))
    needsZeros = to.getRest() != loom::SetRest::Dropped;
  if (!needsZeros)
    return success();
  Type element = getElementTypeOrSelf(op->getOperand(0));
  if (element.isIntOrIndexOrFloat())
    return success();
  return op->emitOpError("has elements of type ")
         << element
         << ", of which none is known to be 0; use integers, 'index' or floats";
}

LogicalResult legalize::checkSetOperation(Operation *op) {
  if (auto func = op->getParentOfType<func::FuncOp>();
      func && loom::isOverMemory(func))
    return op->emitOpError("has a tensor whose shape is a set in a function "
                           "over memory; use memory of this shape");
  if (op->hasTrait<OpTrait::ConstantLike>())
    return checkConstant(op);
  // These are checked by this project's rules, and not by upstream's.
  if (isElementwise(op) && !passesOnSets(op))
    return checkElementwise(op);
  if (failed(op->getName().verifyInvariants(op)))
    return failure();
  if (failed(checkZeros(op)))
    return failure();
  if (auto order = getAxisOrder(op))
    return checkTransposition(op, *order);
  if (auto product = dyn_cast<linalg::MatmulOp>(op))
    return checkProduct(product);
  if (passesOnSets(op) ||
      isa<loom::ToSetOp, loom::FromSetOp, loom::SetElementsOp, tensor::EmptyOp,
          tensor::DimOp, tensor::ExtractOp>(op))
    return success();
  return op->emitOpError("takes no tensor whose shape is a set; make a dense "
                         "one by 'loom.from_set', or take its elements by "
                         "'loom.set_elements'");
}

/// Why a function cannot have such a tensor; empty if it can.
static StringRef findObstacle(func::FuncOp func) {
  if (func.isExternal())
    return "a function without a body";
  return loom::isOverMemory(func) ? "a function over memory" : "";
}

LogicalResult legalize::checkSetSignature(func::FuncOp func) {
  bool isFine = true;
  StringRef obstacle = findObstacle(func);
  auto check = [&](StringRef what, size_t number, Type type,
                   Attribute extents) {
    if (!isSetTensor(type) || (obstacle.empty() && !extents))
      return;
    isFine = false;
    InFlightDiagnostic error = func.emitError()
                               << what << " " << number << " has type " << type;
    if (!obstacle.empty())
      error << ", which " << obstacle
            << " cannot have; use memory of this shape";
    else
      error << ", of which the elements tell the extents; leave '"
            << loom::ExtentsAttr::kKey << "' out";
  };
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    check("argument", i, type, func.getArgAttr(i, loom::ExtentsAttr::kKey));
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    check("result", i, type, func.getResultAttr(i, loom::ExtentsAttr::kKey));
  return success(isFine);
}
