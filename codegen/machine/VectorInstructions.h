//===- VectorInstructions.h - what LLVM expands at length -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on vectors for which this file emits fewer instructions of AVX-512
// than LLVM.
//
// x86 has no instruction for the maximum of el-5: its own returns the second
// operand if one is NaN or both are zeros. LLVM corrects that by six
// instructions with masks; here it takes three without.
//
// The instruction for x 2^n takes n as a float, and rounds it down. Where n was
// computed as one (scalar/MathExpansion.h), it need not become an
// integer and a float again.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_VECTORINSTRUCTIONS_H
#define BROADLOOM_CODEGEN_MACHINE_VECTORINSTRUCTIONS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace broadloom::codegen {

/// Writes llvm.maximum and llvm.minimum on vectors of f32 and f64, and
/// llvm.ldexp of f32 with an exponent from the low bits of a float, in
/// `function` as instructions of AVX-512, if the target has them. The payload
/// of a NaN is unspecified.
void useVectorInstructions(llvm::Function &function,
                           const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_VECTORINSTRUCTIONS_H
