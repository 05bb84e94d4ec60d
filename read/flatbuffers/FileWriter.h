//===- FileWriter.h - tables of a TOSA file that is written -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_FILEWRITER_H
#define BROADLOOM_READ_FLATBUFFERS_FILEWRITER_H

#include "read/flatbuffers/Values.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// The most bytes of constants in a file. FlatBuffers addresses 2^31 bytes; the
/// rest is for tables.
inline constexpr int64_t kMaxBytes = (int64_t(1) << 31) - (int64_t(1) << 26);

/// Bits of an element in a file; 0 for an element that a file has not. Numbers
/// of shapes are words.
unsigned getBits(mlir::Type element);

/// The bytes of a constant in a file; nothing if the attribute does not have
/// its value.
std::optional<std::vector<uint8_t>> writeConstant(mlir::Attribute value);

/// Writes the tables of regions, inner ones after their outer ones.
class FileWriter {
public:
  /// The regions of `function`, or nothing after an error.
  mlir::LogicalResult write(mlir::ModuleOp module, mlir::Operation *function);
  /// The file.
  std::string finish();

private:
  using Offset = flatbuffers::Offset<AnyTable>;
  using Offsets = std::vector<Offset>;
  using Names = std::vector<flatbuffers::Offset<Text>>;

  /// The lists of a block.
  struct Lists {
    Offsets operators, tensors, shapes;
    llvm::DenseMap<mlir::Attribute, bool> variables;
  };

  mlir::LogicalResult writeRegion(mlir::Region &region, llvm::StringRef name);
  mlir::LogicalResult writeOperator(mlir::Operation *op, Lists &lists);
  /// Adds the entry of a value to the lists, with the data of a constant.
  mlir::LogicalResult addValue(mlir::Value value, Lists &lists,
                               mlir::Attribute data = {});
  /// The bytes of a constant; an error if there are too many, and the error
  /// `ifMissing` if its value is not in the program.
  mlir::FailureOr<std::vector<uint8_t>>
  getData(mlir::Location loc, mlir::Attribute value, llvm::StringRef ifMissing);
  /// Adds the variable `name`; returns its name in operators.
  mlir::FailureOr<std::string> addVariable(mlir::Operation *user,
                                           mlir::StringAttr name, Lists &lists);
  Offset writeTensor(llvm::StringRef name, mlir::Type type, DType element,
                     const std::vector<uint8_t> &data,
                     llvm::StringRef variable = {});

  /// The table of an operation's attribute; nothing after an error.
  mlir::FailureOr<Offset> writeAttribute(mlir::Operation *op,
                                         const OperationForm &form,
                                         llvm::ArrayRef<std::string> graphs);

  std::string getName(mlir::Value value);
  Names getNames(mlir::ValueRange values);
  /// The name of a new region of `op`.
  std::string nameRegion(mlir::Operation *op, unsigned index);

  flatbuffers::FlatBufferBuilder builder;
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Value, std::string> names;
  Offsets regions;
  unsigned numNames = 0;
  /// The bytes of the constants so far.
  int64_t numBytes = 0;
  /// Whether the program needs version 1.1.
  bool isNewer = false;
};

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_FILEWRITER_H
