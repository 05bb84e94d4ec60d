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
    auto *failure =
        llvm::dyn_cast<llvm::DiagnosticInfoOptimizationFailure>(&info);
    if (!failure)
      return false;
    llvm::StringRef function = failure->getFunction().getName();
    if (text.empty())
      text = "a loop of function '@" + getProgramName(function).str() +
             "' that the schedule has as vectors is none: LLVM says '" +
             failure->getMsg() + "'; leave out loom.vectorize";
    return true;
  }

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
