//===- TestInferBroadcast.cpp - operations from operands alone --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/TestDialect.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace broadloom::test {
namespace {

/// Builds an OpT from operands alone, as a builder without result types would;
/// such a builder ends the program where inference fails, so that inference is
/// run first.
template <typename OpT>
Operation *buildFrom(OpBuilder &builder, Location loc, ValueRange operands) {
  SmallVector<Type> inferred;
  if (failed(OpT::inferReturnTypes(builder.getContext(), loc, operands,
                                   DictionaryAttr(), OpaqueProperties(nullptr),
                                   RegionRange(), inferred)))
    return nullptr;
  return OpT::create(builder, loc, operands);
}

struct TestInferBroadcast
    : public PassWrapper<TestInferBroadcast, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestInferBroadcast)

  StringRef getArgument() const final { return "test-infer-broadcast"; }
  StringRef getDescription() const final {
    return "build operations with the trait Broadcastable from operands alone";
  }

  void runOnOperation() final {
    getOperation()->walk([&](OperandsOp source) {
      OpBuilder builder(source);
      Operation *built =
          source.getCompare()
              ? buildFrom<CompareOp>(builder, source.getLoc(),
                                     source.getInputs())
              : buildFrom<InferBroadcastOp>(builder, source.getLoc(),
                                            source.getInputs());
      if (!built)
        return signalPassFailure();
      source.emitRemark("inferred ") << built->getResult(0).getType();
    });
  }
};

} // namespace

void registerTestInferBroadcast() { PassRegistration<TestInferBroadcast>(); }

} // namespace broadloom::test
