//===- TosaModels.cpp - TOSA's element-wise operations --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/TosaModels.h"

#include "dialect/BroadcastableOpInterface.h"
#include "scalar/Bodies.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace broadloom;
using scalar::Emitter;

namespace {

/// The input for a body: the operation, verified, and its scalars, none of
/// which is an `index`.
struct Scalars {
  Emitter &e;
  Operation *op;
  SmallVector<Value> x;
  /// Whether the first operand is unsigned, and the result; signless scalar
  /// types do not tell.
  bool isUnsigned;
  bool isResultUnsigned;
  /// The type to return.
  Type resultType;

  bool isFloat() const { return isa<FloatType>(x[0].getType()); }
};

using BuildBody = Value (*)(const Scalars &);

} // namespace

//===----------------------------------------------------------------------===//
// From operations to scalar semantics
//===----------------------------------------------------------------------===//

static Value buildAbs(const Scalars &s) {
  return s.isFloat() ? absFloat(s.e, s.x[0])
                     : absInteger(s.e, s.x[0], s.isUnsigned);
}

static Value buildAdd(const Scalars &s) {
  return s.isFloat()
             ? arithmeticFloat(s.e, scalar::Arithmetic::Add, s.x[0], s.x[1])
             : s.e.add(s.x[0], s.x[1]);
}

static Value buildSub(const Scalars &s) {
  return s.isFloat()
             ? arithmeticFloat(s.e, scalar::Arithmetic::Sub, s.x[0], s.x[1])
             : s.e.sub(s.x[0], s.x[1]);
}

static Value buildMul(const Scalars &s) {
  if (s.isFloat())
    return arithmeticFloat(s.e, scalar::Arithmetic::Mul, s.x[0], s.x[1]);
  // el-1: only i32 is shifted. A constant shift of 0 leaves the plain product,
  // which needs no 64-bit arithmetic.
  bool shifts = s.x[0].getType().isInteger(32) && !s.isUnsigned;
  auto shift =
      dyn_cast_or_null<IntegerAttr>(getConstantElement(s.op->getOperand(2)));
  if (shifts && !(shift && shift.getValue().isZero()))
    return multiplyShifted(s.e, s.x[0], s.x[1], s.x[2]);
  return multiplyInteger(s.e, s.x[0], s.x[1], s.resultType, s.isUnsigned);
}

static Value buildNegate(const Scalars &s) {
  if (s.isFloat())
    return negateFloat(s.e, s.x[0]);
  if (s.x[0].getType().isInteger(8))
    return negateQuantized(s.e, s.x[0], s.x[1], s.x[2], s.isUnsigned);
  return negateInteger(s.e, s.x[0], s.isUnsigned);
}

static Value buildIntDiv(const Scalars &s) {
  return divideInteger(s.e, s.x[0], s.x[1], s.isUnsigned);
}

static Value buildAnd(const Scalars &s) { return s.e.bitAnd(s.x[0], s.x[1]); }
static Value buildOr(const Scalars &s) { return s.e.bitOr(s.x[0], s.x[1]); }
static Value buildXor(const Scalars &s) { return s.e.bitXor(s.x[0], s.x[1]); }
static Value buildNot(const Scalars &s) { return invertBits(s.e, s.x[0]); }

static Value buildClz(const Scalars &s) {
  return countLeadingZeros(s.e, s.x[0]);
}

static Value buildLeftShift(const Scalars &s) {
  return shiftLeftLogical(s.e, s.x[0], s.x[1]);
}

static Value buildLogicalRightShift(const Scalars &s) {
  return shiftRightLogical(s.e, s.x[0], s.x[1]);
}

static Value buildArithmeticRightShift(const Scalars &s) {
  bool round = cast<BoolAttr>(s.op->getAttr("round")).getValue();
  return shiftRightArithmetic(s.e, s.x[0], s.x[1], round, s.isUnsigned);
}

static scalar::NaNMode getNaNMode(Operation *op) {
  auto mode = op->getAttrOfType<tosa::NanPropagationModeAttr>("nan_mode");
  return mode && mode.getValue() == tosa::NanPropagationMode::IGNORE
             ? scalar::NaNMode::Ignore
             : scalar::NaNMode::Propagate;
}

static Value buildMaximum(const Scalars &s) {
  return maximum(s.e, s.x[0], s.x[1], getNaNMode(s.op), s.isUnsigned);
}

