//===- PolledCode.h - functions that read the flag of a call ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_MACHINE_POLLEDCODE_H
#define BROADLOOM_TEST_LIB_MACHINE_POLLEDCODE_H

#include "codegen/machine/Polls.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace broadloom::codegen {

/// What a function with `body` reads and calls after insertPolls.
struct Polled {
  /// Reads of the flag, the one at the entry included.
  int reads = 0;
  /// Blocks of chunks, and blocks that compute the limit of a first one.
  int chunks = 0, far = 0;
  /// Calls that keep registers of integers, and others.
  int keepingCalls = 0, plainCalls = 0;
  bool isValid = false;
};

inline Polled poll(llvm::StringRef body, llvm::StringRef type = "i32",
                   llvm::StringRef target = "", bool isOptimised = true) {
  std::string text = ("target triple = \"" + target +
                      "\"\n"
                      "declare i32 @broadloomPoll(ptr)\n"
                      "declare void @other(ptr)\n"
                      "declare i64 @given(i64)\n"
                      "declare double @exp(double)\n"
                      "declare void @llvm.memset(ptr, i8, i64, i1)\n"
                      "declare double @llvm.sqrt(double)\n"
                      "define " +
                      type + " @f(ptr %call, ptr %a, i64 %n, i64 %m) {\n" +
                      "  %status = call i32 @broadloomPoll(ptr %call)\n"
                      "  %bad = icmp ne i32 %status, 0\n"
                      "  br i1 %bad, label %fail, label %start\n" +
                      body + "}\n")
                         .str();
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, error, context);
  Polled polled;
  if (!module) {
    ADD_FAILURE() << error.getMessage().str() << "\n" << text;
    return polled;
  }
  insertPolls(*module, isOptimised);
  polled.isValid = !llvm::verifyModule(*module, &llvm::errs());
  llvm::Function &function = *module->getFunction("f");
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    polled.reads += load && load->isAtomic();
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      (call->getCallingConv() == llvm::CallingConv::PreserveMost
           ? polled.keepingCalls
           : polled.plainCalls)++;
  }
  for (llvm::BasicBlock &block : function) {
    polled.chunks += block.getName().starts_with("chunk");
    polled.far += block.getName().starts_with("far");
  }
  return polled;
}

/// A loop that counts from `first` by `step` while the counter, or the next
/// one, has the relation to `bound`.
inline std::string counting(llvm::StringRef first, llvm::StringRef step,
                            llvm::StringRef compared, llvm::StringRef relation,
                            llvm::StringRef bound) {
  return ("start:\n  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ " +
          first + ", %start ], [ %next, %loop ]\n" +
          "  %at = getelementptr i64, ptr %a, i64 %i\n"
          "  store i64 %i, ptr %at\n"
          "  %next = add i64 %i, " +
          step + "\n  %more = icmp " + relation + " i64 " + compared + ", " +
          bound +
          "\n  br i1 %more, label %loop, label %end\n"
          "end:\n  ret i32 0\n"
          "fail:\n  ret i32 %status\n")
      .str();
}

} // namespace broadloom::codegen

#endif // BROADLOOM_TEST_LIB_MACHINE_POLLEDCODE_H
