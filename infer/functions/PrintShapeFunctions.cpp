//===- PrintShapeFunctions.cpp - which function an operation has ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Library.h"
#include "infer/functions/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMPRINTSHAPEFUNCTIONS
#include "infer/functions/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

struct LoomPrintShapeFunctionsPass
    : infer::impl::LoomPrintShapeFunctionsBase<LoomPrintShapeFunctionsPass> {
  using LoomPrintShapeFunctionsBase::LoomPrintShapeFunctionsBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<std::shared_ptr<ShapeLibrary>> loaded =
        loadLibraries(context, libraries);
    if (succeeded(loaded))
      library = *loaded;
    return loaded;
  }

  void runOnOperation() override {
    SetVector<StringRef> names;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation())
        names.insert(getOperationKey(op));
    });
    for (StringRef name : names)
      print(name);
  }

  void print(StringRef name) {
    const ShapeFunction *function = library->lookupOrDerive(name);
    if (!function)
      return;
    llvm::outs() << "// " << name;
    if (function->op && !library->lookup(name))
      llvm::outs() << ", from its traits";
    if (function->hasInference)
      llvm::outs() << (function->op ? "; the rest from" : ", from")
                   << " its own inference";
    llvm::outs() << "\n";
    if (function->op)
      llvm::outs() << function->op << "\n";
  }

  std::shared_ptr<ShapeLibrary> library;
};

} // namespace
