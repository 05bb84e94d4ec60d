//===- VectorFailures.cpp - loops that are no vectors ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/VectorFailures.h"

#include "codegen/SymbolNames.h"
#include "codegen/machine/LoopAnnotation.h"
#include "codegen/machine/UnsupportedError.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

using namespace broadloom;
using namespace broadloom::codegen;

char UnsupportedError::ID = 0;

//===----------------------------------------------------------------------===//
// Names of loops
//===----------------------------------------------------------------------===//

/// Adds an option to the metadata of a loop, whose first operand is itself.
static void addOption(llvm::Instruction &branch, llvm::StringRef text) {
  llvm::MDNode *loop = branch.getMetadata(llvm::LLVMContext::MD_loop);
  if (!loop)
    return;
  llvm::LLVMContext &context = branch.getContext();
  auto toString = [&](llvm::StringRef value) -> llvm::Metadata * {
    return llvm::MDString::get(context, value);
  };
  llvm::SmallVector<llvm::Metadata *> options(loop->operands());
  options.push_back(
      llvm::MDNode::get(context, {toString(kLoopText), toString(text)}));
  llvm::MDNode *named = llvm::MDNode::getDistinct(context, options);
  named->replaceOperandWith(0, named);
  branch.setMetadata(llvm::LLVMContext::MD_loop, named);
}

void codegen::nameVectorLoops(mlir::ModuleOp module, llvm::Module &translated) {
  for (auto func : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    llvm::Function *function = translated.getFunction(func.getName());
    // A translation keeps the blocks and their order.
    if (!function || function->size() != func.getBody().getBlocks().size())
      continue;
    for (auto [block, made] : llvm::zip_equal(func.getBody(), *function)) {
      auto branch = block.empty()
                        ? mlir::LLVM::BrOp()
                        : llvm::dyn_cast<mlir::LLVM::BrOp>(block.back());
      if (!branch || !branch.getLoopAnnotationAttr() ||
          !branch.getLoopAnnotationAttr().getVectorize() || made.empty())
        continue;
      if (auto text = llvm::dyn_cast<mlir::NameLoc>(branch.getLoc()))
        addOption(made.back(), text.getName().getValue());
    }
  }
}

static std::string getText(const llvm::MDNode *loop) {
  llvm::MDNode *option = loop ? llvm::findOptionMDForLoopID(
                                    const_cast<llvm::MDNode *>(loop), kLoopText)
                              : nullptr;
  return option && option->getNumOperands() == 2
             ? llvm::cast<llvm::MDString>(option->getOperand(1))
                   ->getString()
                   .str()
             : "";
}

std::string codegen::findVectorLoop(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      if (const llvm::Instruction *branch = block.getTerminator()) {
        std::string text =
            getText(branch->getMetadata(llvm::LLVMContext::MD_loop));
        if (!text.empty())
          return text;
      }
  return "";
}

/// What errors call the loop that begins with `region`; empty if a schedule
/// does not have it as vectors.
static std::string getLoopText(const llvm::Value *region) {
  auto *header = llvm::dyn_cast_or_null<llvm::BasicBlock>(region);
  if (!header)
    return "";
  for (const llvm::BasicBlock *latch : llvm::predecessors(header)) {
    std::string text = getText(
        latch->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop));
    if (!text.empty())
      return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// What LLVM says
//===----------------------------------------------------------------------===//

namespace {

/// The pass that makes vectors of loops.
constexpr llvm::StringLiteral kVectoriser = "loop-vectorize";

struct Handler : llvm::DiagnosticHandler {
  explicit Handler(std::string &text) : text(text) {}

  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return pass == kVectoriser;
  }

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoIROptimization>(&info);
    if (!remark)
      return false;
    std::string loop = getLoopText(remark->getCodeRegion());
    bool isFailure = llvm::isa<llvm::DiagnosticInfoOptimizationFailure>(remark);
    // Other loops need not be vectors.
    if (loop.empty() && !isFailure)
      return true;
    bool isOtherLength = llvm::is_contained(
        {"VectorizationFactor", "InvalidUserVF"}, remark->getRemarkName());
    if (!isFailure && !isOtherLength) {
      reasons[loop] = remark->getMsg();
      return true;
    }
    std::string reason = reasons.lookup(loop);
    if (loop.empty())
      loop = "a loop of function '@" +
             getProgramName(remark->getFunction().getName()).str() + "'";
    if (text.empty())
      text =
          loop +
          (isOtherLength
               ? " cannot have vectors of as many elements as the schedule says"
               : ", which the schedule has as vectors, stays as it is") +
          ": LLVM says '" +
          (isOtherLength || reason.empty() ? remark->getMsg() : reason) +
          "'; " +
          (isOtherLength ? "have fewer of them, or leave out loom.vectorize"
                         : "leave out loom.vectorize");
    return true;
  }

  /// Why loops are no vectors, by what errors call these.
  llvm::StringMap<std::string> reasons;

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
