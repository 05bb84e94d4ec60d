//===- CApi.cpp - compile from C ------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/capi/Handles.h"

#include "driver/steps/EmittedForms.h"

using namespace broadloom;

const char *broadloomVersion() { return version(); }
int32_t broadloomApiVersion() { return BROADLOOM_API_VERSION; }

//===----------------------------------------------------------------------===//
// Compilers
//===----------------------------------------------------------------------===//

/// Clears the diagnostics and answers of the previous program.
static Compiler &begin(BroadloomCompiler *compiler) {
  compiler->refusal.clear();
  compiler->errors.clear();
  compiler->shapes = nullptr;
  return *compiler->compiler;
}

/// Replaces the compiler by one with the current options.
static void renew(BroadloomCompiler *compiler) {
  begin(compiler);
  auto renewed = std::make_unique<Compiler>(compiler->options);
  std::lock_guard<std::mutex> lock(compiler->replacing);
  compiler->compiler.swap(renewed);
}

static BroadloomModule *wrap(std::unique_ptr<CompiledModule> module) {
  return module ? new BroadloomModule(std::move(module)) : nullptr;
}

BroadloomCompiler *broadloomCompilerCreate() { return new BroadloomCompiler; }

void broadloomCompilerDestroy(BroadloomCompiler *compiler) { delete compiler; }

int32_t broadloomCompilerSetOption(BroadloomCompiler *compiler,
                                   const char *name, const char *value) {
  std::string error = setOption(compiler->options, given(name), given(value));
  renew(compiler);
  if (error.empty())
    return BROADLOOM_OK;
  compiler->refusal = "error: " + error + "\n";
  return BROADLOOM_INVALID_ARGUMENT;
}

void broadloomCompilerAddShapeLibrary(BroadloomCompiler *compiler,
                                      const char *path) {
  compiler->options.shapeLibraries.push_back(given(path));
  renew(compiler);
}

void broadloomCompilerSetConstants(BroadloomCompiler *compiler,
                                   const void *const *bytes,
                                   const size_t *sizes, int32_t count) {
  compiler->options.constants.clear();
  for (int32_t i = 0; bytes && sizes && i < count; ++i)
    compiler->options.constants.emplace_back(
        given(static_cast<const char *>(bytes[i]), sizes[i]), nullptr);
  renew(compiler);
}

void broadloomCompilerTrustBytecode(BroadloomCompiler *compiler,
                                    int32_t trust) {
  compiler->options.trustBytecode = trust != 0;
  renew(compiler);
}

/// The module, unless it lacks the one function that was requested.
static BroadloomModule *wrapRequested(BroadloomCompiler *compiler,
                                      std::unique_ptr<CompiledModule> module) {
  const std::optional<std::string> &only = compiler->options.only;
  if (module && only && !module->function(*only)) {
    compiler->refusal = "error: " + Invocation(*module, *only).message() + "\n";
    return nullptr;
  }
  return wrap(std::move(module));
}

BroadloomModule *broadloomCompileFile(BroadloomCompiler *compiler,
                                      const char *path) {
  return wrapRequested(compiler,
                       begin(compiler).compile(Source::file(given(path))));
}

BroadloomModule *broadloomCompileText(BroadloomCompiler *compiler,
                                      const char *text, size_t size,
                                      const char *name) {
  return wrapRequested(compiler, begin(compiler).compile(Source::text(
                                     given(text, size), given(name))));
}

void broadloomCompilerCancel(BroadloomCompiler *compiler) {
  std::lock_guard<std::mutex> lock(compiler->replacing);
  compiler->compiler->cancel();
}

