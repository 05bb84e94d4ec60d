//===- Plugin.cpp - our dialects and passes for the stock mlir-opt --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One library is both plugins: a tool that loads passes gets the pipelines and
// passes by name, one that loads dialects gets `loom` and the interface models
// that the passes need. MLIR is that of the tool: the library has none of its
// own, since two copies would not know each other's types.
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"
#include "driver/Version.h"
#include "infer/functions/UserDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

using namespace mlir;

static constexpr const char *kName = "Broadloom";

/// The files of BROADLOOM_SHAPE_LIBRARIES, separated as in PATH. They are an
/// environment variable because a plugin has no options, and a program with
/// users' operations is parsed before a pass with `libraries=` runs.
static std::vector<std::string> findLibraries() {
  std::vector<std::string> paths;
  std::string value =
      llvm::sys::Process::GetEnv("BROADLOOM_SHAPE_LIBRARIES").value_or("");
  for (StringRef path : llvm::split(value, llvm::sys::EnvPathSeparator))
    if (!path.empty())
      paths.push_back(path.str());
  return paths;
}

static void registerDialects(DialectRegistry *registry) {
  broadloom::registerAllDialects(*registry);
  broadloom::infer::registerUserDialects(*registry, findLibraries());
}

extern "C" DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, BROADLOOM_VERSION, registerDialects};
}

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, BROADLOOM_VERSION,
          broadloom::registerAllPasses};
}
