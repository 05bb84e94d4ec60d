//===- Broadcastable.h - the traits, for any dialect ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traits of operations that broadcast their operands as NumPy does. They
// convert types to shapes, call shape/ and report its answer at the operation;
// shape/ has all rules.
//
// Invariant: verification of any operation, however malformed, ends in success
// or in one error; only what is refuted is an error (ext-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_BROADCASTABLE_H
#define BROADLOOM_DIALECT_BROADCASTABLE_H

#include "shape/Verify.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>

namespace broadloom {

//===----------------------------------------------------------------------===//
// The policy
//===----------------------------------------------------------------------===//

/// The policy of a dialect for static result extents where `?` was inferred,
/// for its operations with the trait Broadcastable (verify-4). A dialect
/// without this interface allows it.
class DynamicToStaticInterface
    : public mlir::DialectInterface::Base<DynamicToStaticInterface> {
public:
  DynamicToStaticInterface(mlir::Dialect *dialect, DynamicToStatic policy)
      : Base(dialect), policy(policy) {}
  DynamicToStatic getPolicy() const { return policy; }

private:
  DynamicToStatic policy;
};

/// Makes every context that loads the dialect through `registry` verify it
/// under `policy`. The policy belongs to the context, not to the process: two
/// contexts may differ. A dialect that brings its own policy keeps it.
template <typename DialectT>
void setDynamicToStatic(mlir::DialectRegistry &registry,
                        DynamicToStatic policy) {
  // Each policy has its own extension, because an extension has no state.
  if (policy == DynamicToStatic::Forbid)
    registry.addExtension(+[](mlir::MLIRContext *, DialectT *dialect) {
      dialect->template addInterface<DynamicToStaticInterface>(
          DynamicToStatic::Forbid);
    });
  else
    registry.addExtension(+[](mlir::MLIRContext *, DialectT *dialect) {
      dialect->template addInterface<DynamicToStaticInterface>(
          DynamicToStatic::Allow);
    });
}

/// The policy of `op`'s dialect; `allow` by default.
DynamicToStatic dynamicToStaticOf(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Verification and inference
//===----------------------------------------------------------------------===//

/// verify-1 to verify-4 and verify-6 under `policy`, with an error at `op`.
mlir::LogicalResult verifyBroadcastable(mlir::Operation *op,
                                        DynamicToStatic policy);

/// verify-5, with an error at `op`. Operands and results without a shape
/// (scalars) are ignored.
mlir::LogicalResult verifyAllRanksMatch(mlir::Operation *op);

/// The shape to which the result of an operation on `operands` may be refined:
/// their broadcast (bcast-4), unranked if an operand is (bcast-6). Nothing,
/// with an error at `location` if that is given, if they do not broadcast. An
/// operand without a shape has rank 0.
std::optional<Shape> inferBroadcastShape(std::optional<mlir::Location> location,
                                         mlir::TypeRange operands);

/// The same as a type: a tensor, or a vector if the operands are vectors. Null,
/// with an error, also if there is no such type (verify-6).
mlir::Type inferBroadcastType(std::optional<mlir::Location> location,
                              mlir::TypeRange operands, mlir::Type elementType);

/// Whether the types have pairwise the same element types. InferTypeOpInterface
/// compares only these, because the trait compares shapes.
bool sameElementTypes(mlir::TypeRange a, mlir::TypeRange b);

//===----------------------------------------------------------------------===//
// The traits
//===----------------------------------------------------------------------===//

namespace OpTrait {

/// Broadcastable.td describes the traits.
template <typename ConcreteOp>
class Broadcastable
    : public mlir::OpTrait::TraitBase<ConcreteOp, Broadcastable> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyBroadcastable(op, dynamicToStaticOf(op));
  }
};

template <typename ConcreteOp>
class BroadcastableStrict
    : public mlir::OpTrait::TraitBase<ConcreteOp, BroadcastableStrict> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyBroadcastable(op, DynamicToStatic::Forbid);
  }
};

template <typename ConcreteOp>
class AllRanksMatchIfKnown
    : public mlir::OpTrait::TraitBase<ConcreteOp, AllRanksMatchIfKnown> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyAllRanksMatch(op);
  }
};

/// Verifies nothing; Broadcastable.td has the functions for it.
template <typename ConcreteOp>
class InferBroadcastType
    : public mlir::OpTrait::TraitBase<ConcreteOp, InferBroadcastType> {};

} // namespace OpTrait

} // namespace broadloom

#endif // BROADLOOM_DIALECT_BROADCASTABLE_H
