//===- ConverterTexts.cpp - custom operations of converters ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ConverterTexts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The texts of shapes/tflite/, from the build.
#define BROADLOOM_TEXT(NAME) extern const char *const broadloomTflite##NAME;
#include "infer/functions/ConverterTexts.inc"
#undef BROADLOOM_TEXT

LogicalResult infer::loadConverterText(ShapeLibrary &library,
                                       StringRef operation) {
  constexpr StringLiteral domain = "tosa.custom:TFL:";
  if (!operation.consume_front(domain))
    return success();
  const char *text = nullptr;
#define BROADLOOM_TEXT(NAME)                                                   \
  if (operation == #NAME)                                                      \
    text = broadloomTflite##NAME;
#include "infer/functions/ConverterTexts.inc"
#undef BROADLOOM_TEXT
  if (!text || library.speaksOf((domain + operation).str()))
    return success();
  return library.loadOwn(text, ("shapes/tflite/" + operation + ".mlir").str());
}
