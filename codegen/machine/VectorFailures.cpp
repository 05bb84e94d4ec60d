//===- VectorFailures.cpp - loops that are no vectors ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/VectorFailures.h"

#include "codegen/SymbolNames.h"
#include "codegen/machine/UnsupportedError.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

using namespace broadloom;
using namespace broadloom::codegen;

char UnsupportedError::ID = 0;

namespace {

struct Handler : llvm::DiagnosticHandler {
  explicit Handler(std::string &text) : text(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    // Only what is told of loops that must be vectors gets here.
    auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (!remark)
      return false;
    if (!llvm::isa<llvm::DiagnosticInfoOptimizationFailure>(remark)) {
      reason = remark->getMsg();
      return true;
    }
    llvm::StringRef function = getProgramName(remark->getFunction().getName());
    if (text.empty())
      text = "a loop of function '@" + function.str() +
             "' that the schedule has as vectors is none: LLVM says '" +
             (reason.empty() ? remark->getMsg() : reason) +
             "'; leave out loom.vectorize";
    return true;
  }

  std::string reason;

  std::string &text;
};

} // namespace

VectorFailures::VectorFailures(llvm::LLVMContext &context) : context(context) {
  context.setDiagnosticHandler(std::make_unique<Handler>(text));
}

VectorFailures::~VectorFailures() {
  context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
}

llvm::Error VectorFailures::take() {
  if (text.empty())
    return llvm::Error::success();
  return llvm::make_error<UnsupportedError>(text);
}
