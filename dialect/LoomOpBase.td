//===- LoomOpBase.td - what all operations of loom share ---*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMOPBASE_TD
#define BROADLOOM_DIALECT_LOOMOPBASE_TD

include "dialect/LoomExtents.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Loom_Op<string mnemonic, list<Trait> traits = []>
    : Op<Loom_Dialect, mnemonic, traits>;

// A failed guard changes nothing but the outcome of the call. A resource of its
// own keeps guards alive and in order, and holds back nothing else (D5).
def Loom_FailureResource : Resource<"::broadloom::loom::FailureResource">;
def Loom_MayFail : MemoryEffects<[MemWrite<Loom_FailureResource>]>;

#endif // BROADLOOM_DIALECT_LOOMOPBASE_TD
