//===- TosaFuzzer.cpp - TOSA files ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/ReadFile.h"
#include "read/structure/CheckStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace mlir;
using namespace broadloom;

/// Where a FlatBuffer has its identifier.
static constexpr size_t kIdentifierAt = 4;

/// What a file holds becomes a program of sound structure, or an error says
/// why not (abi-3). Every input has the identifier of a TOSA file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  bytes.resize(std::max(size, kIdentifierAt + 4));
  std::memcpy(&bytes[kIdentifierAt], "TOSA", 4);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, tosa::TosaDialect>();
  bool told = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    told |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(bytes, "file.tosa"), {});
  OwningOpRef<ModuleOp> module = read::readTosaFile(sources, &context);
  bool good = module && succeeded(read::checkStructure(*module));
  if (!good && !told)
    std::abort();
  return 0;
}
