//===- Libraries.cpp - texts that are shape libraries ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/DeriveShapes.h"
#include "driver/steps/Steps.h"
#include "infer/functions/Library.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

/// Loads into `library` the one for TOSA, those of the options, and the current
/// program, which is a shape library too.
static LogicalResult loadWithOthers(Session &session,
                                    infer::ShapeLibrary &library) {
  auto load = [&](const std::string &file) {
    return succeeded(library.loadFile(file));
  };
  const llvm::MemoryBuffer &source = session.getBuffer();
  return success(succeeded(library.loadTosa()) &&
                 llvm::all_of(session.options.shapeLibraries, load) &&
                 succeeded(library.load(source.getBuffer(),
                                        source.getBufferIdentifier())));
}

bool steps::checkLibrary(Session &session) {
  infer::ShapeLibrary library(session.context.get());
  return succeeded(loadWithOthers(session, library));
}

bool steps::deriveLibrary(Session &session, std::string &output) {
  auto library = std::make_shared<infer::ShapeLibrary>(session.context.get());
  if (failed(loadWithOthers(session, *library)))
    return false;
  session.watch.stage("parse");
  OwningOpRef<ModuleOp> module = takeReferences(*library);
  Pipeline pipeline = session.getPipeline(Goal::ShapeLibrary);
  pipeline.options.libraries =
      std::make_shared<infer::ShapeLibraries>(infer::SharedLibrary(library));
  if (!session.runStages(*module, pipeline))
    return false;
  OwningOpRef<ModuleOp> made = writeShapeLibrary(*module);
  if (!made)
    return false;
  llvm::raw_string_ostream(output) << *made << '\n';
  // Checks that the printed library can be loaded.
  infer::ShapeLibrary check(session.context.get());
  return succeeded(check.loadTosa()) &&
         succeeded(check.load(output, "derived shape functions"));
}
