//===- FormValues.cpp - forms of poly/ as arithmetic ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/FormValues.h"

#include "codegen/schedule/LoopEdit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using poly::Form;

Value codegen::computeForm(RewriterBase &b, Location loc,
                           const poly::Space &space, const Form &form,
                           llvm::function_ref<Value(poly::Variable)> getValue) {
  auto getNumber = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value sum;
  for (const Form::Term &term : form.getTerms()) {
    poly::Variable variable = term.monomial.getFactor(0);
    const poly::Space::Quotient *quotient = space.getQuotient(variable);
    Value value =
        quotient
            ? makeOfBounds<arith::FloorDivSIOp>(
                  b, loc,
                  computeForm(b, loc, space, quotient->numerator, getValue),
                  getNumber(quotient->divisor))
            : getValue(variable);
    if (term.coefficient == -1 && sum) {
      sum = makeOfBounds<arith::SubIOp>(b, loc, sum, value);
      continue;
    }
    if (term.coefficient != 1)
      value = makeOfBounds<arith::MulIOp>(b, loc, value,
                                          getNumber(term.coefficient));
    sum = sum ? makeOfBounds<arith::AddIOp>(b, loc, sum, value) : value;
  }
  if (!sum)
    return getNumber(form.getConstant());
  return form.getConstant() == 0
             ? sum
             : makeOfBounds<arith::AddIOp>(b, loc, sum,
                                           getNumber(form.getConstant()));
}

Value codegen::divideBound(RewriterBase &b, Location loc, Value value,
                           int64_t by, bool isUpper) {
  if (by == 1)
    return value;
  Value divisor = arith::ConstantIndexOp::create(b, loc, by);
  return isUpper ? makeOfBounds<arith::FloorDivSIOp>(b, loc, value, divisor)
                 : makeOfBounds<arith::CeilDivSIOp>(b, loc, value, divisor);
}

Value codegen::joinBounds(RewriterBase &b, Location loc, ArrayRef<Value> bounds,
                          bool isLeast) {
  Value joined = bounds.front();
  for (Value bound : bounds.drop_front())
    joined = isLeast ? makeOfBounds<arith::MinSIOp>(b, loc, joined, bound)
                     : makeOfBounds<arith::MaxSIOp>(b, loc, joined, bound);
  return joined;
}
