//===- ExpandMath.cpp - functions as inline arithmetic --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/target/CodeTarget.h"
#include "scalar/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMEXPANDMATH
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

struct LoomExpandMathPass
    : codegen::impl::LoomExpandMathBase<LoomExpandMathPass> {
  using LoomExpandMathBase::LoomExpandMathBase;

  void runOnOperation() override {
    bool isNamed = !target.empty() || !cpu.empty();
    auto machine = isNamed ? CodeTarget::get(target, cpu)
                           : CodeTarget::getOf(getOperation());
    if (!machine) {
      emitError(getOperation().getLoc()) << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    scalar::expandMath(getOperation(), machine->getMathUnit());
  }
};

} // namespace
