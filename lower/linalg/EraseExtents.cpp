//===- EraseExtents.cpp - functions without names of extents --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/report/FixedExtents.h"
#include "lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMERASEEXTENTS
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomEraseExtentsPass
    : lower::impl::LoomEraseExtentsBase<LoomEraseExtentsPass> {
  void runOnOperation() override {
    auto key = StringAttr::get(&getContext(), loom::ExtentsAttr::kKey);
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i : llvm::seq(func.getNumArguments()))
        func.removeArgAttr(i, key);
      for (unsigned i : llvm::seq(func.getNumResults()))
        func.removeResultAttr(i, key);
      func->removeAttr(infer::kFixedExtents);
    }
  }
};

} // namespace
