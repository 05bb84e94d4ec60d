//===- Parse.cpp - from the contents of a source to a module --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/NameValues.h"
#include "driver/sources/KnownEffects.h"
#include "driver/sources/OwnMarks.h"
#include "driver/sources/ProbeBytecode.h"
#include "driver/steps/Steps.h"
#include "driver/steps/UnknownDialects.h"
#include "infer/functions/Library.h"

using namespace mlir;
using namespace broadloom;

static OwningOpRef<ModuleOp> readProgram(Session &session) {
  CurrentWork work("reading the program");
  auto constants =
      llvm::map_to_vector(session.constants, [](const SharedBytes &constant) {
        return constant.bytes;
      });
  return readBesideUnknown(session.context.get(), [&] {
    OwningOpRef<ModuleOp> module = read::readProgram(
        session.sources, session.context.get(), session.form,
        {session.options.fillElided, session.options.verbose, constants});
    if (module)
      dropOwnMarks(*module);
    return module;
  });
}

/// Whether another process can read the bytecode; adds its errors if not.
static bool probe(Session &session) {
  std::string &text = session.diagnostics.text, report;
  if (probeBytecode(session.getBuffer(), session.options.shapeLibraries, report,
                    [&](std::string &reported) {
                      size_t before = text.size();
                      OwningOpRef<ModuleOp> module = readProgram(session);
                      reported = text.substr(before);
                      return bool(module);
                    }))
    return true;
  text += report;
  return false;
}

/// parse(), without names of arguments and the time.
static OwningOpRef<ModuleOp> parseUnnamed(Session &session) {
  if (failed(session.libraries->getUsers(session.context.get())))
    return nullptr;
  llvm::StringRef name = session.getBuffer().getBufferIdentifier();
  std::string &text = session.diagnostics.text;
  if (*session.mistake) {
    text += (name + ": error: " + session.mistake + "\n").str();
    return nullptr;
  }
  if (session.form == read::ProgramForm::Bytecode &&
      !session.options.trustBytecode && !probe(session))
    return nullptr;
  OwningOpRef<ModuleOp> module = readProgram(session);
  const SourceForm *named = findSourceFormOfName(name);
  // A file that begins as its ending says has an error of another kind.
  if (!module && named && session.form == read::ProgramForm::Text)
    text += (name +
             ": note: it is read as MLIR text, since it does not begin "
             "as " +
             named->article + " does\n")
                .str();
  return module;
}

OwningOpRef<ModuleOp> steps::parse(Session &session) {
  OwningOpRef<ModuleOp> module = parseWhole(session);
  if (module)
    leaveOutUnknown(*module, session.options.verbose);
  return module;
}

OwningOpRef<ModuleOp> steps::parseWhole(Session &session) {
  OwningOpRef<ModuleOp> module = parseUnnamed(session);
  if (module) {
    nameValues(*module, session.getBuffer());
    if (failed(declareEffects(*module, session.options.effects)))
      module = nullptr;
  }
  session.watch.stage("parse");
  return module;
}
