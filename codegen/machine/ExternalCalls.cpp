//===- ExternalCalls.cpp - calls of other libraries -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ExternalCalls.h"

#include "dialect/LoomDialect.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <dlfcn.h>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

struct CallExternal : ConvertOpToLLVMPattern<loom::ExternalCallOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(loom::ExternalCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments;
    SmallVector<Type> types;
    for (auto [from, to] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs())) {
      auto memory = dyn_cast<MemRefType>(from.getType());
      arguments.push_back(
          !memory ? to
          : op.getDescriptors()
              ? putDescriptor(rewriter, loc, to)
              : MemRefDescriptor(to).bufferPtr(rewriter, loc,
                                               *getTypeConverter(), memory));
      types.push_back(arguments.back().getType());
    }
    Type result = LLVM::LLVMVoidType::get(op.getContext());
    if (op.getNumResults() != 0)
      result = getTypeConverter()->convertType(op.getResult(0).getType());
    auto type = LLVM::LLVMFunctionType::get(result, types);
    Value address = declare(rewriter, op, type);
    arguments.insert(arguments.begin(), address);
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, type, arguments);
    return success();
  }

private:
  /// The address of the function, declared with the type of the first call.
  static Value declare(ConversionPatternRewriter &rewriter,
                       loom::ExternalCallOp op, LLVM::LLVMFunctionType type) {
    auto module = op->getParentOfType<ModuleOp>();
    StringRef symbol = op.getSymbol();
    if (!module.lookupSymbol(symbol)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(module.getBody());
      LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), symbol, type);
    }
    return LLVM::AddressOfOp::create(
        rewriter, op.getLoc(), LLVM::LLVMPointerType::get(op.getContext()),
        symbol);
  }

  /// A descriptor on the stack. The block that its first pointer names is the
  /// program's own, so that the library gets the data's address in its place.
  Value putDescriptor(OpBuilder &b, Location loc, Value descriptor) const {
    MemRefDescriptor memory(descriptor);
    memory.setAllocatedPtr(b, loc, memory.alignedPtr(b, loc));
    return getTypeConverter()->promoteOneMemRefDescriptor(loc, memory, b);
  }
};

} // namespace

void codegen::addExternalCallPatterns(const LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<CallExternal>(converter);
}

llvm::Expected<llvm::sys::DynamicLibrary>
codegen::openLibrary(const std::string &path) {
  // Other programs do not find its functions.
  if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    return llvm::sys::DynamicLibrary(handle);
  return llvm::createStringError("the library '" + path +
                                 "' cannot be opened: " + dlerror());
}

llvm::Error codegen::openLibraries(ArrayRef<std::string> libraries) {
  for (const std::string &path : libraries)
    if (auto library = openLibrary(path); !library)
      return library.takeError();
  return llvm::Error::success();
}

bool codegen::hasExternal(StringRef symbol, ArrayRef<std::string> libraries) {
  std::string name = symbol.str();
  for (const std::string &path : libraries) {
    auto library = openLibrary(path);
    if (!library)
      llvm::consumeError(library.takeError());
    else if (library->getAddressOfSymbol(name.c_str()))
      return true;
  }
  auto process = llvm::sys::DynamicLibrary::getPermanentLibrary(nullptr);
  return process.getAddressOfSymbol(name.c_str());
}
