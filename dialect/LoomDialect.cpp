//===- LoomDialect.cpp - the loom dialect: types and small operations -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/LoomBoundary.h"
#include "dialect/LoomSetTensor.h"
#include "dialect/LoomShapeOps.h"
#include "dialect/RelationTexts.h"
#include "shape/FunctionProgram.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom::loom;

#include "dialect/LoomDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/LoomTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/LoomOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/LoomBoundary.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/LoomSetTensor.cpp.inc"

void LoomDialect::initialize() {
  registerAttributes();
  addInterfaces<RelationTexts>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/LoomTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/LoomOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/LoomBoundary.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/LoomSetTensor.cpp.inc"
      >();
  attachSetEncoding(getContext());
  addOperations<
#define GET_OP_LIST
#include "dialect/LoomShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// !loom.shape
//===----------------------------------------------------------------------===//

Type ShapeType::parse(AsmParser &parser) {
  SmallVector<int64_t> extents;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalStar())) {
    if (parser.parseGreater())
      return {};
    return get(parser.getContext(), /*ranked=*/false, extents);
  }
  auto parseExtent = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      extents.push_back(ShapedType::kDynamic);
      return success();
    }
    int64_t extent;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(extent))
      return failure();
    if (extent < 0)
      return parser.emitError(loc, "extent ") << extent << " is negative";
    extents.push_back(extent);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseExtent) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), /*ranked=*/true, extents);
}

void ShapeType::print(AsmPrinter &printer) const {
  if (!getRanked()) {
    printer << "<*>";
    return;
  }
  printer << "<[";
  llvm::interleaveComma(getExtents(), printer, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
  });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// loom.shape_of
//===----------------------------------------------------------------------===//

LogicalResult ShapeOfOp::verify() {
  auto shaped = dyn_cast<ShapedType>(getTensor().getType());
  if (!shaped)
    return emitOpError("operand of type ")
           << getTensor().getType() << " has no shape";
  ShapeType expected = ShapeType::get(getContext(), shaped);
  auto type = cast<ShapeType>(getShape().getType());
  // The buffer that replaces a tensor may have more or fewer dynamic extents.
  bool fits =
      isa<MemRefType>(shaped) && type.getRanked() &&
      type.getRank() == expected.getRank() &&
      llvm::all_of(llvm::zip_equal(type.getExtents(), expected.getExtents()),
                   [](auto pair) {
                     auto [said, known] = pair;
                     return ShapedType::isDynamic(said) ||
                            ShapedType::isDynamic(known) || said == known;
                   });
  if (type != expected && !fits)
    return emitOpError("result type ")
           << getShape().getType() << " is not the shape of "
           << getTensor().getType() << ", which is " << expected;
  return success();
}

LogicalResult RequireBroadcastOp::verify() {
  if (ArrayAttr owners = getOwnersAttr();
      owners && owners.size() != getShapes().size())
    return emitOpError("has ") << getShapes().size() << " shapes but says of "
                               << owners.size() << " whose they are";
  return success();
}

LogicalResult RequireFunctionOp::verify() {
  for (Type type : getInputs().getTypes())
    if (!isa<ShapeType, ShapedType>(type))
      return emitOpError("input of type ")
             << type << "; it takes shapes and tensors";
  if (std::optional<std::string> error = broadloom::verifyFunction(
          getProgram().vec(), getTexts().size(), getInputs().size()))
    return emitOpError("runs a program that cannot be evaluated: ") << *error;
  return success();
}

LogicalResult FromExtentsOp::verify() {
  auto type = cast<ShapeType>(getShape().getType());
  if (type.getRanked() &&
      type.getRank() != static_cast<int64_t>(getExtents().size()))
    return emitOpError("has ")
           << getExtents().size() << " extents but gives " << type;
  return success();
}

/// Extents, and ranks that depend on unranked operands, are constraints and not
/// verified here.
LogicalResult BroadcastOp::verify() {
  auto type = cast<ShapeType>(getShape().getType());
  if (!type.getRanked())
    return success();
  int64_t rank = 0;
  for (Value shape : getShapes()) {
    auto operand = cast<ShapeType>(shape.getType());
    if (!operand.getRanked())
      return success();
    rank = std::max(rank, operand.getRank());
  }
  if (type.getRank() != rank)
    return emitOpError("gives ")
           << type << ", but the operands broadcast to rank " << rank;
  return success();
}

LogicalResult AnyOp::verify() {
  auto type = dyn_cast<TensorType>(getFlags().getType());
  if (type && !type.getElementType().isInteger(1))
    return emitOpError("takes elements of i1, not of ")
           << type.getElementType();
  return success();
}
