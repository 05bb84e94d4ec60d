//===- CompiledModule.cpp - what a program has become ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/SymbolNames.h"
#include "driver/calls/LoadedModule.h"

#include "llvm/ADT/StringMap.h"

using namespace broadloom;

llvm::Error CompiledModule::Impl::load(const codegen::MachineCode &made,
                                       llvm::ArrayRef<std::string> libraries) {
  auto loaded =
      codegen::LoadedCode::load(made.objects, made.constants, libraries);
  if (!loaded)
    return loaded.takeError();
  code = std::move(*loaded);
  if (functions.empty())
    return llvm::Error::success();
  auto found = code->lookup(codegen::kFunctionTable);
  if (!found)
    return found.takeError();
  program = static_cast<const BroadloomFunctions *>(*found);
  llvm::StringMap<int64_t> planned;
  for (const BroadloomFunction &function :
       llvm::ArrayRef(program->functions, size_t(program->numFunctions)))
    planned[function.name] = function.plannedBytes;
  for (FunctionSignature &function : functions)
    function.plannedBytes = planned.lookup(function.name);
  return llvm::Error::success();
}

CompiledModule::CompiledModule(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CompiledModule::~CompiledModule() = default;

const std::vector<FunctionSignature> &CompiledModule::functions() const {
  return impl->functions;
}

const ProfiledProgram *CompiledModule::profiled() const {
  return impl->profiled.get();
}

const FunctionSignature *CompiledModule::function(std::string_view name) const {
  return findFunction(impl->functions, name);
}

void CompiledModule::forgetConstants() const { impl->panels.forget(); }

bool CompiledModule::save(
    std::string_view name,
    const std::function<bool(std::string_view)> &write) const {
  const FunctionSignature *only = name.empty() ? nullptr : function(name);
  if (!impl->saved || (!name.empty() && !only))
    return false;
  SavedProgram program = *impl->saved;
  if (only) {
    program.only = only->name;
    program.functions = {*only};
  }
  return llvm::all_of(SavedFile(program).pieces, write) &&
         llvm::all_of(program.files, [](const StampedFile &file) {
           return file.isUnchanged();
         });
}

std::string CompiledModule::save(std::string_view name) const {
  std::string bytes;
  bool isWhole = save(name, [&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  return isWhole ? bytes : std::string();
}
