//===- MathFunctions.cpp - what is known of operations of `math` ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::scalar;

static constexpr LibraryFunction kLibraryFunctions[] = {
#define MATH_FUNCTION(CLASS, NAME, PARAMETERS, ...) {NAME, PARAMETERS},
#include "scalar/MathFunctions.def"
};

ArrayRef<LibraryFunction> scalar::getLibraryFunctions() {
  return kLibraryFunctions;
}

unsigned scalar::getMathCost(Operation *op) {
#define MATH_INSTRUCTION(CLASS, COST, LANES)                                   \
  if (isa<math::CLASS>(op))                                                    \
    return COST;
#define MATH_FUNCTION(CLASS, NAME, PARAMETERS, COST, ...)                      \
  if (isa<math::CLASS>(op))                                                    \
    return COST;
#include "scalar/MathFunctions.def"
  return kFunctionCost;
}

/// When `op` becomes inline arithmetic.
static Expansion getExpansion(Operation *op) {
#define MATH_FUNCTION(CLASS, NAME, PARAMETERS, COST, EXPANSION, ACCURACY)      \
  if (isa<math::CLASS>(op))                                                    \
    return op->getResult(0).getType().isF32() ? Expansion::EXPANSION           \
                                              : Expansion::Never;
#include "scalar/MathFunctions.def"
  return Expansion::Never;
}

bool scalar::hasExpansion(Operation *op) {
  return getExpansion(op) != Expansion::Never;
}

bool scalar::isExpandedInline(Operation *op) {
  Expansion when = getExpansion(op);
  return when == Expansion::WithFma || when == Expansion::Always;
}

bool scalar::isMathOnVectors(Operation *op) {
  enum { AsScalars, AsVectors };
#define MATH_INSTRUCTION(CLASS, COST, LANES)                                   \
  if (isa<math::CLASS>(op))                                                    \
    return LANES == AsVectors;
#include "scalar/MathFunctions.def"
  return isExpandedInline(op);
}
