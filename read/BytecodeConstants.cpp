//===- BytecodeConstants.cpp - large constants of bytecode ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/BytecodeConstants.h"

#include "dialect/ElementBytes.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;
using namespace broadloom;

/// The numbers of DenseIntOrFPElementsAttr and of SparseElementsAttr among the
/// builtin attributes (BuiltinDialectBytecode.td), which are the same in all
/// versions of bytecode.
static constexpr uint64_t kDenseElements = 18, kSparseElements = 20;

/// Whether constants of `type` can be resources: weights can. Passes look for
/// integers, such as indices, in dense attributes.
static bool canBeResource(ShapedType type) {
  Type element = type.getElementType();
  return isa<RankedTensorType>(type) && type.hasStaticShape() &&
         (isa<FloatType>(element) || element.isInteger(8));
}

/// A dense constant that is large; a null attribute for one that MLIR reads.
static LogicalResult readDense(DialectBytecodeReader &reader,
                               const std::shared_ptr<const void> &owner,
                               Attribute &entry) {
  ShapedType type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return failure();
  if (bytes.size() < kLargeConstant || !canBeResource(type))
    return success();
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  // Elements of other widths have another form here than in a resource.
  if (bits < 8 || !llvm::isPowerOf2_32(bits) ||
      type.getNumElements() != int64_t(bytes.size() / (bits / 8)) ||
      bytes.size() % (bits / 8) != 0)
    return success();
  entry = DenseResourceElementsAttr::get(
      type, "constant",
      UnmanagedAsmResourceBlob::allocateWithAlign(
          bytes, /*align=*/1, [owner](void *, size_t, size_t) {}));
  return success();
}

/// A sparse constant whose values readDense() has made a resource, although
/// they have to be dense; a null attribute for any other.
static LogicalResult readSparse(DialectBytecodeReader &reader,
                                Attribute &entry) {
  ShapedType type;
  DenseIntElementsAttr indices;
  Attribute given;
  if (failed(reader.readType(type)) || failed(reader.readAttribute(indices)) ||
      failed(reader.readAttribute(given)))
    return failure();
  auto resource = dyn_cast<DenseResourceElementsAttr>(given);
  std::optional<ArrayRef<char>> bytes =
      resource ? getElementBytes(resource) : std::nullopt;
  if (!bytes)
    return success();
  auto values = DenseElementsAttr::getFromRawBuffer(resource.getType(), *bytes);
  entry = SparseElementsAttr::getChecked([&] { return reader.emitError(); },
                                         type, indices, values);
  return success(bool(entry));
}

static LogicalResult readLarge(DialectBytecodeReader &reader,
                               const std::shared_ptr<const void> &owner,
                               Attribute &entry) {
  uint64_t number;
  if (failed(reader.readVarInt(number)))
    return failure();
  if (number == kDenseElements)
    return readDense(reader, owner, entry);
  return number == kSparseElements ? readSparse(reader, entry) : success();
}

void read::referToConstants(ParserConfig &config,
                            std::shared_ptr<const void> owner) {
  config.getBytecodeReaderConfig().attachAttributeCallback(
      [owner = std::move(owner)](DialectBytecodeReader &reader,
                                 StringRef dialect, Attribute &entry) {
        return dialect == BuiltinDialect::getDialectNamespace()
                   ? readLarge(reader, owner, entry)
                   : LogicalResult::success();
      });
}
