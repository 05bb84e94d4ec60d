//===- LoomShapeOps.cpp - operations of shape functions -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomShapeOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace broadloom::loom;

RankedTensorType broadloom::loom::getOperandListType(MLIRContext *context) {
  return RankedTensorType::get({ShapedType::kDynamic},
                               shape::ValueShapeType::get(context));
}

bool broadloom::loom::isOperandList(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 1 &&
         isa<shape::ValueShapeType>(tensor.getElementType());
}

#define GET_OP_CLASSES
#include "dialect/LoomShapeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// loom.extents
//===----------------------------------------------------------------------===//

ParseResult ExtentsOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  StringAttr message;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(operand) || parser.parseComma() ||
      parser.parseAttribute(message, getMessageAttrName(result.name),
                            result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperand(operand, builder.getType<shape::ValueShapeType>(),
                            result.operands))
    return failure();
  // The number of result names is the number of results.
  for (size_t i = 0, e = parser.getNumResults(); i < e; ++i)
    result.addTypes(builder.getIndexType());
  return success();
}

void ExtentsOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOperand() << ", " << getMessageAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getMessageAttrName()});
}

//===----------------------------------------------------------------------===//
// loom.attribute
//===----------------------------------------------------------------------===//

LogicalResult AttributeOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("has no result, so it reads nothing");
  auto isExtentTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 1 && tensor.getElementType().isIndex();
  };
  for (Type type : getResultTypes()) {
    if (getNumResults() > 1 && !type.isIndex())
      return emitOpError("has several results, so each must be of type index, "
                         "but one is of type ")
             << type;
    if (!type.isIndex() && !type.isInteger(1) && !isExtentTensor(type) &&
        !isa<ElementTypeType, EncodingType, shape::ValueShapeType>(type))
      return emitOpError("cannot read an attribute as ")
             << type
             << "; use index, i1, tensor<?xindex>, !loom.element_type, "
                "!loom.encoding or !shape.value_shape";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// loom.constraint
//===----------------------------------------------------------------------===//

static bool areAllIndex(TypeRange types) {
  return llvm::all_of(types, [](Type type) { return type.isIndex(); });
}

ParseResult ConstraintOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  StringAttr message;
  SmallVector<OpAsmParser::UnresolvedOperand> values;
  SmallVector<Type> types;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(condition) || parser.parseComma() ||
      parser.parseAttribute(message, getMessageAttrName(result.name),
                            result.attributes) ||
      parser.parseOperandList(values, OpAsmParser::Delimiter::OptionalParen) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseTypeList(types))
      return failure();
  } else {
    types.assign(values.size(), builder.getIndexType());
  }
  return failure(
      parser.resolveOperand(condition, builder.getI1Type(), result.operands) ||
      parser.resolveOperands(values, types, loc, result.operands));
}

void ConstraintOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition() << ", " << getMessageAttr();
  if (!getValues().empty())
    printer << '(' << getValues() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getMessageAttrName()});
  if (!areAllIndex(getValues().getTypes()))
    printer << " : " << getValues().getTypes();
}

/// The number in `{12}` at the start of the text, or nothing.
static std::optional<uint64_t> getPlaceholder(StringRef text) {
  uint64_t number;
  if (!text.consume_front("{") || text.consumeInteger(10, number) ||
      !text.starts_with("}"))
    return std::nullopt;
  return number;
}

LogicalResult ConstraintOp::verify() {
  StringRef text = getMessage();
  if (text.empty())
    return emitOpError("has no message; say what the user did wrong");
  SmallVector<bool> isUsed(getValues().size(), false);
  for (; !text.empty(); text = text.drop_front()) {
    // {{ is a brace.
    if (text.consume_front("{{"))
      continue;
    std::optional<uint64_t> number = getPlaceholder(text);
    if (!number)
      continue;
    if (*number >= isUsed.size())
      return emitOpError("message has {")
             << *number << "} but there are " << isUsed.size() << " values";
    isUsed[*number] = true;
  }
  for (auto [number, used] : llvm::enumerate(isUsed))
    if (!used)
      return emitOpError("value ")
             << number << " is not in the message; write {" << number
             << "} where it belongs";
  return success();
}

//===----------------------------------------------------------------------===//
// loom.apply
//===----------------------------------------------------------------------===//

ParseResult ApplyOp::parse(OpAsmParser &parser, OperationState &result) {
  SymbolRefAttr callee;
  SmallVector<OpAsmParser::UnresolvedOperand> arguments;
  Builder &builder = parser.getBuilder();
  if (parser.parseAttribute(callee, getCalleeAttrName(result.name),
                            result.attributes) ||
      parser.parseOperandList(arguments, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  FunctionType type;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseType(type))
      return failure();
  } else {
    SmallVector<Type> inputs(arguments.size(), builder.getIndexType());
    type = builder.getFunctionType(inputs, builder.getIndexType());
  }
  result.addTypes(type.getResults());
  return parser.resolveOperands(arguments, type.getInputs(), loc,
                                result.operands);
}

void ApplyOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCalleeAttr() << '(' << getArguments() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getCalleeAttrName()});
  if (!areAllIndex(getArguments().getTypes()) || getNumResults() != 1 ||
      !areAllIndex(getResultTypes()))
    printer << " : "
            << FunctionType::get(getContext(), getArguments().getTypes(),
                                 getResultTypes());
}
