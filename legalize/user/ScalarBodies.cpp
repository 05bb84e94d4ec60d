//===- ScalarBodies.cpp - references that compute one element -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/user/ScalarBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

/// The element that `extract` reads of a constant; null if the tensor or an
/// index is none, or the index is outside.
static TypedAttr readElement(tensor::ExtractOp extract) {
  DenseElementsAttr elements;
  if (!matchPattern(extract.getTensor(), m_Constant(&elements)))
    return {};
  SmallVector<uint64_t> indices;
  for (auto [axis, value] : llvm::enumerate(extract.getIndices())) {
    APInt index;
    if (!matchPattern(value, m_ConstantInt(&index)) ||
        index.uge(elements.getType().getDimSize(axis)))
      return {};
    indices.push_back(index.getZExtValue());
  }
  return cast<TypedAttr>(elements.getValues<Attribute>()[indices]);
}

LogicalResult legalize::readConstantTensors(Block &body, Operation *op,
                                            Location reference) {
  body.walk([](tensor::ExtractOp extract) {
    if (TypedAttr element = readElement(extract)) {
      OpBuilder builder(extract);
      extract.replaceAllUsesWith(
          arith::ConstantOp::create(builder, extract.getLoc(), element)
              .getResult());
      extract.erase();
    }
  });
  bool isRead = false;
  body.walk([&](Operation *constant) {
    if (!constant->hasTrait<mlir::OpTrait::ConstantLike>() ||
        !isa<TensorType>(constant->getResult(0).getType()))
      return;
    isRead |= !constant->use_empty();
    if (constant->use_empty())
      constant->erase();
  });
  if (!isRead)
    return success();
  InFlightDiagnostic error =
      op->emitError("has a reference implementation that computes one element, "
                    "and that reads a tensor of numbers in another way than by "
                    "indices that are constants inside it; write one whose "
                    "operands are tensors");
  error.attachNote(reference) << "this is its reference implementation";
  return error;
}
