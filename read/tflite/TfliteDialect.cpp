//===- TfliteDialect.cpp - what converters leave of TFLite ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/TfliteDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom::read;

#include "read/tflite/TfliteDialect.cpp.inc"
#include "read/tflite/TfliteEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "read/tflite/TfliteAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "read/tflite/TfliteOps.cpp.inc"

void TfliteDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "read/tflite/TfliteOps.cpp.inc"
      >();
}

void TfliteDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "read/tflite/TfliteAttributes.cpp.inc"
      >();
}

/// Whether the context allows unregistered dialects. Attributes and types that
/// this dialect lacks then belong to another `tfl`: a text that defines `tfl`
/// is first parsed in such a context.
static bool isOfAnother(MLIRContext *context) {
  return context->allowsUnregisteredDialects();
}

Attribute TfliteDialect::parseAttribute(DialectAsmParser &parser,
                                        Type type) const {
  StringRef name;
  SMLoc at = parser.getCurrentLocation();
  Attribute attribute;
  if (generatedAttributeParser(parser, &name, type, attribute).has_value())
    return attribute;
  if (isOfAnother(getContext()))
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  parser.emitError(at) << "the dialect '" << getNamespace()
                       << "' has no attribute '" << name << "'";
  return {};
}

void TfliteDialect::printAttribute(Attribute attribute,
                                   DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

Type TfliteDialect::parseType(DialectAsmParser &parser) const {
  if (isOfAnother(getContext()))
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec());
  parser.emitError(parser.getCurrentLocation())
      << "the dialect '" << getNamespace() << "' has no types";
  return {};
}
