//===- LibraryFuzzer.cpp - texts of shape functions -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Library.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace broadloom;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A library may define dialects, which stay with the context.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  bool told = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    told |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  infer::ShapeLibrary library(&context);
  bool good = succeeded(library.load(
      StringRef(reinterpret_cast<const char *>(data), size), "library.mlir"));
  // Whatever is wrong is said (abi-3).
  if (!good && !told)
    std::abort();
  return 0;
}
