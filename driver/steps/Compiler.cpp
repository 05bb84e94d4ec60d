//===- Compiler.cpp - the C++ interface over the steps --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"

#include "driver/Version.h"
#include "driver/steps/Steps.h"

using namespace broadloom;

const char *broadloom::version() { return BROADLOOM_VERSION; }

Compiler::Compiler(CompileOptions options)
    : session(std::make_unique<Session>(options)) {}
Compiler::~Compiler() = default;

const std::string &Compiler::diagnostics() const {
  return session->diagnostics.text;
}
const std::vector<ProgramDiagnostic> &Compiler::diagnosticList() const {
  // Errors from before the program is parsed have no location and exist only as
  // text.
  Diagnostics &diagnostics = session->diagnostics;
  if (diagnostics.list.empty() && !diagnostics.text.empty())
    diagnostics.list = readDiagnostics(diagnostics.text);
  return diagnostics.list;
}
int32_t Compiler::status() const { return session->status; }
void Compiler::cancel() { session->cancelled->store(true); }

std::unique_ptr<CompiledModule> Compiler::compile(const Source &source) {
  // Code of a saved program has no sites for a profile, and no schedule.
  bool isAnew = session->options.profile || !session->options.schedule.empty();
  auto compiled = session->run(
      source, [&] { return steps::compile(*session); },
      isAnew ? Session::Saved::Opened : Session::Saved::Kept);
  return compiled ? std::make_unique<CompiledModule>(std::move(compiled))
                  : nullptr;
}

std::optional<ShapeQueryResult>
Compiler::queryShapes(const Source &source, const ShapeQueryArguments &question,
                      std::vector<FunctionSignature> *functions) {
  std::vector<FunctionSignature> none;
  return session->run(source, [&] {
    return steps::queryShapes(*session, question,
                              functions ? *functions : none);
  });
}

bool Compiler::emit(const Source &source, Emit form, std::string &output) {
  return session->run(source,
                      [&] { return steps::emit(*session, form, output); });
}

bool Compiler::check(const Source &source, CheckedProgram &program,
                     const std::string &function) {
  bool isProgram = false;
  (void)session->run(source, [&] {
    isProgram = steps::check(*session, program, function) &&
                session->requireUnchanged();
    return isProgram && program.isAccepted;
  });
  return isProgram;
}

bool Compiler::checkLibrary(const Source &source) {
  return session->run(source, [&] { return steps::checkLibrary(*session); });
}

bool Compiler::inspect(const Source &source, InspectedFile &file) {
  return session->run(source, [&] { return steps::inspect(*session, file); });
}

std::optional<WorkCount>
Compiler::countWork(const Source &source, const std::string &function,
                    const std::vector<const BroadloomTensor *> &inputs) {
  return session->run(
      source, [&] { return steps::countWork(*session, function, inputs); });
}

std::string
Compiler::reduce(const Source &source,
                 const std::function<bool(const std::string &)> &fails) {
  return session->run(source, [&] { return steps::reduce(*session, fails); })
      .value_or("");
}
