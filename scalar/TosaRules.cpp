//===- TosaRules.cpp - what must hold of an element-wise operation --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/TosaRules.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;

//===----------------------------------------------------------------------===//
// Element types (el-10)
//===----------------------------------------------------------------------===//

namespace {

/// Sets of element types, as bits.
enum Domain : unsigned {
  Bool = 1,
  /// 8 and 16 bits.
  ShortInteger = 2,
  /// 32 and 64 bits, and index.
  LongInteger = 4,
  Float = 8,
  Float8 = 16,
  Integer = ShortInteger | LongInteger,
  Number = Integer | Float,
  Scalar = Bool | Number,
  Anything = Scalar | Float8,
};

enum class ResultRule {
  /// The operands' element type.
  Same,
  /// i1.
  Truth,
  /// The operands' or, from 8 and 16 bits, one of 32 (el-1).
  Product,
  /// Any type.
  Cast,
};

struct Signature {
  StringLiteral name;
  unsigned numOperands;
  unsigned domain;
  ResultRule result;
  /// The number of operands after those that broadcast.
  unsigned numScalars;
};

} // namespace

static constexpr Signature signatures[] = {
#define BROADLOOM_ELEMENTWISE(CLASS, OPERANDS, SCALARS, DOMAIN, RESULT, BODY)  \
  {tosa::CLASS##Op::getOperationName(), OPERANDS, DOMAIN, ResultRule::RESULT,  \
   SCALARS},
#include "scalar/TosaElementwise.def"
};

/// Null if the table has no entry, which verifyTosaStructure reports.
static const Signature *findSignature(Operation *op) {
  StringRef name = op->getName().getStringRef();
  const Signature *found = llvm::find_if(
      signatures, [&](const Signature &it) { return it.name == name; });
  return found == std::end(signatures) ? nullptr : found;
}

static bool isIn(Type type, unsigned domain) {
  if (type.isInteger() && !type.isInteger(1)) {
    unsigned width = type.getIntOrFloatBitWidth();
    return (domain & ShortInteger && (width == 8 || width == 16)) ||
           (domain & LongInteger && (width == 32 || width == 64));
  }
  return (domain & Bool && type.isSignlessInteger(1)) ||
         (domain & LongInteger && type.isIndex()) ||
         (domain & Float &&
          isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type)) ||
         (domain & Float8 && isa<Float8E4M3FNType, Float8E5M2Type>(type));
}

/// "i1, i8, i16, ...", for errors.
static std::string listDomain(unsigned domain) {
  const std::pair<unsigned, StringRef> names[] = {
      {Bool, "i1"},
      {ShortInteger, "i8, i16"},
      {LongInteger, "i32, i64, index"},
      {Float, "f16, bf16, f32, f64"},
      {Float8, "f8E4M3FN, f8E5M2"}};
  std::string text;
  for (auto [bit, name] : names)
    if (domain & bit)
      text += (text.empty() ? "" : ", ") + name.str();
  return text;
}

static Type getElementType(Value value) {
  return cast<TensorType>(value.getType()).getElementType();
}

/// Checks one element type; `what` is "operand" or "result".
static LogicalResult verifyDomain(Operation *op, StringRef what, Type type,
                                  unsigned domain) {
  if (isIn(type, domain))
    return success();
  return op->emitOpError("does not support the ")
         << what << " element type " << type << "; it takes "
         << listDomain(domain);
}

