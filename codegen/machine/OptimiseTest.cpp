//===- OptimiseTest.cpp - what LLVM's passes get and leave ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/Optimise.h"
#include "codegen/target/CodeTarget.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace broadloom::codegen;

namespace {

/// A function that loads `count` numbers, each in a block of its own that may
/// leave, and adds them all in the last block.
Function *makeGlue(Module &module, StringRef name, unsigned count) {
  IRBuilder<> b(module.getContext());
  auto *type =
      FunctionType::get(b.getInt64Ty(), {b.getPtrTy()}, /*isVarArg=*/false);
  auto *function =
      Function::Create(type, Function::ExternalLinkage, name, module);
  auto addBlock = [&] {
    return BasicBlock::Create(module.getContext(), "", function);
  };
  b.SetInsertPoint(addBlock());
  SmallVector<Value *> values;
  for (unsigned i = 0; i < count; ++i) {
    Value *at = b.CreateConstGEP1_64(b.getInt64Ty(), function->getArg(0), i);
    values.push_back(b.CreateLoad(b.getInt64Ty(), at));
    BasicBlock *next = addBlock(), *leave = addBlock();
    b.CreateCondBr(b.CreateICmpEQ(values.back(), b.getInt64(0)), leave, next);
    b.SetInsertPoint(leave);
    b.CreateRet(values.back());
    b.SetInsertPoint(next);
  }
  Value *sum = b.getInt64(0);
  for (Value *value : values)
    sum = b.CreateAdd(sum, value);
  b.CreateRet(sum);
  return function;
}

/// Whether a block other than `home` uses `value`.
bool crosses(const Value &value, const BasicBlock &home) {
  return any_of(value.users(), [&](const User *user) {
    return cast<Instruction>(user)->getParent() != &home;
  });
}

/// How many values blocks take from others that can be in registers there.
unsigned countCrossing(Function &function) {
  unsigned count = 0;
  for (Argument &argument : function.args())
    count += crosses(argument, function.getEntryBlock());
  for (Instruction &instruction : instructions(function))
    count += !isa<AllocaInst>(instruction) &&
             crosses(instruction, *instruction.getParent());
  return count;
}

/// A function that stores a number as often as it is told.
Function *makeLoop(Module &module) {
  IRBuilder<> b(module.getContext());
  auto *type = FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getInt64Ty()},
                                 /*isVarArg=*/false);
  auto *function =
      Function::Create(type, Function::ExternalLinkage, "loop", module);
  auto *entry = BasicBlock::Create(module.getContext(), "", function),
       *body = BasicBlock::Create(module.getContext(), "", function),
       *done = BasicBlock::Create(module.getContext(), "", function);
  b.SetInsertPoint(entry);
  b.CreateBr(body);
  b.SetInsertPoint(body);
  PHINode *i = b.CreatePHI(b.getInt64Ty(), 2);
  b.CreateStore(i, b.CreateGEP(b.getInt64Ty(), function->getArg(0), i));
  Value *next = b.CreateAdd(i, b.getInt64(1));
  b.CreateCondBr(b.CreateICmpULT(next, function->getArg(1)), body, done);
  i->addIncoming(b.getInt64(0), entry);
  i->addIncoming(next, body);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

unsigned countCrossingOnceOptimised(unsigned numbers, bool withLoop = false) {
  auto host = CodeTarget::getHost();
  EXPECT_TRUE(bool(host));
  auto target = host->makeMachine();
  if (!target) {
    ADD_FAILURE() << toString(target.takeError());
    return 0;
  }
  LLVMContext context;
  Module module("test", context);
  module.setDataLayout((*target)->createDataLayout());
  module.setTargetTriple((*target)->getTargetTriple());
  Function *function = makeGlue(module, "glue", numbers);
  if (withLoop)
    makeLoop(module);
  optimise(module, **target);
  EXPECT_FALSE(verifyModule(module, &errs()));
  return countCrossing(*function);
}

/// Whether the function of these blocks has a fast loop. @number computes one,
/// and @call does more.
bool isFast(const std::string &blocks) {
  LLVMContext context;
  SMDiagnostic error;
  auto module = parseAssemblyString("declare void @call()\n"
                                    "declare i1 @number() memory(none)\n"
                                    "define void @f(i1 %p, i1 %q) {\n" +
                                        blocks + "}\n",
                                    error, context);
  if (!module) {
    ADD_FAILURE() << error.getMessage().str();
    return false;
  }
  return hasFastLoop(*module->getFunction("f"));
}

} // namespace

// LLVM's allocation of registers takes 7 s for 2,000 arguments if each is live
// from its guard to the call at the end.
TEST(Optimise, LongGlueKeepsNothingInRegistersAcrossBlocks) {
  EXPECT_EQ(countCrossingOnceOptimised(2000), 0u);
}

TEST(Optimise, ShortGlueKeepsValuesInRegisters) {
  EXPECT_GE(countCrossingOnceOptimised(20), 20u);
}

// The whole pipeline runs where there is a loop, but not on glue.
TEST(Optimise, LongGlueBesideALoopKeepsNothingInRegistersAcrossBlocks) {
  EXPECT_EQ(countCrossingOnceOptimised(2000, /*withLoop=*/true), 0u);
}

TEST(Optimise, LoopsThatCallAreNotFast) {
  EXPECT_FALSE(isFast(R"(
    br label %a
  a:
    call void @call()
    br i1 %p, label %a, label %b
  b:
    br i1 %p, label %c, label %d
  c:
    br label %e
  d:
    br label %e
  e:
    call void @call()
    br i1 %q, label %b, label %f
  f:
    ret void
)"));
}

TEST(Optimise, LoopsThatNeedNotCallAreFast) {
  const char *kOnOnePath = R"(
    br label %a
  a:
    br i1 %p, label %b, label %c
  b:
    call void @call()
    br label %d
  c:
    br label %d
  d:
    br i1 %q, label %a, label %e
  e:
    ret void
)";
  EXPECT_TRUE(isFast(kOnOnePath));
  const char *kInside = R"(
    br label %a
  a:
    call void @call()
    br label %b
  b:
    %n = call i1 @number()
    br i1 %n, label %b, label %c
  c:
    br i1 %q, label %a, label %d
  d:
    ret void
)";
  EXPECT_TRUE(isFast(kInside));
}
