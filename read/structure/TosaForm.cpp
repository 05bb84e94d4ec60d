//===- TosaForm.cpp - operands, results and ranks of TOSA -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/TosaForm.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

namespace {

/// A character for each operand and each result: its rank, `+` for any from 1
/// on, `*` for any, `s` for a shape.
struct Form {
  StringLiteral name, operands, results;
};

} // namespace

// By name.
static constexpr Form forms[] = {
    {"tosa.argmax", "+", "*"},
    {"tosa.avg_pool2d", "411", "4"},
    {"tosa.conv2d", "44111", "4"},
    {"tosa.conv3d", "55111", "5"},
    {"tosa.depthwise_conv2d", "44111", "4"},
    {"tosa.fft2d", "33", "33"},
    {"tosa.gather", "32", "3"},
    {"tosa.identity", "*", "*"},
    {"tosa.matmul", "3311", "3"},
    {"tosa.max_pool2d", "4", "4"},
    {"tosa.pad", "+s1", "+"},
    {"tosa.reduce_all", "+", "+"},
    {"tosa.reduce_any", "+", "+"},
    {"tosa.reduce_max", "+", "+"},
    {"tosa.reduce_min", "+", "+"},
    {"tosa.reduce_product", "+", "+"},
    {"tosa.reduce_sum", "+", "+"},
    {"tosa.rescale", "*1111", "*"},
    {"tosa.reshape", "*s", "*"},
    {"tosa.resize", "4sss", "4"},
    {"tosa.reverse", "+", "+"},
    {"tosa.rfft2d", "3", "33"},
    {"tosa.scatter", "323", "3"},
    {"tosa.slice", "+ss", "+"},
    {"tosa.table", "*1", "*"},
    {"tosa.tile", "+s", "+"},
    {"tosa.transpose", "+", "+"},
    {"tosa.transpose_conv2d", "44111", "4"},
};

static LogicalResult checkRank(Operation *op, StringRef what, unsigned index,
                               Type type, char form) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || form == '*' || form == 's')
    return success();
  int64_t rank = tensor.getRank();
  if (form == '+' ? rank >= 1 : rank == form - '0')
    return success();
  return op->emitOpError("has ")
         << what << " " << index << " of type " << type << ", which has "
         << rank << (rank == 1 ? " axis" : " axes") << "; it must have "
         << (form == '+' ? "at least 1" : StringRef(&form, 1));
}

static LogicalResult checkCount(Operation *op, StringRef what, size_t count,
                                size_t needed) {
  if (count == needed)
    return success();
  return op->emitOpError("has ")
         << count << " " << what << (count == 1 ? "" : "s")
         << ", but must have " << needed
         << "; see its definition in the specification of TOSA";
}

static LogicalResult checkCondition(tosa::IfOp op) {
  if (op->getNumOperands() == 0)
    return success();
  Type type = op->getOperand(0).getType();
  if (isa<ShapedType>(type) && getElementTypeOrSelf(type).isInteger(1))
    return success();
  return op->emitOpError("chooses by ")
         << type << "; the condition must be one i1";
}

LogicalResult read::checkTosaForm(Operation *op) {
  if (auto branch = dyn_cast<tosa::IfOp>(op))
    return checkCondition(branch);
  StringRef name = op->getName().getStringRef();
  const Form *form = llvm::lower_bound(
      forms, name, [](const Form &form, StringRef n) { return form.name < n; });
  if (form == std::end(forms) || form->name != name)
    return success();
  if (failed(checkCount(op, "operand", op->getNumOperands(),
                        form->operands.size())) ||
      failed(
          checkCount(op, "result", op->getNumResults(), form->results.size())))
    return failure();
  for (unsigned i : llvm::seq(op->getNumOperands()))
    if (failed(checkRank(op, "operand", i, op->getOperand(i).getType(),
                         form->operands[i])))
      return failure();
  for (unsigned i : llvm::seq(op->getNumResults()))
    if (failed(checkRank(op, "result", i, op->getResult(i).getType(),
                         form->results[i])))
      return failure();
  return success();
}
