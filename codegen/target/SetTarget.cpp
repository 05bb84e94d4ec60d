//===- SetTarget.cpp - the target of a module as a pass -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/target/CodeTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace broadloom;

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSETTARGET
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

namespace {

class SetTarget : public codegen::impl::LoomSetTargetBase<SetTarget> {
public:
  using LoomSetTargetBase::LoomSetTargetBase;

  void runOnOperation() override {
    if (target.empty() && cpu.empty())
      return;
    auto named = codegen::CodeTarget::get(target, cpu);
    if (named)
      return codegen::setTarget(getOperation(), *named);
    emitError(getOperation().getLoc()) << llvm::toString(named.takeError());
    signalPassFailure();
  }
};

} // namespace
