//===- WhenPresentTest.cpp - passes run where they have work alone --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/WhenPresent.h"
#include "driver/passes/RunPasses.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom;

namespace {

/// Cannot begin: what MLIR tells of that names no pass.
class Unready : public PassWrapper<Unready, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Unready)
  StringRef getArgument() const override { return "test-unready"; }
  LogicalResult initialize(MLIRContext *) override { return failure(); }
  void runOnOperation() override {}
};

/// Replaces the operation that it runs on, as conversions of functions do.
class Replace : public PassWrapper<Replace, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Replace)
  StringRef getArgument() const override { return "test-replace"; }
  void runOnOperation() override {
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      func.erase();
  }
};

class Nothing : public PassWrapper<Nothing, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Nothing)
  StringRef getArgument() const override { return "test-nothing"; }
  void runOnOperation() override {}
};

/// Adds a cast at the end of the module.
class AddCast : public PassWrapper<AddCast, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AddCast)
  StringRef getArgument() const override { return "test-add-cast"; }
  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    UnrealizedConversionCastOp::create(builder, builder.getUnknownLoc(),
                                       TypeRange(builder.getI1Type()),
                                       ValueRange());
  }
};

/// Counts its runs.
class Count : public PassWrapper<Count, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Count)
  explicit Count(int &runs) : runs(&runs) {}
  StringRef getArgument() const override { return "test-count"; }
  void runOnOperation() override { ++*runs; }

private:
  int *runs;
};

struct WhenPresent : testing::Test {
  WhenPresent() {
    context.loadDialect<func::FuncDialect>();
    OpBuilder builder(&context);
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    auto func =
        func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                             builder.getFunctionType(TypeRange(), TypeRange()));
    func.setPrivate();
  }

  /// What is told where `pm` fails.
  std::string fail(PassManager &pm, StringRef provoked = "") {
    std::string text;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { text += diagnostic.str(); });
    EXPECT_EQ(runPasses(pm, *module, ProvokedBug(provoked)),
              BROADLOOM_INTERNAL_ERROR);
    return text;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(WhenPresent, NamesThePassThatHasTheWork) {
  PassManager pm(&context);
  pm.enableVerifier(false);
  addPassWhenDialect(pm, "func", std::make_unique<Unready>());
  EXPECT_EQ(fail(pm),
            "this is a bug in broadloom: pass 'test-unready' fails on "
            "'builtin.module'");
}

TEST_F(WhenPresent, NamesWhatALaterPassErases) {
  PassManager pm(&context);
  pm.enableVerifier(false);
  addPassWhenDialect(pm, "func", std::make_unique<Nothing>(), RunOn::Functions);
  pm.addPass(std::make_unique<Replace>());
  EXPECT_EQ(fail(pm, "test-nothing"),
            "this is a bug in broadloom: pass 'test-nothing' fails on "
            "'func.func' @f");
}

TEST_F(WhenPresent, NamesAreThoseBehindThePassBefore) {
  constexpr auto isFunction = isNameOf<func::FuncOp>;
  constexpr auto isCast = isNameOf<UnrealizedConversionCastOp>;
  int beforeCast = 0, behindCast = 0, atFunction = 0, behindFunctions = 0,
      notConcerned = 0;
  PassManager pm(&context);
  addPassWhenName(pm, isCast, std::make_unique<Count>(beforeCast));
  pm.addPass(std::make_unique<AddCast>());
  addPassWhenName(pm, isCast, std::make_unique<Count>(behindCast));
  addPassWhenName(pm, isFunction, std::make_unique<Count>(atFunction));
  addPassWhenName(pm, isFunction, std::make_unique<Count>(notConcerned),
                  RunOn::Module, [](Operation *) { return false; });
  addPassWhenName(pm, isFunction, std::make_unique<Replace>());
  addPassWhenName(pm, isFunction, std::make_unique<Count>(behindFunctions));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(beforeCast, 0);
  EXPECT_EQ(behindCast, 1);
  EXPECT_EQ(atFunction, 1);
  EXPECT_EQ(notConcerned, 0);
  EXPECT_EQ(behindFunctions, 0);
}
