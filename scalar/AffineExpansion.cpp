//===- AffineExpansion.cpp - affine expressions as arithmetic -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/AffineExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;

namespace {

class AffineExpander {
public:
  AffineExpander(OpBuilder &builder, Location loc, unsigned numDims,
                 ValueRange operands)
      : builder(builder), loc(loc), numDims(numDims), operands(operands) {}

  Value expand(AffineExpr expression) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return make(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      return operands[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
      return operands[numDims + symbol.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expression);
    Value a = expand(binary.getLHS()), b = expand(binary.getRHS());
    bool isOpen = !isa<AffineConstantExpr>(binary.getRHS());
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return make<arith::AddIOp>(a, b);
    case AffineExprKind::Mul:
      return make<arith::MulIOp>(a, b);
    // The analysis reads these operations; for a constant divisor, the others
    // are shorter code.
    case AffineExprKind::FloorDiv:
      return isOpen ? make<arith::FloorDivSIOp>(a, b) : floorDivide(a, b);
    case AffineExprKind::CeilDiv:
      return isOpen ? make<arith::CeilDivSIOp>(a, b) : ceilDivide(a, b);
    default:
      return takeRemainder(a, b);
    }
  }

private:
  Value make(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  template <typename OpT> Value make(Value a, Value b) {
    return OpT::create(builder, loc, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, make(b));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  /// a < 0 ? -1 - (-1 - a) / b : a / b
  Value floorDivide(Value a, Value b) {
    Value isNegative = compare(arith::CmpIPredicate::slt, a, 0);
    Value mirrored = make<arith::SubIOp>(make(-1), a);
    Value quotient = make<arith::DivSIOp>(select(isNegative, mirrored, a), b);
    return select(isNegative, make<arith::SubIOp>(make(-1), quotient),
                  quotient);
  }

  /// a <= 0 ? a / b : (a - 1) / b + 1
  Value ceilDivide(Value a, Value b) {
    Value isNotPositive = compare(arith::CmpIPredicate::sle, a, 0);
    Value less = make<arith::SubIOp>(a, make(1));
    Value quotient = make<arith::DivSIOp>(select(isNotPositive, a, less), b);
    return select(isNotPositive, quotient,
                  make<arith::AddIOp>(quotient, make(1)));
  }

  Value takeRemainder(Value a, Value b) {
    Value rest = make<arith::RemSIOp>(a, b);
    return select(compare(arith::CmpIPredicate::slt, rest, 0),
                  make<arith::AddIOp>(rest, b), rest);
  }

  OpBuilder &builder;
  Location loc;
  unsigned numDims;
  ValueRange operands;
};

} // namespace

Value scalar::expandAffine(OpBuilder &builder, Location loc,
                           AffineExpr expression, unsigned numDims,
                           ValueRange operands) {
  return AffineExpander(builder, loc, numDims, operands).expand(expression);
}

static bool isDivision(AffineExpr expression) {
  AffineExprKind kind = expression.getKind();
  return kind == AffineExprKind::FloorDiv || kind == AffineExprKind::CeilDiv ||
         kind == AffineExprKind::Mod;
}

void scalar::forEachOpenDivision(
    AffineExpr expression,
    llvm::function_ref<void(AffineBinaryOpExpr)> function) {
  // In postorder.
  expression.walk([&](AffineExpr part) {
    if (!isDivision(part))
      return;
    auto division = cast<AffineBinaryOpExpr>(part);
    if (!isa<AffineConstantExpr>(division.getRHS()))
      function(division);
  });
}

bool scalar::hasOpenDivision(AffineExpr expression) {
  bool has = false;
  forEachOpenDivision(expression, [&](AffineBinaryOpExpr) { has = true; });
  return has;
}

AffineExpr scalar::findBadDivision(AffineExpr expression) {
  AffineExpr bad;
  expression.walk([&](AffineExpr part) {
    if (!isDivision(part))
      return;
    auto by =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
    if (by && by.getValue() < 1)
      bad = part;
  });
  return bad;
}
