//===- Steps.h - what is done with a program --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// Each step works on the current program of a session and is in the file of its
// name. Compiler.h says what those do that have its functions' names.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_STEPS_H
#define BROADLOOM_DRIVER_STEPS_STEPS_H

#include "driver/Compiler.h"
#include "driver/calls/LoadedModule.h"
#include "driver/steps/Session.h"

#include "mlir/IR/OwningOpRef.h"

namespace broadloom::steps {

/// Parses without verifying: legalization does that, with errors of its own
/// (decision 70). The result has a sound structure, so that accessors can be
/// called before legalization.
mlir::OwningOpRef<mlir::ModuleOp> parse(Session &session);

/// The same with functions of dialects that are not known, which nothing needs
/// and parse() leaves out (UnknownDialects.h).
mlir::OwningOpRef<mlir::ModuleOp> parseWhole(Session &session);

std::unique_ptr<CompiledModule::Impl> compile(Session &session);

/// The same without code of earlier compilations (KeptCode.h). The code is
/// noted in `saved`, if that is not null.
std::unique_ptr<CompiledModule::Impl> compileAnew(Session &session,
                                                  SavedProgram *saved);

bool check(Session &session, CheckedProgram &program,
           const std::string &function);

bool emit(Session &session, Emit form, std::string &output);

/// Whether the current program is a valid shape library.
bool checkLibrary(Session &session);

/// The shape functions of the references in the current program, which is a
/// shape library, as the text of a library; false with errors where one cannot
/// be derived.
bool deriveLibrary(Session &session, std::string &output);

std::optional<ShapeQueryResult>
queryShapes(Session &session, const ShapeQueryArguments &question,
            std::vector<FunctionSignature> &functions);

bool inspect(Session &session, InspectedFile &file);

std::optional<WorkCount>
countWork(Session &session, const std::string &function,
          const std::vector<const BroadloomTensor *> &inputs);

/// Nothing if the program cannot be read.
std::optional<std::string>
reduce(Session &session, const std::function<bool(const std::string &)> &fails);

} // namespace broadloom::steps

#endif // BROADLOOM_DRIVER_STEPS_STEPS_H
