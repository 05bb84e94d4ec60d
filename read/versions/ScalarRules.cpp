//===- ScalarRules.cpp - element-wise operations and constants ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldOperation.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom::read;

static LogicalResult convertConstant(OldOperation &old) {
  if (Attribute value = old.take("value")) {
    old.attributes.append("values", value);
    old.note("has 'value' as 'values' now");
  }
  if (isa_and_nonnull<ElementsAttr>(old.attributes.get("values")))
    return success();
  return old.emitError() << "lacks the attribute 'values', a tensor";
}

static LogicalResult convertMul(OldOperation &old) {
  if (failed(old.expectOperands(2, 3)))
    return failure();
  if (old.operands.size() == 3)
    return success();
  Type type = old.getBuilder().getI8Type();
  FailureOr<Value> shift =
      old.addScalar(type, old.takeInteger("shift").value_or(0), "shift");
  if (failed(shift))
    return failure();
  old.operands.push_back(*shift);
  old.note("has its shift as an operand now");
  return success();
}

static LogicalResult convertNegate(OldOperation &old) {
  if (failed(old.expectOperands(1, 3)))
    return failure();
  if (old.operands.size() == 3)
    return success();
  if (old.operands.size() == 2)
    return old.emitError() << "has 2 operands, expected 1 or 3";
  return addZeroPoints(old, {{"input1_zp", old.getElementType(0)},
                             {"output_zp", old.getResultElementType()}});
}

/// The number of `type` that is nearest to `limit`.
static Attribute makeLimit(IntegerType type, const APInt &limit) {
  unsigned width = type.getWidth(), wide = std::max(limit.getBitWidth(), width);
  bool isUnsigned = type.isUnsigned();
  APInt least = isUnsigned ? APInt::getZero(wide + 1)
                           : APInt::getSignedMinValue(width).sext(wide + 1);
  APInt most = isUnsigned ? APInt::getMaxValue(width).zext(wide + 1)
                          : APInt::getSignedMaxValue(width).sext(wide + 1);
  APInt value = limit.sext(wide + 1);
  APInt nearest = value.slt(least) ? least : value.sgt(most) ? most : value;
  return IntegerAttr::get(type, nearest.trunc(width));
}

static Attribute makeLimit(FloatType type, APFloat limit) {
  bool losesBits = false;
  limit.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesBits);
  return FloatAttr::get(type, limit);
}

static LogicalResult convertClamp(OldOperation &old) {
  if (failed(old.expectOperands(1, 1)))
    return failure();
  Type type = old.getElementType(0);
  bool isOld = false;
  for (StringRef end : {"min", "max"}) {
    auto whole = dyn_cast_or_null<IntegerAttr>(old.take((end + "_int").str()));
    auto real = dyn_cast_or_null<FloatAttr>(old.take((end + "_fp").str()));
    if (!whole && !real)
      continue;
    isOld = true;
    Attribute limit;
    if (auto integer = dyn_cast<IntegerType>(type); integer && whole)
      limit = makeLimit(integer, whole.getValue());
    if (auto kind = dyn_cast<FloatType>(type); kind && real)
      limit = makeLimit(kind, real.getValue());
    if (!limit)
      return old.emitError()
             << "has no limit '" << end << "' for elements of " << type;
    old.attributes.set((end + "_val").str(), limit);
  }
  if (isOld)
    old.note("has one pair of limits now");
  return success();
}

/// Converts the rounding mode of a rescale.
static void convertRounding(OldOperation &old) {
  auto isDouble = dyn_cast_or_null<BoolAttr>(old.take("double_round"));
  if (!isDouble)
    return;
  auto mode = isDouble.getValue() ? tosa::RoundingMode::DOUBLE_ROUND
                                  : tosa::RoundingMode::SINGLE_ROUND;
  old.attributes.append("rounding_mode", tosa::RoundingModeAttr::get(
                                             isDouble.getContext(), mode));
  old.note("has 'double_round' as a mode now");
}

/// Converts a list of integers to an operand with elements of `width` bits.
static LogicalResult makeList(OldOperation &old, StringRef attribute,
                              unsigned width) {
  auto values = old.takeIntegers(attribute);
  if (failed(values))
    return failure();
  for (int64_t value : *values)
    if (!llvm::isIntN(width, value))
      return old.emitError() << "has " << value << " in '" << attribute
                             << "', which does not fit i" << width;
  Type element = old.getBuilder().getIntegerType(width);
  auto type = RankedTensorType::get(int64_t(values->size()), element);
  auto numbers = llvm::map_to_vector(*values, [&](int64_t value) {
    return APInt(width, value, /*isSigned=*/true);
  });
  old.operands.push_back(
      old.addConstant(DenseElementsAttr::get(type, ArrayRef<APInt>(numbers))));
  return success();
}

static LogicalResult convertRescale(OldOperation &old) {
  if (failed(old.expectOperands(1, 5)))
    return failure();
  convertRounding(old);
  Builder &builder = old.getBuilder();
  if (old.operands.size() == 1) {
    auto isWide = dyn_cast_or_null<BoolAttr>(old.attributes.get("scale32"));
    if (failed(makeList(old, "multiplier",
                        isWide && !isWide.getValue() ? 16 : 32)) ||
        failed(makeList(old, "shift", 8)))
      return failure();
    old.note("has its multipliers and shifts as operands now");
  }
  if (old.operands.size() == 3 &&
      failed(addZeroPoints(old, {{"input_zp", old.getElementType(0)},
                                 {"output_zp", old.getResultElementType()}})))
    return failure();
  if (old.operands.size() != 5)
    return old.emitError() << "has a number of operands that no version has";
  // Older versions had the sign in types, today's has attributes.
  if (!old.attributes.get("input_unsigned"))
    old.attributes.append(
        "input_unsigned",
        builder.getBoolAttr(old.getElementType(0).isUnsignedInteger()));
  if (!old.attributes.get("output_unsigned"))
    old.attributes.append(
        "output_unsigned",
        builder.getBoolAttr(old.getResultElementType().isUnsignedInteger()));
  return success();
}

static LogicalResult convertApplyScale(OldOperation &old) {
  convertRounding(old);
  return success();
}

void broadloom::read::addScalarRules(Rules &rules) {
  rules["const"] = convertConstant;
  rules["const_shape"] = convertConstant;
  rules["mul"] = convertMul;
  rules["negate"] = convertNegate;
  rules["clamp"] = convertClamp;
  rules["rescale"] = convertRescale;
  rules["apply_scale"] = convertApplyScale;
  rules["div"] = rules["int_div"] = [](OldOperation &old) {
    return rename(old, "intdiv");
  };
  rules["reduce_prod"] = [](OldOperation &old) {
    return rename(old, "reduce_product");
  };
}
