//===- BroadcastableOpInterface.td - element-wise operations --*- tablegen -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation of any dialect says of itself to take part in broadcasting
// and fusion (decision 64): which operands broadcast, what must hold of it besides its
// extents, and how to compute one element of its result.
//
// Invariant: the extents are nowhere in this interface. They are the algebra's
// (shape/), the same for every operation.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_TD
#define BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def BroadcastableOpInterface : OpInterface<"BroadcastableOpInterface"> {
  let cppNamespace = "::broadloom";
  let description = [{
    An element-wise operation with NumPy broadcasting and one result. A dialect
    that implements `buildScalarBody`, and declares this interface, has its
    operation checked, fused and compiled like TOSA's own; the other methods
    have defaults that fit operations whose operands all broadcast.
  }];

  let methods = [
    InterfaceMethod<[{
        The indices of the operands that take part in broadcasting, in order.
        The others are scalars: tensors of one element that neither broadcast
        nor raise a rank. Safe before verification; may then name operands that
        the operation lacks.
      }],
      "::llvm::SmallVector<unsigned>", "getBroadcastOperands", (ins), "", [{
        return ::broadloom::allOperands($_op.getOperation());
      }]>,
    InterfaceMethod<[{
        Checks all but the extents, and reports what is wrong as an error of
        the operation: first the structure, then the types, attributes and
        constants (el-1 to el-10). Safe on an operation that was parsed with
        verification deferred, however wrong it is.
      }],
      "::llvm::LogicalResult", "verifyElementwise", (ins), "", [{
        return ::broadloom::verifyElementwiseStructure($_op.getOperation());
      }]>,
    InterfaceMethod<[{
        Emits the computation of one element and returns its value. `scalars`
        has one value per operand of the operation, also for the operands that
        do not broadcast, of the type `getScalarType(element type)`; the value
        returned has that type for the result. The operation must have passed
        `verifyElementwise`.

        The body is pure and straight-line: `arith` and `math` operations
        without fast-math, free of undefined behaviour for every input, so that
        a loop around it can be vectorised. Fails only where the number of
        scalars is wrong.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildScalarBody",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$scalars)>,
    InterfaceMethod<[{
        Emits what must hold of the scalar operands' run-time values and could
        not be decided from the program. `scalars` has one value per operand
        that does not broadcast, in operand order, typed as in
        `buildScalarBody`.
      }],
      "void", "getScalarConstraints",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$scalars,
           "::llvm::SmallVectorImpl<::broadloom::ScalarConstraint> &":$constraints),
      "", [{ return; }]>,
  ];

  let extraClassDeclaration = [{
    /// The indices of the operands that do not broadcast, in order.
    ::llvm::SmallVector<unsigned> getScalarOperands();
  }];
}

#endif // BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_TD
