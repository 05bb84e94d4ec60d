//===- ReadFile.cpp - TOSA files to modules -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/ReadFile.h"
#include "read/flatbuffers/GraphReader.h"
#include "read/versions/ImportTosa.h"
#include "read/versions/OldDialect.h"

#include "dialect/LocationText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

bool read::isTosaFile(StringRef contents) {
  return contents.size() >= 8 && contents.substr(4, 4) == kIdentifier;
}

OwningOpRef<ModuleOp>
read::readTosaFile(const std::shared_ptr<llvm::SourceMgr> &sources,
                   MLIRContext *context) {
  context
      ->loadDialect<func::FuncDialect, tosa::TosaDialect, read::OldDialect>();
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  SourceFile file{sources, buffer.getBuffer()};
  const GraphTable *graph = GraphTable::verify(file.contents);
  if (!graph) {
    emitError(makeNumberedLocation(UnknownLoc::get(context),
                                   buffer.getBufferIdentifier()))
        << "is no whole TOSA file: of its " << file.contents.size()
        << " bytes, some are wrong or are missing";
    return nullptr;
  }
  read::ReadText read;
  read.module =
      GraphReader(file, buffer.getBufferIdentifier(), context).read(*graph);
  if (!read.module || failed(read::bringToToday(read)))
    return nullptr;
  return std::move(read.module);
}
