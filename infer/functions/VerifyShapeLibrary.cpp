//===- VerifyShapeLibrary.cpp - checks of a library, as a pass ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryVerifier.h"
#include "infer/functions/Passes.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMVERIFYSHAPELIBRARY
#include "infer/functions/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;

namespace {
struct LoomVerifyShapeLibraryPass
    : infer::impl::LoomVerifyShapeLibraryBase<LoomVerifyShapeLibraryPass> {
  void runOnOperation() override {
    infer::ShapeLibrary library(&getContext());
    if (failed(infer::verifyText(getOperation())) ||
        failed(infer::LibraryVerifier(library).verify(getOperation())))
      signalPassFailure();
  }
};
} // namespace
