//===- VectorExtrema.h - maxima and minima of vectors -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86 has no instruction for the maximum of el-5: its own gives the second
// operand where one is NaN or both are zeros. LLVM mends that by six
// instructions with masks; here it takes three without.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_VECTOREXTREMA_H
#define BROADLOOM_CODEGEN_VECTOREXTREMA_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace broadloom::codegen {

/// Writes llvm.maximum and llvm.minimum on vectors of f32 and f64 in `function`
/// as instructions of AVX-512, where the target has them. Which NaN a NaN
/// becomes is unspecified.
void useVectorExtrema(llvm::Function &function,
                      const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_VECTOREXTREMA_H
