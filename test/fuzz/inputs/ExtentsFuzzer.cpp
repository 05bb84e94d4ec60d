//===- ExtentsFuzzer.cpp - the language of loom.extents -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<broadloom::loom::LoomDialect, func::FuncDialect>();
    return made;
  }();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  std::string text = "#loom.extents<" +
                     std::string(reinterpret_cast<const char *>(data), size) +
                     ">";
  Attribute attribute = parseAttribute(text, context);
  if (!isa_and_nonnull<broadloom::loom::ExtentsAttr>(attribute))
    return 0;
  // What is printed is read again as the same.
  std::string printed = print(attribute);
  if (parseAttribute(printed, context) != attribute)
    std::abort();
  // An attribute of arguments and results of many types.
  std::string at = "{loom.extents = " + printed + "}", program;
  for (StringRef type :
       {"tensor<*xf32>", "tensor<f32>", "tensor<?xf32>", "tensor<3xf32>",
        "tensor<?x?xf32>", "tensor<2x?xf32>", "tensor<?x4x?xf32>", "f32"})
    program += "func.func private @f" + std::to_string(program.size()) + "(" +
               type.str() + " " + at + ", " + type.str() + ") -> (" +
               type.str() + " " + at + ")\n";
  ParserConfig config(context);
  (void)parseSourceString<ModuleOp>(program, config);
  return 0;
}
