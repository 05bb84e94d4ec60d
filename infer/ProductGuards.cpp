//===- ProductGuards.cpp - products that fit into 64 bits -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/ProductGuards.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;

/// The tensor or shape that a value is an extent of; null where it is none.
static Value getOwner(Value value) {
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    return dim.getSource();
  auto extent = value.getDefiningOp<loom::ExtentOp>();
  if (!extent)
    return {};
  auto shape = extent.getShape().getDefiningOp<loom::ShapeOfOp>();
  return shape ? shape.getTensor() : extent.getShape();
}

/// The products that `value` is computed from.
static SmallVector<arith::MulIOp> getProducts(Value value) {
  SmallVector<arith::MulIOp> products;
  SmallVector<Value> values{value};
  Value owner;
  bool isOfOneTensor = true;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (auto product = next.getDefiningOp<arith::MulIOp>()) {
      products.push_back(product);
      values.append({product.getLhs(), product.getRhs()});
      continue;
    }
    Value of = getOwner(next);
    isOfOneTensor &= of && (!owner || owner == of);
    owner = of;
  }
  if (isOfOneTensor)
    products.clear();
  return products;
}

/// Whether x * y fits, for factors that are not negative.
static Value fits(OpBuilder &b, arith::MulIOp product) {
  Location loc = product.getLoc();
  Value x = product.getLhs(), y = product.getRhs();
  if (getConstantIntValue(x))
    std::swap(x, y);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  if (std::optional<int64_t> factor = getConstantIntValue(y)) {
    if (*factor <= 1)
      return {};
    Value largest = constant(std::numeric_limits<int64_t>::max() / *factor);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, x, largest);
  }
  // What wraps gives something else when it is divided again.
  Value isNone =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, constant(0));
  Value divisor = arith::MaxSIOp::create(b, loc, x, constant(1));
  Value again = arith::DivSIOp::create(b, loc, product, divisor);
  Value isSame =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, again, y);
  return arith::OrIOp::create(b, loc, isNone, isSame);
}

Value infer::guardProducts(OpBuilder &b, Location loc, Value condition) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    Value left = guardProducts(b, loc, op->getOperand(0)),
          right = guardProducts(b, loc, op->getOperand(1));
    if (left == op->getOperand(0) && right == op->getOperand(1))
      return condition;
    if (isa<arith::AndIOp>(op))
      return arith::AndIOp::create(b, loc, left, right);
    return arith::OrIOp::create(b, loc, left, right);
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !compare.getLhs().getType().isIndex())
    return condition;
  for (Value side : compare->getOperands())
    for (arith::MulIOp product : getProducts(side))
      if (Value good = fits(b, product))
        condition = arith::AndIOp::create(b, loc, condition, good);
  return condition;
}
