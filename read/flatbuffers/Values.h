//===- Values.h - types, constants and attributes of files ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library. Errors have no location; the caller adds the
// context.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_VALUES_H
#define BROADLOOM_READ_FLATBUFFERS_VALUES_H

#include "read/flatbuffers/Schema.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace broadloom::read {

/// The limits of axes of a tensor, and of numbers of a shape, in a TOSA file.
/// TOSA 1.0 knows 6 axes, and a shape has two numbers for each.
inline constexpr unsigned kMaxAxes = 6, kMaxNumbers = 1024;

/// The file that is read.
struct SourceFile {
  std::shared_ptr<llvm::SourceMgr> sources;
  llvm::StringRef contents;
};

/// The MLIR type of elements; null if MLIR 22 or this project does not support
/// it.
mlir::Type getElementType(DType type, mlir::MLIRContext *context);
/// The inverse of getElementType.
DType getDType(mlir::Type element);
/// `INT8`, or `type 77`.
std::string describe(DType type);

/// Bits of an element in a file: 4 for INT4, and 8 for BOOL.
unsigned getFileBits(DType type);

llvm::Expected<mlir::TensorType> readType(const TensorTable &tensor,
                                          mlir::MLIRContext *context);

/// The bytes of a tensor, in a table or after the tables; empty if it has none.
llvm::Expected<llvm::ArrayRef<uint8_t>> findData(const TensorTable &tensor,
                                                 llvm::StringRef file);

/// The constant of a tensor with data. Large constants refer to the file.
llvm::Expected<mlir::Attribute> readConstant(const TensorTable &tensor,
                                             mlir::RankedTensorType type,
                                             const SourceFile &file);

/// The numbers of a shape with data.
llvm::Expected<llvm::SmallVector<int64_t>> readShape(const ShapeTable &shape);

/// The fields of an operation's attribute except names of regions. `element` is
/// the type of the elements of its first operand, or null.
llvm::Expected<mlir::NamedAttrList> readFields(const OperationForm &form,
                                               const AnyTable *attribute,
                                               mlir::Type element,
                                               mlir::MLIRContext *context);

/// An error from the concatenated parts.
template <typename... Parts> llvm::Error makeError(const Parts &...parts) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ((stream << parts), ...);
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 text.c_str());
}

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_VALUES_H
