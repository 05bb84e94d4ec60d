//===- CApi.cpp - compile and call from C ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/Compiler.h"

#include <algorithm>

using namespace broadloom;

struct BroadloomCompiler {
  CompileOptions options;
  std::unique_ptr<Compiler> compiler = std::make_unique<Compiler>();
};

struct BroadloomModule {
  std::unique_ptr<CompiledModule> module;
};

struct BroadloomInvocation {
  BroadloomInvocation(const CompiledModule &module,
                      const FunctionSignature &function)
      : signature(function), invocation(module, function) {}
  const FunctionSignature &signature;
  Invocation invocation;
  /// Reused so that a call allocates nothing.
  std::vector<const BroadloomTensor *> inputs;
  std::vector<BroadloomShape> shapes;
};

static BroadloomModule *wrap(std::unique_ptr<CompiledModule> module) {
  return module ? new BroadloomModule{std::move(module)} : nullptr;
}

BroadloomCompiler *broadloomCompilerCreate() { return new BroadloomCompiler; }

void broadloomCompilerDestroy(BroadloomCompiler *compiler) { delete compiler; }

void broadloomCompilerAddShapeLibrary(BroadloomCompiler *compiler,
                                      const char *path) {
  compiler->options.shapeLibraries.push_back(path);
  compiler->compiler = std::make_unique<Compiler>(compiler->options);
}

void broadloomCompilerTrustBytecode(BroadloomCompiler *compiler,
                                    int32_t trust) {
  compiler->options.trustBytecode = trust != 0;
  compiler->compiler = std::make_unique<Compiler>(compiler->options);
}

BroadloomModule *broadloomCompileFile(BroadloomCompiler *compiler,
                                      const char *path) {
  return wrap(compiler->compiler->compileFile(path));
}

BroadloomModule *broadloomCompileText(BroadloomCompiler *compiler,
                                      const char *text, size_t size,
                                      const char *name) {
  return wrap(compiler->compiler->compileText({text, size}, name));
}

int32_t broadloomCompileStatus(const BroadloomCompiler *compiler) {
  return compiler->compiler->status();
}

const char *broadloomDiagnostics(const BroadloomCompiler *compiler) {
  return compiler->compiler->diagnostics().c_str();
}

void broadloomModuleDestroy(BroadloomModule *module) { delete module; }

BroadloomInvocation *broadloomInvocationCreate(const BroadloomModule *module,
                                               const char *name) {
  const FunctionSignature *function =
      module->module->function(name ? name : "");
  return function ? new BroadloomInvocation(*module->module, *function)
                  : nullptr;
}

void broadloomInvocationDestroy(BroadloomInvocation *invocation) {
  delete invocation;
}

int32_t broadloomInvocationNumArguments(const BroadloomInvocation *invocation) {
  return static_cast<int32_t>(invocation->signature.arguments.size());
}

int32_t broadloomInvocationNumResults(const BroadloomInvocation *invocation) {
  return static_cast<int32_t>(invocation->signature.results.size());
}

void broadloomInvocationSetThreads(BroadloomInvocation *invocation,
                                   int32_t threads) {
  invocation->invocation.setThreads(threads);
}

int32_t broadloomInvocationSetOutput(BroadloomInvocation *invocation,
                                     int32_t index,
                                     const BroadloomTensor *output) {
  return invocation->invocation.setOutput(index, output);
}

int32_t broadloomInvocationRun(BroadloomInvocation *invocation,
                               const BroadloomTensor *const *arguments,
                               int32_t count) {
  return invocation->invocation.run(arguments, size_t(std::max(count, 0)));
}

int32_t broadloomInvocationShapes(BroadloomInvocation *invocation,
                                  const BroadloomTensor *const *arguments,
                                  int32_t count, BroadloomShape *shapes) {
  invocation->inputs.assign(arguments, arguments + (count > 0 ? count : 0));
  int32_t status = invocation->invocation.resultShapes(invocation->inputs,
                                                       invocation->shapes);
  if (status == BROADLOOM_OK)
    std::copy(invocation->shapes.begin(), invocation->shapes.end(), shapes);
  return status;
}

int32_t broadloomInvocationTakeResult(BroadloomInvocation *invocation,
                                      int32_t index, BroadloomTensor *out) {
  return invocation->invocation.takeResult(index, out);
}

const char *broadloomInvocationMessage(const BroadloomInvocation *invocation) {
  return invocation->invocation.message().c_str();
}
