//===- GraphReader.h - the operations of a TOSA file ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_GRAPHREADER_H
#define BROADLOOM_READ_FLATBUFFERS_GRAPHREADER_H

#include "read/flatbuffers/Values.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::read {

/// Builds a module from the tables of a verified file. The region `main` is a
/// function, and other regions are those of `cond_if` and `while_loop`.
class GraphReader {
public:
  GraphReader(const SourceFile &file, llvm::StringRef name,
              mlir::MLIRContext *context);

  /// Null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> read(const GraphTable &graph);

private:
  /// A block while its operations are made.
  struct Scope {
    const BlockTable *block;
    llvm::StringRef name;
    mlir::OpBuilder builder;
    llvm::StringMap<mlir::Value> values;
    llvm::StringMap<const TensorTable *> tensors;
    llvm::StringMap<const ShapeTable *> shapes;
  };

  /// Reports an error of the file as a whole, or of a block.
  mlir::LogicalResult fail(llvm::StringRef text);
  mlir::LogicalResult fail(const Scope &scope, llvm::Error error);
  /// One of operator `number` of a block.
  mlir::LogicalResult fail(const Scope &scope, unsigned number,
                           llvm::Error error);
  mlir::Location getLocation(const Scope &scope, unsigned number);

  mlir::LogicalResult checkVersion(const GraphTable &graph);
  mlir::LogicalResult indexRegions(const GraphTable &graph);
  const BlockTable *findBlock(llvm::StringRef graph) const;

  /// Lists the tensors and shapes of a block.
  mlir::LogicalResult index(Scope &scope);
  llvm::Expected<mlir::Type> getType(const Scope &scope, llvm::StringRef name);
  llvm::Expected<llvm::SmallVector<mlir::Type>>
  getTypes(const Scope &scope, const List<Text> *names);
  llvm::Expected<llvm::SmallVector<mlir::Value>>
  getValues(const Scope &scope, const List<Text> *names);

  /// Creates the operations of a block whose arguments exist, and the operation
  /// `terminator` with its results.
  mlir::LogicalResult readBlock(Scope &scope, llvm::StringRef terminator);
  /// Sorts the operators so that each follows the producers of its inputs.
  mlir::FailureOr<llvm::SmallVector<unsigned>> sort(const Scope &scope);
  llvm::Error readOperator(Scope &scope, unsigned number);
  llvm::Error readConst(Scope &scope, const OperatorTable &op,
                        mlir::OperationState &state);
  llvm::Error readConstShape(Scope &scope, const OperatorTable &op,
                             mlir::OperationState &state);
  llvm::Error readVariable(Scope &scope, const OperatorTable &op, bool isRead,
                           mlir::OperationState &state);
  /// The regions of `cond_if` and `while_loop`.
  llvm::Error readRegions(Scope &scope, const OperatorTable &op,
                          mlir::Operation *made);
  llvm::Error readRegion(llvm::StringRef graph, mlir::Region &region,
                         mlir::Location loc);
  llvm::Error declareVariables(const GraphTable &graph);

  /// Subtracts `bytes` from those that may still be read.
  llvm::Error charge(uint64_t bytes);
  /// The constant of a tensor with data.
  llvm::Expected<mlir::Attribute> readCharged(const TensorTable &tensor,
                                              mlir::RankedTensorType type);

  const SourceFile &file;
  llvm::StringRef fileName;
  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Blocks by the names of regions, and by their own names if no region has
  /// the name.
  llvm::StringMap<const BlockTable *> blocks;
  /// Regions that are being read, the outermost first.
  llvm::SmallVector<llvm::StringRef> open;
  /// The number of operators that were read, and its limit: a region that is
  /// used twice is read twice.
  uint64_t numRead = 0, limit = 0;
  /// Bytes of constants, names and attributes that may still be read, each
  /// counted as often as it is used.
  uint64_t bytesLeft;
};

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_GRAPHREADER_H
