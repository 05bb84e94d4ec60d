//===- OldOperation.h - an operation on its way to today's form -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_VERSIONS_OLDOPERATION_H
#define BROADLOOM_READ_VERSIONS_OLDOPERATION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace broadloom::read {

/// The changes to a program, by kind.
class Changes {
public:
  void add(llvm::StringRef kind, mlir::Location where) {
    auto [entry, isNew] = kinds.try_emplace(kind.str(), where, 0);
    ++entry->second.second;
  }
  bool empty() const { return kinds.empty(); }
  /// Reports one note for each kind: its first location and its number.
  void report() const;

private:
  llvm::MapVector<std::string, std::pair<mlir::Location, unsigned>,
                  llvm::StringMap<unsigned>>
      kinds;
};

/// An operation of kNamespace on its way to an operation of today's TOSA. Rules
/// change the parts; finish() creates the operation.
class OldOperation {
public:
  OldOperation(mlir::Operation *op, Changes &changes);

  /// Without the namespace.
  std::string name;
  llvm::SmallVector<mlir::Value> operands;
  mlir::NamedAttrList attributes;
  llvm::SmallVector<mlir::Type> results;

  /// Removes an attribute and returns it; null if there is none.
  mlir::Attribute take(llvm::StringRef attribute) {
    return attributes.erase(attribute);
  }
  /// Removes a number and returns it; nothing if there is none.
  std::optional<int64_t> takeInteger(llvm::StringRef attribute);
  /// Removes a list of integers, in any form of any version, and returns it; an
  /// error if there is none.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  takeIntegers(llvm::StringRef attribute);
  /// The elements of a constant operand, or an error that names it as `what`.
  mlir::FailureOr<llvm::SmallVector<int64_t>> getConstant(unsigned operand,
                                                          llvm::StringRef what);

  /// Adds a `tosa.const` before the operation.
  mlir::Value addConstant(mlir::DenseElementsAttr value);
  /// Adds a constant of a single element of `type`; errors call it `what`.
  mlir::FailureOr<mlir::Value> addScalar(mlir::Type type, int64_t value,
                                         llvm::StringRef what);
  /// Adds a `tosa.const_shape`.
  mlir::Value addShape(llvm::ArrayRef<int64_t> extents);
  /// Adds an operation of today's TOSA before the operation.
  mlir::Value addOperation(llvm::StringRef name, mlir::ValueRange operands,
                           mlir::Type type,
                           mlir::NamedAttrList attributes = {});

  mlir::Type getElementType(unsigned operand) const {
    return mlir::getElementTypeOrSelf(operands[operand].getType());
  }
  mlir::Type getResultElementType() const {
    return mlir::getElementTypeOrSelf(results.front());
  }

  /// Checks that there are between `least` and `most` operands, and one result.
  mlir::LogicalResult expectOperands(unsigned least, unsigned most);

  /// Notes a change: "'tosa.X' TEXT".
  void note(llvm::StringRef text);
  mlir::InFlightDiagnostic emitError();
  mlir::Builder &getBuilder() { return builder; }

  /// Replaces the old operation by today's.
  mlir::LogicalResult finish();

private:
  mlir::LogicalResult convertAttributes(mlir::RegisteredOperationName today);

  mlir::Operation *op;
  mlir::OpBuilder builder;
  Changes &changes;
};

/// Whether an attribute that an operation does not define is irrelevant to its
/// computation: a name, a remark, or an attribute of another dialect.
bool saysNothing(mlir::NamedAttribute attribute);

/// Brings an operation to today's form, except the kinds of its attributes.
using Rule = mlir::LogicalResult (*)(OldOperation &);
/// Rules by the operation's old name.
using Rules = llvm::StringMap<Rule>;

/// Convolutions, products of matrices and pools.
void addSumRules(Rules &rules);
/// Rules for operations that move elements, whose extents have become operands.
void addShapeRules(Rules &rules);
/// Rules for element-wise operations and constants.
void addScalarRules(Rules &rules);
/// Rules for custom operations, variables and conditionals.
void addProgramRules(Rules &rules);

/// Renames an operation that is otherwise the same.
mlir::LogicalResult rename(OldOperation &old, llvm::StringRef name);

/// Appends zero points to the operands: those in `quantization_info` or in the
/// attributes of these names, or zeros, with these element types.
mlir::LogicalResult
addZeroPoints(OldOperation &old,
              llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Type>> points);

} // namespace broadloom::read

#endif // BROADLOOM_READ_VERSIONS_OLDOPERATION_H
