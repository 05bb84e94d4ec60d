//===- KeptCode.h - code of earlier compilations ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_KEPTCODE_H
#define BROADLOOM_DRIVER_STEPS_KEPTCODE_H

#include "driver/calls/LoadedModule.h"
#include "driver/steps/Session.h"

namespace broadloom::steps {

/// Compiles the current program, which is not a saved one. Uses the cache, and
/// keeps the code, if the options say so.
std::unique_ptr<CompiledModule::Impl> compileCached(Session &session);

/// Loads the current program, which is a saved one; compiles its source if the
/// code is not for this machine.
std::unique_ptr<CompiledModule::Impl> loadSaved(Session &session);

} // namespace broadloom::steps

#endif // BROADLOOM_DRIVER_STEPS_KEPTCODE_H
