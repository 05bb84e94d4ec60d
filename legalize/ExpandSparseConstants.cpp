//===- ExpandSparseConstants.cpp - constants of TensorFlow Lite -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "read/tflite/ExpandSparse.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMEXPANDSPARSECONSTANTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomExpandSparseConstantsPass
    : legalize::impl::LoomExpandSparseConstantsBase<
          LoomExpandSparseConstantsPass> {
  LogicalResult apply(ModuleOp module) override {
    return read::expandSparseConstants(module);
  }
};

} // namespace
