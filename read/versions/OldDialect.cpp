//===- OldDialect.cpp - operations of any version of TOSA -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldDialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace broadloom::read;

MLIR_DEFINE_EXPLICIT_TYPE_ID(broadloom::read::OldDialect)

OldDialect::OldDialect(MLIRContext *context)
    : Dialect(kNamespace, context, TypeID::get<OldDialect>()) {
  allowUnknownOperations();
}

/// One `name = value`; some values are keywords: `nan_mode = IGNORE`.
static ParseResult parseAttribute(OpAsmParser &parser, NamedAttrList &list) {
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return failure();
  Attribute value = parser.getBuilder().getUnitAttr();
  if (succeeded(parser.parseOptionalEqual())) {
    bool isEnumeration = llvm::is_contained(
        {"nan_mode", "mode", "rounding_mode", "block_size"}, StringRef(name));
    StringRef word;
    if (isEnumeration && succeeded(parser.parseOptionalKeyword(&word)))
      value = parser.getBuilder().getStringAttr(word);
    else if (parser.parseAttribute(value))
      return failure();
  }
  list.append(name, value);
  return success();
}

/// `<{...}>` and `{...}`, each of which may be absent.
static ParseResult parseAttributes(OpAsmParser &parser, NamedAttrList &list) {
  auto parseOne = [&] { return parseAttribute(parser, list); };
  using Delimiter = OpAsmParser::Delimiter;
  if (succeeded(parser.parseOptionalLess()) &&
      (parser.parseCommaSeparatedList(Delimiter::Braces, parseOne) ||
       parser.parseGreater()))
    return failure();
  return parser.parseCommaSeparatedList(Delimiter::OptionalBraces, parseOne);
}

/// `%a, %b {attributes} : (types) -> types`.
static ParseResult parseOperation(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parseAttributes(parser, result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  return success();
}

/// `%condition -> (types) {...} else {...}`.
static ParseResult parseIf(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  Type type = RankedTensorType::get({}, parser.getBuilder().getI1Type());
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, type, result.operands) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  Region *otherwise = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("else")) &&
      parser.parseRegion(*otherwise))
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}

/// `@name : type`.
static ParseResult parseRead(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  Type type;
  if (parser.parseSymbolName(name, "name", result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return success();
}

/// `@name, %value : type`.
static ParseResult parseWrite(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  OpAsmParser::UnresolvedOperand value;
  Type type;
  return failure(parser.parseSymbolName(name, "name", result.attributes) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 parser.parseComma() || parser.parseOperand(value) ||
                 parser.parseColonType(type) ||
                 parser.resolveOperand(value, type, result.operands));
}

std::optional<Dialect::ParseOpHook>
OldDialect::getParseOperationHook(StringRef name) const {
  name.consume_front((kNamespace + ".").str());
  if (name == "cond_if")
    return ParseOpHook(parseIf);
  if (name == "variable.read")
    return ParseOpHook(parseRead);
  if (name == "variable.write")
    return ParseOpHook(parseWrite);
  return ParseOpHook(parseOperation);
}
