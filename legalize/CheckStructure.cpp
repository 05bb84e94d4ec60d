//===- CheckStructure.cpp - the pass loom-check-structure -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCHECKSTRUCTURE
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

// LegalizationPass makes the check.
struct LoomCheckStructurePass
    : legalize::impl::LoomCheckStructureBase<LoomCheckStructurePass> {
  LogicalResult apply(ModuleOp module) override { return success(); }
};

} // namespace
