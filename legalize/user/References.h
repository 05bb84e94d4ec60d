//===- References.h - functions that say what operations do -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference implementations in a user's texts (sf-5): functions with the
// attribute `loom.implements = "dialect.operation"`, or
// "tosa.custom:domain:name". docs/user-operations.md describes them.
//
// Invariant: every function here is valid, has one block that ends in a return,
// and is not recursive, neither through calls nor through the operations that
// it uses, so that inlining ends.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_USER_REFERENCES_H
#define BROADLOOM_LEGALIZE_USER_REFERENCES_H

#include "infer/functions/Library.h"
#include "shape/Verify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// Attribute of an argument: the operation's attribute that it stands for.
inline constexpr llvm::StringLiteral kAttributeArg = "loom.attribute";
/// The value of such an argument if the operation lacks the attribute.
inline constexpr llvm::StringLiteral kAttributeDefault = "loom.default";

/// Attribute of an operation in a reference: the attributes that it takes from
/// the operation that the reference implements, as {its own = "the other's"}.
inline constexpr llvm::StringLiteral kTakenAttributes = "loom.attributes";

struct Reference {
  mlir::func::FuncOp function;
  /// How many arguments are operands; the arguments after them are attributes.
  unsigned numOperands = 0;
  /// Computes one element: operands and results are all scalars.
  bool isScalar = false;
};

class References {
public:
  /// Collects the references in all texts of `library`, those that were
  /// collected before included, and checks them; errors are reported at their
  /// location.
  llvm::LogicalResult collect(const infer::ShapeLibrary &library,
                              DynamicToStatic policy);

  /// Whether there is a reference for operations of this name
  /// (infer::getOperationKey).
  bool has(llvm::StringRef key) const { return references.contains(key); }
  bool empty() const { return references.empty(); }

  /// The first reference whose signature fits `op`, or null after reporting
  /// why none does.
  const Reference *choose(mlir::Operation *op) const;

  /// The callee of a call in a function of the text `module`, or of a copy of
  /// such a call.
  Reference getCallee(mlir::func::CallOp call, mlir::ModuleOp module) const;

private:
  llvm::LogicalResult add(mlir::func::FuncOp function);
  llvm::LogicalResult checkBody(mlir::func::FuncOp function) const;
  llvm::LogicalResult checkOperation(mlir::func::FuncOp function,
                                     llvm::StringRef key) const;
  llvm::LogicalResult checkSignature(mlir::func::FuncOp function) const;
  llvm::LogicalResult checkNoRecursion(mlir::func::FuncOp root);

  llvm::StringMap<llvm::SmallVector<Reference, 1>> references;
  mutable mlir::SymbolTableCollection symbols;
  /// Functions that are known not to be recursive.
  llvm::DenseSet<mlir::Operation *> done;
};

/// Reads the number of operands of a reference implementation, and whether it
/// computes one element.
Reference getSignature(mlir::func::FuncOp function);

/// The representation of a value of a user's type: the value of another type
/// from which an `unrealized_conversion_cast` makes it, or null.
mlir::Value getRepresentation(mlir::Value value);

/// Whether an operation is of a dialect that a user's text defines.
bool isUserOperation(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_USER_REFERENCES_H
