//===- LoomRelation.cpp - affine relations --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/RelationTexts.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

const RelationTexts::Parsed *
RelationTexts::parse(const std::string &text,
                     std::optional<poly::TextError> &error) const {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = known.find(text); found != known.end())
      return &found->second;
  }
  poly::ParsedRelation parsed = poly::parseRelation(text);
  error = std::move(parsed.error);
  if (error)
    return nullptr;
  Parsed relation{std::move(*parsed.relation), ""};
  relation.text = poly::print(relation.relation);
  std::lock_guard<std::mutex> lock(mutex);
  return &known.try_emplace(text, std::move(relation)).first->second;
}

static const RelationTexts &getTexts(MLIRContext *context) {
  return *context->getLoadedDialect<LoomDialect>()
              ->getRegisteredInterface<RelationTexts>();
}

/// The text is a string, since MLIR takes a comparison for an angle bracket.
Attribute RelationAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  const char *quote = parser.getCurrentLocation().getPointer();
  std::string text;
  if (parser.parseString(&text))
    return {};
  std::optional<poly::TextError> error;
  const auto *parsed = getTexts(parser.getContext()).parse(text, error);
  if (error) {
    // The grammar has no character that a string escapes.
    const char *place = quote + 1 + (error->place - text.c_str());
    parser.emitError(SMLoc::getFromPointer(place), error->message);
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), StringRef(parsed->text));
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
  // The text has been verified.
  std::optional<poly::TextError> error;
  return getTexts(getContext()).parse(getText().str(), error)->relation;
}
