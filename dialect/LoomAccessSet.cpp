//===- LoomAccessSet.cpp - sets of elements of an argument ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "poly/Relation.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

/// The number of an argument.
static ParseResult parseArgument(AsmParser &parser, unsigned &argument) {
  SMLoc place = parser.getCurrentLocation();
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  argument = unsigned(number);
  return int64_t(argument) == number
             ? ParseResult(success())
             : parser.emitError(place, "argument ")
                   << number << (number < 0 ? " is negative" : " is too large");
}

/// A number, or `dim(number, axis)`.
static ParseResult parseScalar(AsmParser &parser, ScalarReference &scalar) {
  if (failed(parser.parseOptionalKeyword("dim")))
    return parseArgument(parser, scalar.argument);
  if (parser.parseLParen() || parseArgument(parser, scalar.argument) ||
      parser.parseComma())
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseInteger(scalar.axis) || parser.parseRParen())
    return failure();
  return scalar.isExtent() ? ParseResult(success())
                           : parser.emitError(place, "axis ")
                                 << scalar.axis << " is negative";
}

Attribute AccessSetAttr::parse(AsmParser &parser, Type) {
  unsigned argument;
  RelationAttr relation;
  SmallVector<ScalarReference> scalars;
  if (parser.parseLess() || parseArgument(parser, argument) ||
      parser.parseComma())
    return {};
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseAttribute(relation))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseScalar(parser, scalars.emplace_back());
      }))
    return {};
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(place); };
  if (failed(verify(emitError, argument, relation, scalars)))
    return {};
  return get(parser.getContext(), argument, relation, scalars);
}

void AccessSetAttr::print(AsmPrinter &printer) const {
  printer << "<" << getArgument() << ", " << getRelation();
  if (!getScalars().empty()) {
    printer << ", [";
    llvm::interleaveComma(getScalars(), printer, [&](ScalarReference scalar) {
      if (scalar.isExtent())
        printer << "dim(" << scalar.argument << ", " << scalar.axis << ")";
      else
        printer << scalar.argument;
    });
    printer << "]";
  }
  printer << ">";
}

LogicalResult
AccessSetAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      unsigned argument, RelationAttr relation,
                      ArrayRef<ScalarReference> scalars) {
  poly::Signature names = relation.getRelation().getSignature();
  size_t expected = names.inputs.size() + names.symbols.size();
  if (scalars.size() == expected)
    return success();
  return emitError() << "the relation has " << names.inputs.size()
                     << " inputs and " << names.symbols.size()
                     << " symbols, but there are " << scalars.size()
                     << " scalars; name one for each, such as [0, dim(1, 0)]";
}
