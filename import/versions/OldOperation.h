//===- OldOperation.h - an operation on its way to today's form -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_VERSIONS_OLDOPERATION_H
#define BROADLOOM_IMPORT_VERSIONS_OLDOPERATION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace broadloom::versions {

/// What was done to a program, by kind.
class Changes {
public:
  void add(llvm::StringRef kind, mlir::Location where) {
    auto [entry, isNew] = kinds.try_emplace(kind.str(), where, 0);
    ++entry->second.second;
  }
  bool empty() const { return kinds.empty(); }
  /// One note for each kind: where it occurs first and how often.
  void report() const;

private:
  llvm::MapVector<std::string, std::pair<mlir::Location, unsigned>,
                  llvm::StringMap<unsigned>>
      kinds;
};

/// An operation of kNamespace and what is known so far of the one of today's
/// TOSA that takes its place. Rules change it; finish() makes it.
class OldOperation {
public:
  OldOperation(mlir::Operation *op, Changes &changes);

  /// Without the namespace.
  std::string name;
  llvm::SmallVector<mlir::Value> operands;
  mlir::NamedAttrList attributes;
  llvm::SmallVector<mlir::Type> results;

  /// Removes an attribute and returns it; null where there is none.
  mlir::Attribute take(llvm::StringRef attribute) {
    return attributes.erase(attribute);
  }
  /// Removes a number; nothing where there is none.
  std::optional<int64_t> takeInteger(llvm::StringRef attribute);
  /// Removes a list of integers, in any of the forms that lists have had; where
  /// there is none, reports that.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  takeIntegers(llvm::StringRef attribute);
  /// The elements of a constant operand, or an error that names it as `what`.
  mlir::FailureOr<llvm::SmallVector<int64_t>> getConstant(unsigned operand,
                                                          llvm::StringRef what);

  /// A `tosa.const` in front of the operation.
  mlir::Value addConstant(mlir::DenseElementsAttr value);
  /// One of a single element of `type`; errors call it `what`.
  mlir::FailureOr<mlir::Value> addScalar(mlir::Type type, int64_t value,
                                         llvm::StringRef what);
  /// A `tosa.const_shape`.
  mlir::Value addShape(llvm::ArrayRef<int64_t> extents);
  /// An operation of today's TOSA in front.
  mlir::Value addOperation(llvm::StringRef name, mlir::ValueRange operands,
                           mlir::Type type,
                           mlir::NamedAttrList attributes = {});

  mlir::Type getElementType(unsigned operand) const {
    return mlir::getElementTypeOrSelf(operands[operand].getType());
  }
  mlir::Type getResultElementType() const {
    return mlir::getElementTypeOrSelf(results.front());
  }

  /// Whether there are between `least` and `most` operands, and one result; an
  /// error where that is not so.
  mlir::LogicalResult expectOperands(unsigned least, unsigned most);

  /// Notes a change: "'tosa.X' TEXT".
  void note(llvm::StringRef text);
  mlir::InFlightDiagnostic emitError();
  mlir::Builder &getBuilder() { return builder; }

  /// Puts today's operation in the place of the old one.
  mlir::LogicalResult finish();

private:
  mlir::LogicalResult convertAttributes(mlir::RegisteredOperationName today);

  mlir::Operation *op;
  mlir::OpBuilder builder;
  Changes &changes;
};

/// Whether an attribute that an operation does not define says nothing of what
/// it computes: a name, a remark, or what another dialect has to say.
bool saysNothing(mlir::NamedAttribute attribute);

/// Brings an operation to today's form, all but its attributes' kinds.
using Rule = mlir::LogicalResult (*)(OldOperation &);
/// By the operation's old name.
using Rules = llvm::StringMap<Rule>;

/// Convolutions, products of matrices and pools.
void addSumRules(Rules &rules);
/// What moves elements, where extents have become operands.
void addShapeRules(Rules &rules);
/// What computes elements, and constants.
void addScalarRules(Rules &rules);

/// Appends zero points to the operands: those that `quantization_info` or the
/// attributes of these names have, or zeros, with the types of these elements.
mlir::LogicalResult
addZeroPoints(OldOperation &old,
              llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Type>> points);

} // namespace broadloom::versions

#endif // BROADLOOM_IMPORT_VERSIONS_OLDOPERATION_H
