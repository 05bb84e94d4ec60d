//===- LoadedModule.h - what a compiled program has -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CALLS_LOADEDMODULE_H
#define BROADLOOM_DRIVER_CALLS_LOADEDMODULE_H

#include "codegen/machine/MachineCode.h"
#include "driver/CompiledModule.h"
#include "driver/queries/CompiledQueries.h"
#include "driver/saved/SavedProgram.h"
#include "runtime/abi/Abi.h"
#include "runtime/calls/KeptPanels.h"

#include "llvm/Support/Error.h"

namespace broadloom {

struct CompiledModule::Impl {
  std::vector<FunctionSignature> functions;
  std::unique_ptr<codegen::LoadedCode> code;
  /// Lives as long as the code; null where there are no functions.
  const BroadloomFunctions *program = nullptr;
  /// Of arguments that are promised not to change.
  KeptPanels panels;
  std::unique_ptr<CompiledQueries> queries;
  /// See CompiledModule::profiled.
  std::unique_ptr<ProfiledProgram> profiled;
  /// What CompiledModule::save writes; null where it is not kept.
  std::unique_ptr<SavedProgram> saved;

  /// Links the object files with the libraries of CompileOptions and finds the
  /// table.
  llvm::Error load(const codegen::MachineCode &made,
                   llvm::ArrayRef<std::string> libraries);
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CALLS_LOADEDMODULE_H
