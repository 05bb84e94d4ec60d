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

/// The number of DenseIntOrFPElementsAttr among the builtin attributes
/// (BuiltinDialectBytecode.td), which is the same in all versions of bytecode.
static constexpr uint64_t kDenseElements = 18;

/// A dense constant whose elements are bytes and large; a null attribute for
/// any other, which MLIR reads.
static LogicalResult readLarge(DialectBytecodeReader &reader,
                               const std::shared_ptr<const void> &owner,
                               Attribute &entry) {
  uint64_t number;
  if (failed(reader.readVarInt(number)))
    return failure();
  if (number != kDenseElements)
    return success();
  ShapedType type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return failure();
  if (bytes.size() < kLargeConstant || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat())
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