static LogicalResult verifyElementTypes(Operation *op,
                                        const Signature &signature) {
  unsigned first = 0;
  if (isa<tosa::SelectOp>(op)) {
    if (failed(verifyDomain(op, "condition's",
                            getElementType(op->getOperand(0)), Bool)))
      return failure();
    first = 1;
  }
  Type type = getElementType(op->getOperand(first));
  if (failed(verifyDomain(op, "operand", type, signature.domain)))
    return failure();
  unsigned end = signature.numOperands - signature.numScalars;
  for (unsigned i = first + 1; i < end; ++i)
    if (Type other = getElementType(op->getOperand(i)); other != type)
      return op->emitOpError("operand ")
             << first << " has element type " << type << " but operand " << i
             << " has " << other;

  Type result = getElementType(op->getResult(0));
  switch (signature.result) {
  case ResultRule::Cast:
    return verifyDomain(op, "result", result, signature.domain);
  case ResultRule::Truth:
    return verifyDomain(op, "result", result, Bool);
  case ResultRule::Product:
    if (auto from = dyn_cast<IntegerType>(type))
      if (isIn(type, ShortInteger) &&
          result ==
              IntegerType::get(op->getContext(), 32, from.getSignedness()))
        return success();
    break;
  case ResultRule::Same:
    break;
  }
  if (result == type)
    return success();
  return op->emitOpError("result has element type ")
         << result << " but the operands have " << type;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Whether one bound is above another of the same type (el-5).
static bool isGreater(TypedAttr x, TypedAttr y) {
  if (auto lower = dyn_cast<FloatAttr>(x))
    return lower.getValue() > cast<FloatAttr>(y).getValue();
  APInt lower = cast<IntegerAttr>(x).getValue();
  APInt upper = cast<IntegerAttr>(y).getValue();
  return x.getType().isUnsignedInteger() ? lower.ugt(upper) : lower.sgt(upper);
}

static LogicalResult verifyBound(Operation *op, StringRef name, Type type) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return op->emitOpError("lacks the attribute '") << name << "'";
  if (!isa<IntegerAttr, FloatAttr>(attribute))
    return op->emitOpError("attribute '")
           << name << "' is " << attribute << ", which is not a number";
  if (Type own = cast<TypedAttr>(attribute).getType(); own != type)
    return op->emitOpError("attribute '")
           << name << "' has type " << own << " but the element type is "
           << type;
  if (auto value = dyn_cast<FloatAttr>(attribute))
    if (value.getValue().isNaN())
      return op->emitOpError("attribute '") << name << "' is NaN";
  return success();
}

static LogicalResult verifyClamp(Operation *op) {
  Type type = getElementType(op->getOperand(0));
  if (failed(verifyBound(op, "min_val", type)) ||
      failed(verifyBound(op, "max_val", type)))
    return failure();
  auto lower = cast<TypedAttr>(op->getAttr("min_val"));
  auto upper = cast<TypedAttr>(op->getAttr("max_val"));
  if (isGreater(lower, upper))
    return op->emitOpError("min_val ")
           << lower << " is greater than max_val " << upper;
  return success();
}

static LogicalResult verifyNaNMode(Operation *op) {
  Attribute attribute = op->getAttr("nan_mode");
  if (!attribute)
    return success();
  auto mode = dyn_cast<tosa::NanPropagationModeAttr>(attribute);
  if (!mode)
    return op->emitOpError("attribute 'nan_mode' is ")
           << attribute << ", which is neither PROPAGATE nor IGNORE";
  Type type = getElementType(op->getOperand(0));
  if (mode.getValue() != tosa::NanPropagationMode::PROPAGATE &&
      !isa<FloatType>(type))
    return op->emitOpError("nan_mode IGNORE is for floats only, but the "
                           "element type is ")
           << type;
  return success();
}

static LogicalResult verifyRound(Operation *op) {
  Attribute attribute = op->getAttr("round");
  if (!attribute)
    return op->emitOpError("lacks the attribute 'round'");
  if (!isa<BoolAttr>(attribute))
    return op->emitOpError("attribute 'round' is ")
           << attribute << ", which is neither true nor false";
  return success();
}

static LogicalResult verifyAttributes(Operation *op) {
  if (isa<tosa::ArithmeticRightShiftOp>(op))
    return verifyRound(op);
  if (isa<tosa::ClampOp>(op) && failed(verifyClamp(op)))
    return failure();
  if (isa<tosa::ClampOp, tosa::MaximumOp, tosa::MinimumOp>(op))
    return verifyNaNMode(op);
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

bool broadloom::isTosaConvolution(Operation *op) {
  return isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
             tosa::TransposeConv2DOp>(op);
}

unsigned broadloom::getNumBroadcastOperands(Operation *op) {
  const Signature *signature = findSignature(op);
  return signature ? signature->numOperands - signature->numScalars : 0;
}

LogicalResult broadloom::verifyTosaStructure(Operation *op) {
  const Signature *signature = findSignature(op);
  if (!signature)
    return op->emitOpError("has no entry in the table of element types; this "
                           "is a bug in broadloom");
  if (op->getNumOperands() != signature->numOperands)
    return op->emitOpError("has ")
           << op->getNumOperands() << " operands, but needs "
           << signature->numOperands;
  return verifyElementwiseStructure(op);
}

LogicalResult broadloom::verifyTosaElementwise(Operation *op) {
  if (failed(verifyTosaStructure(op)) ||
      failed(verifyElementTypes(op, *findSignature(op))) ||
      failed(verifyAttributes(op)))
    return failure();
  for (unsigned i = getNumBroadcastOperands(op); i < op->getNumOperands(); ++i)
    if (failed(verifyScalarOperand(op, i)))
      return failure();
  return success();
}