static Value buildMinimum(const Scalars &s) {
  return minimum(s.e, s.x[0], s.x[1], getNaNMode(s.op), s.isUnsigned);
}

static Value buildClamp(const Scalars &s) {
  // The bounds as constants of the scalar's own type.
  auto bound = [&](StringRef name) -> TypedAttr {
    auto value = s.op->getAttrOfType<TypedAttr>(name);
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return IntegerAttr::get(s.x[0].getType(), integer.getValue());
    return value;
  };
  return clamp(s.e, s.x[0], bound("min_val"), bound("max_val"),
               getNaNMode(s.op), s.isUnsigned);
}

template <scalar::Order order> static Value buildCompare(const Scalars &s) {
  // Truth values are compared as unsigned: true is greater.
  bool isUnsigned = s.isUnsigned || s.x[0].getType().isInteger(1);
  return compare(s.e, order, s.x[0], s.x[1], isUnsigned);
}

static Value buildSelect(const Scalars &s) {
  return s.e.select(s.x[0], s.x[1], s.x[2]);
}

static Value buildCast(const Scalars &s) {
  return castScalar(s.e, s.x[0], s.resultType, s.isUnsigned,
                    s.isResultUnsigned);
}

template <Value (*build)(Emitter &, Value)>
static Value buildUnary(const Scalars &s) {
  return build(s.e, s.x[0]);
}

template <scalar::Function function>
static Value buildFunction(const Scalars &s) {
  return applyFunction(s.e, function, s.x[0]);
}

static Value buildPow(const Scalars &s) { return power(s.e, s.x[0], s.x[1]); }

//===----------------------------------------------------------------------===//
// The models
//===----------------------------------------------------------------------===//

static bool hasUnsignedElements(Value value) {
  return cast<TensorType>(value.getType()).getElementType().isUnsignedInteger();
}

static FailureOr<Value> buildTosaBody(Operation *op, OpBuilder &builder,
                                      Location loc, ValueRange scalars,
                                      BuildBody build) {
  if (scalars.size() != op->getNumOperands())
    return failure();
  Emitter e(builder, loc);
  Type i64 = builder.getI64Type();
  Type declared = getElementTypeOrSelf(op->getResult(0).getType());
  Type result = declared.isIndex() ? i64 : getScalarType(declared);
  Scalars s{e,
            op,
            {},
            hasUnsignedElements(op->getOperand(0)),
            hasUnsignedElements(op->getResult(0)),
            result};
  for (Value scalar : scalars)
    s.x.push_back(scalar.getType().isIndex()
                      ? e.make<arith::IndexCastOp>(i64, scalar)
                      : scalar);
  Value value = build(s);
  if (declared.isIndex())
    value = e.make<arith::IndexCastOp>(declared, value);
  return value;
}

namespace {

template <typename Op, BuildBody build>
struct Model
    : public BroadcastableOpInterface::ExternalModel<Model<Op, build>, Op> {
  SmallVector<unsigned> getBroadcastOperands(Operation *op) const {
    return llvm::to_vector(llvm::seq<unsigned>(0, getNumBroadcastOperands(op)));
  }
  LogicalResult verifyElementwise(Operation *op) const {
    return verifyTosaElementwise(op);
  }
  FailureOr<Value> buildScalarBody(Operation *op, OpBuilder &builder,
                                   Location loc, ValueRange scalars) const {
    return buildTosaBody(op, builder, loc, scalars, build);
  }
  void
  getScalarConstraints(Operation *op, OpBuilder &builder, Location loc,
                       ValueRange scalars,
                       SmallVectorImpl<ScalarConstraint> &constraints) const {
    buildTosaScalarConstraints(op, builder, loc, scalars, constraints);
  }
};

} // namespace

void broadloom::registerTosaBroadcastableModels(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, math::MathDialect>();
  registry.addExtension(+[](MLIRContext *ctx, tosa::TosaDialect *) {
    ctx->loadDialect<arith::ArithDialect, math::MathDialect>();
#define BROADLOOM_ELEMENTWISE(CLASS, OPERANDS, SCALARS, DOMAIN, RESULT, BODY)  \
  tosa::CLASS##Op::attachInterface<Model<tosa::CLASS##Op, BODY>>(*ctx);
#include "scalar/TosaElementwise.def"
  });
}
