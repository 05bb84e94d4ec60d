//===- LoomMap.cpp - loom.map: assembly, verification, shape reification --===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/BroadcastExtents.h"
#include "dialect/LoomAccess.h"
#include "dialect/LoomFusedReduction.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom::loom;

void MapOp::build(OpBuilder &, OperationState &state, TypeRange results,
                  ValueRange inputs) {
  state.addTypes(results);
  state.addOperands(inputs);
  state.addRegion();
}

SmallVector<Value> MapOp::getShapedInputs() {
  return llvm::to_vector(llvm::make_filter_range(
      getInputs(), [](Value v) { return isa<ShapedType>(v.getType()); }));
}

/// The type of the scalar that a map's body sees for an operand.
static Type getScalarType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getElementType() : type;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes, resultTypes;
  auto parseOperand = [&]() -> ParseResult {
    Type type;
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(type))
      return failure();
    operandTypes.push_back(type);
    arguments.back().type = getScalarType(type);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseOperand) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseArrowTypeList(resultTypes) ||
      parser.resolveOperands(operands, operandTypes,
                             parser.getCurrentLocation(), state.operands))
    return failure();
  state.addTypes(resultTypes);
  return parser.parseRegion(*state.addRegion(), arguments);
}

void MapOp::print(OpAsmPrinter &printer) {
  // A region that does not match its operands (before verification) is printed
  // without block arguments.
  Block *body = getBody().empty() ? nullptr : &getBody().front();
  bool matched = body && body->getNumArguments() == getNumOperands();
  printer << '(';
  llvm::interleaveComma(
      llvm::seq<unsigned>(0, getNumOperands()), printer, [&](unsigned i) {
        if (matched)
          printer.printRegionArgument(body->getArgument(i), {},
                                      /*omitType=*/true);
        printer << " = " << getOperand(i) << " : " << getOperand(i).getType();
      });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printArrowTypeList(getResultTypes());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult broadloom::loom::verifyScalarBody(Operation *op) {
  auto isShaped = [](Type type) { return isa<ShapedType>(type); };
  auto check = [&](Operation *inner) {
    if (inner == op)
      return WalkResult::advance();
    for (TypeRange types : {TypeRange(inner->getOperandTypes()),
                            TypeRange(inner->getResultTypes())})
      if (auto it = llvm::find_if(types, isShaped); it != types.end()) {
        inner->emitOpError("has ")
            << *it << " in the body of '" << op->getName()
            << "', which computes on scalars";
        return WalkResult::interrupt();
      }
    if (!inner->hasTrait<OpTrait::IsTerminator>() &&
        !isMemoryEffectFree(inner)) {
      inner->emitOpError("has effects, and cannot stand in the body of '")
          << op->getName() << "'";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  };
  return failure(op->walk(check).wasInterrupted());
}

LogicalResult MapOp::verifyRegions() {
  if (failed(verifyScalarBody(*this)))
    return failure();
  Block &body = getBodyBlock();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("has ")
           << getNumOperands() << " operands but its body has "
           << body.getNumArguments() << " arguments";
  for (auto [i, operand] : llvm::enumerate(getInputs())) {
    Type expected = getScalarType(operand.getType());
    if (body.getArgument(i).getType() != expected)
      return emitOpError("body argument ")
             << i << " has type " << body.getArgument(i).getType()
             << " but operand " << i << " gives " << expected;
  }
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return emitOpError("body ends in '")
           << body.getTerminator()->getName() << "', not in 'loom.yield'";
  if (yield.getNumOperands() != getNumResults())
    return emitOpError("has ") << getNumResults() << " results but yields "
                               << yield.getNumOperands() << " values";
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    Type expected = getScalarType(getResult(i).getType());
    if (value.getType() != expected)
      return emitOpError("yields ") << value.getType() << " for result " << i
                                    << ", whose element type is " << expected;
  }
  return success();
}

/// Checks that all results have one shape, as far as their types tell.
static LogicalResult verifyResultShapes(MapOp map) {
  Type first = map.getResult(0).getType();
  for (Type type : map.getResultTypes())
    if (failed(verifyCompatibleShape(first, type)))
      return map.emitOpError("results have types ")
             << first << " and " << type
             << "; all results of a map have one shape";
  return success();
}

LogicalResult MapOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("needs at least one result");
  for (Value input : getInputs())
    if (isa<ShapedType>(input.getType()) && !isa<TensorType>(input.getType()))
      return emitOpError("operand of type ")
             << input.getType() << " is neither a tensor nor a scalar";
  if (failed(verifyKinds(*this, getKinds(), getInputs())))
    return failure();
  return verifyResultShapes(*this);
}

//===----------------------------------------------------------------------===//
// Shape reification
//===----------------------------------------------------------------------===//

LogicalResult MapOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &reified) {
  SmallVector<Value> inputs = getShapedInputs();
  for (Value input : inputs)
    if (!isa<RankedTensorType>(input.getType()))
      return failure();
  auto resultType = dyn_cast<RankedTensorType>(getResult(0).getType());
  if (!resultType)
    return failure();

  SmallVector<OpFoldResult> extents;
  for (int64_t axis : llvm::seq<int64_t>(0, resultType.getRank()))
    if (resultType.isDynamicDim(axis))
      extents.push_back(reifyBroadcastExtent(builder, getLoc(), inputs,
                                             resultType.getRank(), axis));
    else
      extents.push_back(builder.getIndexAttr(resultType.getDimSize(axis)));
  reified.assign(getNumResults(), extents);
  return success();
}
