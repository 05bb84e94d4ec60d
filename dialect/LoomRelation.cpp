//===- LoomRelation.cpp - affine relations --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "poly/RelationText.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

/// The text is a string, since MLIR takes a comparison for an angle bracket.
Attribute RelationAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  const char *quote = parser.getCurrentLocation().getPointer();
  std::string text;
  if (parser.parseString(&text))
    return {};
  poly::ParsedRelation parsed = poly::parseRelation(text);
  if (parsed.error) {
    // The grammar has no character that a string escapes.
    const char *place = quote + 1 + (parsed.error->place - text.c_str());
    parser.emitError(SMLoc::getFromPointer(place), parsed.error->message);
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *parsed.relation);
}

void RelationAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getText() << "\">";
}

RelationAttr RelationAttr::get(MLIRContext *context,
                               const poly::Relation &relation) {
  return get(context, StringRef(poly::print(relation)));
}

LogicalResult
RelationAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     StringRef text) {
  poly::ParsedRelation parsed = poly::parseRelation(text.str());
  if (parsed.error)
    return emitError() << parsed.error->message << " in relation " << text;
  return success();
}

poly::Relation RelationAttr::getRelation() const {
  return *poly::parseRelation(getText().str()).relation;
}
