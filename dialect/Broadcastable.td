//===- Broadcastable.td - the traits, for any dialect ------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the operations of any dialect:
//
//   include "dialect/Broadcastable.td"
//   def MyAddOp : Op<My_Dialect, "add", [Broadcastable]> { ... }
//
// The C++ side is "dialect/Broadcastable.h", to be included before the
// operations that TableGen writes, and the library BroadloomTrait.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_BROADCASTABLE_TD
#define BROADLOOM_DIALECT_BROADCASTABLE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Broadloom_OpTrait<string name, code declaration = [{}],
                        code definition = [{}]>
    : NativeOpTrait<name, [], declaration, definition> {
  let cppNamespace = "::broadloom::OpTrait";
}

// The operands broadcast as NumPy's do, and the result's shape follows from
// theirs (verify-1 to verify-4, verify-6). A static extent in the result where
// `?` was inferred is accepted, unless the operation's dialect says otherwise
// (DynamicToStaticInterface).
def Broadcastable : Broadloom_OpTrait<"Broadcastable">;

// The same, and a static extent in the result where `?` was inferred is an
// error whatever the dialect says.
def BroadcastableStrict : Broadloom_OpTrait<"BroadcastableStrict">;

// All ranked operands and results have one rank (verify-5).
def AllRanksMatchIfKnown : Broadloom_OpTrait<"AllRanksMatchIfKnown">;

// Beside Broadcastable or BroadcastableStrict: the operation is built from its
// operands alone. The shape of the result is inferred (bcast-4, bcast-6), its
// element type is `elementType`, a C++ expression of type ::mlir::Type over
// `operands` (::mlir::ValueRange, not empty), `attributes` and `context`.
class InferBroadcastType<
    code elementType = [{::mlir::getElementTypeOrSelf(operands.front())}]>
    : TraitList<[
        DeclareOpInterfaceMethods<InferTypeOpInterface>,
        Broadloom_OpTrait<"InferBroadcastType", [{
          static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                              ::mlir::TypeRange actual);
        }], [{
          ::llvm::LogicalResult $cppClass::inferReturnTypes(
              ::mlir::MLIRContext *context,
              ::std::optional<::mlir::Location> location,
              ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
              ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
              ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
            if (operands.empty())
              return ::mlir::emitOptionalError(
                  location, "expected at least one operand");
            ::mlir::Type type = ::broadloom::inferBroadcastType(
                location, operands.getTypes(), }] # elementType # [{);
            if (!type)
              return ::mlir::failure();
            inferred.push_back(type);
            return ::mlir::success();
          }
          bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                                  ::mlir::TypeRange actual) {
            return ::broadloom::sameElementTypes(inferred, actual);
          }
        }]>]>;

#endif // BROADLOOM_DIALECT_BROADCASTABLE_TD
