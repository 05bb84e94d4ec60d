//===- UnsupportedElements.cpp - elements that are not computed with ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/UnsupportedElements.h"

#include "dialect/FloatElements.h"
#include "dialect/LoomDialect.h"
#include "dialect/WiderIntegers.h"
#include "legalize/WidenElements.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

bool legalize::hasType(Operation *op, llvm::function_ref<bool(Type)> property) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return llvm::any_of(function.getArgumentTypes(), property) ||
           llvm::any_of(function.getResultTypes(), property);
  return llvm::any_of(op->getOperandTypes(), property) ||
         llvm::any_of(op->getResultTypes(), property);
}

/// Whether the type has floats that el-10 does not list.
static bool isForeignFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) && !isFloatElement(element);
}

/// Whether the type has integers that are stored in a wider type (el-12).
static bool isWidened(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isSignlessInteger() &&
         getKeptBits(element.getIntOrFloatBitWidth()) !=
             element.getIntOrFloatBitWidth();
}

/// Why `op` cannot compute with integers of 4 and 48 bits; empty if it only
/// moves them, or has none. Results would not wrap in the wider type.
static StringRef findWidened(Operation *op) {
  if (!hasType(op, isWidened))
    return {};
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tosa::ConstOp>(op)) {
    bool isResource =
        llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
          return isa<DenseResourceElementsAttr>(attribute.getValue());
        });
    return isResource ? "write integers of 4 and 48 bits as 'dense<...>', and "
                        "not as a resource"
                      : "";
  }
  bool computes = (isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                                   linalg::LinalgDialect>(op->getDialect()) &&
                   !isa<arith::SelectOp>(op)) ||
                  isa<tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ReduceSumOp,
                      tosa::ReduceProductOp>(op);
  return computes ? "integers of 4 and 48 bits are for what TOSA computes with "
                    "them: products, convolutions and 'tosa.rescale'; use "
                    "another type"
                  : "";
}

/// Why TOSA's products, means and rescales do not take the elements of their
/// operands: they widen integers as signed ones, so that 200 would count as
/// -56.
static StringRef findWrongFactors(Operation *op) {
  auto resize = dyn_cast<tosa::ResizeOp>(op);
  bool isProduct = isTosaConvolution(op) || isa<tosa::MatMulOp>(op) ||
                   (resize && resize.getMode() == tosa::ResizeMode::BILINEAR);
  auto isUnsigned = [](Value operand) {
    return getElementTypeOrSelf(operand).isUnsignedInteger();
  };
  auto isTruth = [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  };
  // As a signed number, true is -1 and not 1 (el-7).
  if ((isProduct || isa<tosa::RescaleOp>(op)) && hasType(op, isTruth))
    return "it takes numbers, and i1 is no number; convert it with "
           "'tosa.cast', "
           "where true is 1";
  if (isProduct && llvm::any_of(op->getOperands(), isUnsigned))
    return "it multiplies integers as signed ones; convert unsigned ones to a "
           "signless type with 'tosa.cast', or 'tosa.rescale' them, first";
  // The table's first entry is for the least signed integer.
  if (isa<tosa::TableOp>(op) && isUnsigned(op->getOperand(0)))
    return "it looks up signed integers; bring unsigned ones to i8 or i16 with "
           "'tosa.rescale' first";
  return {};
}

/// Whether the type has integers that kernels do not read.
static bool isLong(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 64;
}

/// Why TOSA's reductions and pools do not support elements of this type, which
/// upstream's definitions allow; empty if they do. They compare integers as
/// signed ones.
static StringRef findWrongElements(Operation *op) {
  if (StringRef hint = findWrongFactors(op); !hint.empty())
    return hint;
  if (op->hasTrait<loom::ScalarBody>() && hasType(op, isLong))
    return "its integers have at most 64 bits; compute with longer ones by "
           "'linalg.map'";
  bool isLogical = isa<tosa::ReduceAllOp, tosa::ReduceAnyOp>(op);
  bool isOrdered = isa<tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ArgMaxOp,
                       tosa::MaxPool2dOp, tosa::AvgPool2dOp>(op);
  bool isSum = isa<tosa::ReduceSumOp, tosa::ReduceProductOp>(op);
  if (!isLogical && !isOrdered && !isSum)
    return {};
  Type element = getElementTypeOrSelf(op->getOperand(0));
  if (isLogical)
    return element.isInteger(1) ? ""
                                : "it takes i1; compare with 'tosa.equal' or "
                                  "'tosa.greater' first";
  if (element.isInteger(1))
    return "it takes numbers; convert i1 with 'tosa.cast', or take "
           "'tosa.reduce_any' or 'tosa.reduce_all'";
  if (isa<tosa::ArgMaxOp>(op)) {
    Type index = getElementTypeOrSelf(op->getResult(0));
    if (!index.isInteger(32) && !index.isInteger(64))
      return "indices are i32 or i64";
  }
  if (isOrdered && element.isUnsignedInteger())
    return "it orders integers as signed ones; convert unsigned ones to a "
           "wider type with 'tosa.cast' first";
  if (isSum && element.isUnsignedInteger())
    return "nothing sums unsigned integers; take a signless type, whose sums "
           "have the same bits";
  bool isReduction = isSum || isa<tosa::ReduceMaxOp, tosa::ReduceMinOp>(op);
  if (isReduction && isa<FloatType>(element) &&
      element.getIntOrFloatBitWidth() == 8)
    return "nothing reduces floats of 8 bits; convert them with 'tosa.cast'";
  return {};
}

/// Whether zero points, multipliers or shifts of an operation on an unsigned
/// type are not constants. There is no lowering for that.
static bool isOpenUnsigned(Operation *op) {
  static constexpr unsigned rescale[] = {1, 2, 3, 4};
  return op->getNumOperands() != 0 &&
         getElementTypeOrSelf(op->getOperand(0)).isUnsignedInteger() &&
         llvm::any_of(isa<tosa::RescaleOp>(op) ? ArrayRef(rescale)
                                               : getZeroPoints(op),
                      [&](unsigned i) {
                        return !matchPattern(op->getOperand(i), m_Constant());
                      });
}

StringRef legalize::findUnsupportedElements(Operation *op) {
  // Types of arguments and results of a function have their own error.
  if (!isa<FunctionOpInterface>(op) && hasType(op, isForeignFloat))
    return "floats are f8E4M3FN, f8E5M2, bf16, f16, f32 or f64; use one of "
           "these";
  if (isOpenUnsigned(op))
    return "zero points, multipliers and shifts of unsigned types must be "
           "constants; use a signless type";
  if (StringRef hint = findWidened(op); !hint.empty())
    return hint;
  return findWrongElements(op);
}