int32_t broadloomCompileStatus(const BroadloomCompiler *compiler) {
  return compiler->refusal.empty() ? compiler->compiler->status()
                                   : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

const char *broadloomDiagnostics(const BroadloomCompiler *compiler) {
  return compiler->refusal.empty() ? compiler->compiler->diagnostics().c_str()
                                   : compiler->refusal.c_str();
}

int32_t broadloomNumDiagnostics(const BroadloomCompiler *compiler) {
  return static_cast<int32_t>(compiler->compiler->diagnosticList().size());
}

const BroadloomError *broadloomDiagnostic(const BroadloomCompiler *compiler,
                                          int32_t index) {
  const auto &list = compiler->compiler->diagnosticList();
  if (index < 0 || static_cast<size_t>(index) >= list.size())
    return nullptr;
  auto &errors = const_cast<BroadloomCompiler *>(compiler)->errors;
  for (size_t i = errors.size(); i < list.size(); ++i)
    errors.push_back(std::make_unique<OwnedError>(list[i]));
  return &errors[static_cast<size_t>(index)]->error;
}

/// The text of `source` in the form of that name.
static const char *emitAs(BroadloomCompiler *compiler, const Source &source,
                          const char *form, size_t *size) {
  Compiler &inner = begin(compiler);
  compiler->output.clear();
  std::optional<Emit> found = findForm(given(form));
  if (!found) {
    compiler->refusal = "error: there is no form '" + std::string(given(form)) +
                        "'; there are " + listForms(/*withLinked=*/false) +
                        "\n";
    return nullptr;
  }
  if (!inner.emit(source, *found, compiler->output))
    return nullptr;
  *size = compiler->output.size();
  return compiler->output.c_str();
}

const char *broadloomEmitFile(BroadloomCompiler *compiler, const char *path,
                              const char *form, size_t *size) {
  return emitAs(compiler, Source::file(given(path)), form, size);
}

const char *broadloomEmitText(BroadloomCompiler *compiler, const char *text,
                              size_t size, const char *name, const char *form,
                              size_t *outputSize) {
  return emitAs(compiler, Source::text(given(text, size), given(name)), form,
                outputSize);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static ShapeQueryArguments makeQuestion(const char *function,
                                        const char *const *arguments,
                                        int32_t count) {
  ShapeQueryArguments question;
  question.function = given(function);
  for (int32_t i = 0; arguments && i < count; ++i)
    question.arguments.push_back(given(arguments[i]));
  return question;
}

/// Keeps the answer, or the reason why there is none.
static int32_t keepShapes(BroadloomCompiler *compiler,
                          std::optional<ShapeQueryResult> answer) {
  if (!answer) {
    answer.emplace();
    int32_t status = compiler->compiler->status();
    answer->status = status ? status : int32_t(BROADLOOM_INVALID_ARGUMENT);
    answer->message = compiler->compiler->diagnostics().empty()
                          ? "the program has no such public function"
                          : compiler->compiler->diagnostics();
  }
  compiler->shapes = std::make_unique<OwnedShapes>(std::move(*answer));
  return compiler->shapes->result.status;
}

int32_t broadloomShapesOfFile(BroadloomCompiler *compiler, const char *path,
                              const char *function,
                              const char *const *arguments, int32_t count) {
  return keepShapes(compiler, begin(compiler).queryShapes(
                                  Source::file(given(path)),
                                  makeQuestion(function, arguments, count)));
}

int32_t broadloomShapesOfText(BroadloomCompiler *compiler, const char *text,
                              size_t size, const char *name,
                              const char *function,
                              const char *const *arguments, int32_t count) {
  return keepShapes(compiler, begin(compiler).queryShapes(
                                  Source::text(given(text, size), given(name)),
                                  makeQuestion(function, arguments, count)));
}

int32_t broadloomShapesNumResults(const BroadloomCompiler *compiler) {
  return compiler->shapes
             ? static_cast<int32_t>(compiler->shapes->answers.size())
             : 0;
}

const BroadloomShapeAnswer *
broadloomShapesResult(const BroadloomCompiler *compiler, int32_t index) {
  return index >= 0 && index < broadloomShapesNumResults(compiler)
             ? &compiler->shapes->answers[static_cast<size_t>(index)]
             : nullptr;
}

const char *broadloomShapesOnlyTypes(const BroadloomCompiler *compiler) {
  return compiler->shapes ? compiler->shapes->result.whyOnlyTypes.c_str() : "";
}

const char *broadloomShapesMayFail(const BroadloomCompiler *compiler) {
  return compiler->shapes ? compiler->shapes->result.whyOpen.c_str() : "";
}

const BroadloomError *broadloomShapesError(const BroadloomCompiler *compiler) {
  static const OwnedError none;
  return compiler->shapes ? &compiler->shapes->error.error : &none.error;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

void broadloomModuleDestroy(BroadloomModule *module) { delete module; }

void broadloomModuleForgetConstants(const BroadloomModule *module) {
  module->module->forgetConstants();
}

const char *broadloomModuleSave(BroadloomModule *module, const char *name,
                                size_t *size) {
  module->saved = module->module->save(given(name));
  *size = module->saved.size();
  return module->saved.empty() ? nullptr : module->saved.c_str();
}

int32_t broadloomModuleSaveTo(BroadloomModule *module, const char *name,
                              int32_t (*write)(void *, const char *, size_t),
                              void *context) {
  return module->module->save(given(name), [&](std::string_view piece) {
    return write(context, piece.data(), piece.size()) == 0;
  });
}

int32_t broadloomModuleNumFunctions(const BroadloomModule *module) {
  return static_cast<int32_t>(module->functions.infos.size());
}

const BroadloomFunctionInfo *
broadloomModuleFunction(const BroadloomModule *module, int32_t index) {
  return index >= 0 && index < broadloomModuleNumFunctions(module)
             ? &module->functions.infos[static_cast<size_t>(index)]
             : nullptr;
}

const BroadloomFunctionInfo *
broadloomModuleFindFunction(const BroadloomModule *module, const char *name) {
  const FunctionSignature *found = module->module->function(given(name));
  return found ? broadloomModuleFunction(
                     module, static_cast<int32_t>(
                                 found - module->module->functions().data()))
               : nullptr;
}
