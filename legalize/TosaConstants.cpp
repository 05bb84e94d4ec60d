//===- TosaConstants.cpp - constants at legalization ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/TosaConstants.h"

#include "dialect/BroadcastableOpInterface.h"
#include "dialect/ElementBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static StringRef getValueName(Operation *op) {
  if (isa<memref::GlobalOp>(op))
    return "initial_value";
  return isa<tosa::ConstOp>(op) ? "values" : "value";
}

static Attribute getValue(Operation *op) {
  return op->getAttr(getValueName(op));
}

/// Bytes of one element in a resource; 0 if not known.
static uint64_t getElementBytes(Type type) {
  if (type.isIndex())
    return sizeof(uint64_t);
  return type.isIntOrFloat()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u)
             : 0;
}

bool legalize::wasLeftOut(Operation *op) {
  auto value = isa<tosa::ConstOp, arith::ConstantOp, memref::GlobalOp>(op)
                   ? dyn_cast_or_null<DenseResourceElementsAttr>(getValue(op))
                   : DenseResourceElementsAttr();
  return value && isElided(value) && !value.getRawHandle().getBlob();
}

LogicalResult legalize::reportLeftOut(Operation *op, size_t count) {
  InFlightDiagnostic error = op->emitOpError("refers to the resource '")
                             << kElided << "', whose data is not in the file";
  if (count > 1)
    error << ", like that of " << count - 1
          << (count == 2 ? " other constant" : " other constants");
  return error << "; it was left out when the program was printed, so print "
                  "it in full, or let --fill-elided make up values";
}

/// Checks that a resource exists and has the right size.
static LogicalResult checkResource(Operation *op,
                                   DenseResourceElementsAttr value) {
  const AsmResourceBlob *blob = value.getRawHandle().getBlob();
  StringRef key = value.getRawHandle().getKey();
  ShapedType type = value.getType();
  if (!blob)
    return op->emitOpError("refers to the resource '")
           << key << "', whose data is not in the file";
  uint64_t bytes = getElementBytes(type.getElementType());
  uint64_t actual = blob->getData().size();
  bool overflows = false;
  for (int64_t extent : type.getShape()) {
    bool wraps = false;
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(extent), &wraps);
    overflows |= wraps;
  }
  if (overflows || bytes != actual)
    return op->emitOpError("refers to the resource '")
           << key << "', which has " << actual << " bytes, but " << type
           << " needs "
           << (overflows ? std::string("more than 2^64")
                         : std::to_string(bytes));
  return success();
}

/// The resource as a dense value, or null if its bytes have another form.
static Attribute makeDense(DenseResourceElementsAttr resource) {
  ShapedType type = resource.getType();
  ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
  // One byte of a resource, one bit of a dense value.
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(
        type, llvm::map_to_vector(data, [](char byte) { return byte != 0; }));
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, data, isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

/// The rules of `tosa.const`. Upstream's verifier has the same ones, but also
/// rejects extents of 0 (ext-3).
static LogicalResult checkTosaConstant(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<IntegerType, FloatType, IndexType>(type.getElementType()))
    return op->emitOpError("result has type ")
           << op->getResult(0).getType()
           << ", expected a ranked tensor of numbers";
  auto value = cast<ElementsAttr>(getValue(op));
  if (value.getShapedType() != type)
    return op->emitOpError("has a value of type ")
           << value.getShapedType() << " but a result of type " << type;
  return success();
}

LogicalResult legalize::checkConstant(Operation *op) {
  if (isa<tosa::ConstOp>(op) && failed(checkTosaConstant(op)))
    return failure();
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(getValue(op));
  if (!resource)
    return success();
  if (failed(checkResource(op, resource)))
    return failure();
  // Constants of i1 and of index must be dense for LLVM.
  Type element = resource.getType().getElementType();
  if (resource.getType().getNumElements() == 1 || element.isInteger(1) ||
      element.isIndex())
    if (Attribute dense = makeDense(resource))
      op->setAttr(getValueName(op), dense);
  return success();
}

Operation *legalize::convertTosaConstant(Operation *op) {
  OpBuilder builder(op);
  auto constant = arith::ConstantOp::create(builder, op->getLoc(),
                                            cast<TypedAttr>(getValue(op)));
  op->getResult(0).replaceAllUsesWith(constant);
  op->erase();
  return constant;
}

TypedAttr legalize::getSplatScalar(Value value) {
  Operation *producer = value.getDefiningOp();
  if (!isa_and_nonnull<tosa::ConstOp, arith::ConstantOp>(producer))
    return {};
  auto elements = dyn_cast_or_null<DenseElementsAttr>(getValue(producer));
  if (!elements || elements.empty() || !elements.isSplat() ||
      !isa<FloatType, IntegerType, IndexType>(elements.getElementType()))
    return {};
  Type type = getScalarType(elements.getElementType());
  if (isa<FloatType>(type))
    return FloatAttr::get(type, elements.getSplatValue<APFloat>());
  return IntegerAttr::get(type, elements.getSplatValue<APInt>());
}
