//===- ExpandSparse.cpp - sparse constants as those of TOSA ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/ExpandSparse.h"

#include "dialect/ElementBytes.h"
#include "read/tflite/SparseTensor.h"
#include "read/tflite/TfliteDialect.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cstring>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

/// The limit of bytes of all dense constants of a program: a small sparse
/// constant may have any number of zeros.
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

static uint64_t countElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t count = 1;
  for (int64_t extent : shape)
    count = llvm::SaturatingMultiply(count, uint64_t(extent));
  return count;
}

namespace {

/// Expands the constants of one program.
class Expander {
public:
  /// Replaces `op` by a constant of TOSA, which it returns; null after an
  /// error.
  Operation *replace(PseudoSparseConstOp op) {
    DenseElementsAttr value = expand(op);
    if (!value)
      return nullptr;
    OpBuilder builder(op);
    auto constant =
        tosa::ConstOp::create(builder, op.getLoc(), value.getType(), value);
    op.getOutput().replaceAllUsesWith(constant);
    op.erase();
    return constant;
  }

private:
  DenseElementsAttr expand(PseudoSparseConstOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getOutput().getType());
    if (!type || !type.hasStaticShape()) {
      op.emitOpError("has a result of type ")
          << op.getOutput().getType()
          << ", expected a tensor with numbers for all extents";
      return {};
    }
    if (failed(checkElements(op, type)))
      return {};
    auto pattern = SparsePattern::get(type.getShape(), op.getSParam(),
                                      [&] { return op.emitOpError(); });
    if (failed(pattern))
      return {};
    ShapedType given = op.getCompressedData().getShapedType();
    if (countElements(given.getShape()) != pattern->getNumValues()) {
      op.emitOpError("has compressed data of type ")
          << given << ", but " << pattern->getNumValues()
          << " values by its levels";
      return {};
    }
    auto values = getElementBytes(op.getCompressedData());
    if (!values) {
      op.emitOpError("has compressed data that is not in the program; print "
                     "the program with it");
      return {};
    }
    return scatter(*values, *pattern, type);
  }

  /// Checks the types of elements and whether the tensor is too large.
  LogicalResult checkElements(PseudoSparseConstOp op, RankedTensorType type) {
    Type element = type.getElementType();
    ShapedType given = op.getCompressedData().getShapedType();
    if (!given.hasStaticShape() || given.getElementType() != element)
      return op.emitOpError("has compressed data of type ")
             << given << ", expected elements of type " << element
             << ", as the result has";
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      return op.emitOpError("has elements of type ")
             << element << ", expected numbers of whole bytes";
    uint64_t bytes =
        llvm::SaturatingMultiply(countElements(type.getShape()),
                                 uint64_t(element.getIntOrFloatBitWidth() / 8));
    if (bytes > left)
      return op.emitOpError("is a tensor of type ")
             << type << ", but the sparse constants of a program may have "
             << kMostBytes << " bytes, of which " << left << " are left";
    left -= bytes;
    return success();
  }

  static DenseElementsAttr scatter(ArrayRef<char> values,
                                   const SparsePattern &pattern,
                                   RankedTensorType type) {
    size_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    // A splat if all elements are zeros.
    bool isZero = pattern.getNumValues() == 0 && type.getNumElements() != 0;
    std::vector<char> dense(
        bytes * (isZero ? 1 : size_t(type.getNumElements())), 0);
    // If there are bytes for one value, all values are equal.
    size_t step = values.size() == bytes ? 0 : bytes;
    const char *next = values.data();
    pattern.visit([&](uint64_t offset) {
      std::memcpy(&dense[offset * bytes], next, bytes);
      next += step;
    });
    return DenseElementsAttr::getFromRawBuffer(type, dense);
  }

  uint64_t left = kMostBytes;
};

} // namespace

static LogicalResult reportUnknown(Operation *op) {
  return op->emitError("'")
         << op->getName() << "' is unknown: of the dialect 'tfl', only "
         << PseudoSparseConstOp::getOperationName() << " and "
         << DensifyOp::getOperationName()
         << " are known; define all that the program has of it with "
            "'irdl.dialect' in a text, and give that with --shape-library";
}

/// Replaces `op` by its operand, which is dense.
static LogicalResult replace(DensifyOp op,
                             const DenseSet<Operation *> &expanded) {
  Operation *constant = op.getInput().getDefiningOp();
  if (!constant || !expanded.contains(constant))
    return op.emitOpError("takes what is no sparse constant; give it a '")
           << PseudoSparseConstOp::getOperationName() << "'";
  if (op.getOutput().getType() != op.getInput().getType())
    return op.emitOpError("has a result of type ")
           << op.getOutput().getType() << " of an operand of type "
           << op.getInput().getType() << ", expected the same type";
  op.getOutput().replaceAllUsesWith(op.getInput());
  op.erase();
  return success();
}

/// The operations of the dialect in program order; none if a user defined
/// another dialect of that name.
static SmallVector<Operation *> findOperations(ModuleOp module) {
  SmallVector<Operation *> found;
  Dialect *dialect = module.getContext()->getLoadedDialect(
      TfliteDialect::getDialectNamespace());
  if (isa_and_nonnull<TfliteDialect>(dialect))
    module->walk([&](Operation *op) {
      if (op->getDialect() == dialect)
        found.push_back(op);
    });
  return found;
}

LogicalResult broadloom::read::expandSparseConstants(ModuleOp module) {
  SmallVector<Operation *> found = findOperations(module);
  if (found.empty())
    return success();
  module.getContext()->getOrLoadDialect<tosa::TosaDialect>();
  Expander expander;
  DenseSet<Operation *> expanded;
  SmallVector<DensifyOp> densified;
  LogicalResult result = success();
  for (Operation *op : found) {
    if (!op->isRegistered())
      result = reportUnknown(op);
    // The operation has not been verified before.
    else if (failed(op->getName().verifyInvariants(op)))
      result = failure();
    else if (auto densify = dyn_cast<DensifyOp>(op))
      densified.push_back(densify);
    else if (Operation *made = expander.replace(cast<PseudoSparseConstOp>(op)))
      expanded.insert(made);
    else
      result = failure();
  }
  // Operations that were not expanded have been reported.
  for (DensifyOp op : densified)
    if (succeeded(result))
      result = replace(op, expanded);
  return result;
}
