//===- QuiltPasses.cpp - somebody else's pass over loom ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuiltPasses.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace quilt {
#define GEN_PASS_DEF_QUILTCOUNTGUARDS
#include "QuiltPasses.h.inc"
} // namespace quilt

using namespace mlir;

namespace {

struct QuiltCountGuardsPass
    : quilt::impl::QuiltCountGuardsBase<QuiltCountGuardsPass> {
  using QuiltCountGuardsBase::QuiltCountGuardsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      unsigned count = 0;
      function.walk([&](broadloom::loom::RequireOp) { ++count; });
      if (count >= atLeast)
        function.emitRemark() << count << " guards";
    }
  }
};

} // namespace
