//===- ExternalCalls.cpp - calls of other libraries -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ExternalCalls.h"

#include "dialect/LoomDialect.h"
#include "runtime/abi/Description.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/ExecutionEngine/Orc/EHFrameRegistrationPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>

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

/// What a file is that the loader refuses, and what to do, after its reason;
/// empty where the reason tells.
static std::string explainFile(const std::string &path) {
  if (!llvm::sys::fs::exists(path))
    return "";
  if (!StringRef(path).contains('/'))
    return "; a name without '/' is looked for where the system's libraries "
           "are: write './" +
           path + "' for the file here";
  llvm::file_magic kind;
  if (llvm::identify_magic(path, kind))
    return "";
  switch (kind) {
  case llvm::file_magic::archive:
    return "; it is an archive of object files: link a shared library of them";
  case llvm::file_magic::elf_relocatable:
    return "; it is an object file: link a shared library of it";
  case llvm::file_magic::elf_executable:
    return "; it is a program, and no shared library";
  case llvm::file_magic::elf_shared_object:
    break;
  case llvm::file_magic::unknown:
    return "; it is no shared library";
  default:
    return "; it is no shared library of this system";
  }
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  const llvm::object::ObjectFile &object = *file->getBinary();
  llvm::Triple host(llvm::sys::getProcessTriple());
  if (object.getArch() == host.getArch())
    return "";
  llvm::Triple other = host;
  other.setArch(object.getArch());
  std::string name = object.getArch() == llvm::Triple::UnknownArch
                         ? "machines of another kind"
                         : other.getArchName().str();
  return "; it is for " + name + ", and this process is for " +
         host.getArchName().str() + ": build the library for that";
}

llvm::Expected<llvm::sys::DynamicLibrary>
codegen::openLibrary(const std::string &path) {
  // A device may have no end, and a pipe nobody that writes to it.
  if (StringRef(path).contains('/') && llvm::sys::fs::exists(path) &&
      !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError(
        "the library '" + path +
        "' cannot be opened: it is not a regular file");
  // Other programs do not find its functions.
  if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    return llvm::sys::DynamicLibrary(handle);
  std::string reason = dlerror();
  return llvm::createStringError("the library '" + path +
                                 "' cannot be opened: " + reason +
                                 explainFile(path));
}

llvm::Error codegen::openLibraries(ArrayRef<std::string> libraries) {
  for (const std::string &path : libraries)
    if (auto library = openLibrary(path); !library)
      return library.takeError();
  return llvm::Error::success();
}

bool codegen::hasExternal(StringRef symbol, ArrayRef<std::string> libraries) {
  std::string name = symbol.str();
  auto has = [&](const std::string &path) {
    auto library = openLibrary(path);
    if (library)
      return library->getAddressOfSymbol(name.c_str()) != nullptr;
    llvm::consumeError(library.takeError());
    return false;
  };
  // The process has functions of the compiler, and of whoever uses it, too.
  return llvm::any_of(libraries, has) || has(LIBC_SO) || has(LIBM_SO);
}

llvm::Error codegen::registerUnwindTables(llvm::orc::LLJIT &jit,
                                          ArrayRef<std::string> objects) {
  // The name is in the table of an object's undefined symbols. All exceptions
  // of the process look at tables that are registered.
  auto callsLibraries = [](StringRef object) {
    return object.contains(abi::broadloomCallLibrary.name);
  };
  auto *linker =
      dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (!linker || llvm::none_of(objects, callsLibraries))
    return llvm::Error::success();
  auto plugin =
      llvm::orc::EHFrameRegistrationPlugin::Create(jit.getExecutionSession());
  if (!plugin)
    return plugin.takeError();
  linker->addPlugin(std::move(*plugin));
  return llvm::Error::success();
}
