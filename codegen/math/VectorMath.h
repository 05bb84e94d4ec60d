//===- VectorMath.h - vector versions of the C library's math ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells LLVM's loop vectoriser which vector functions of glibc's libmvec
// replace calls of sinf, exp, ... (at most 4 ULP, so within el-9). LLVM's own
// table knows only some of them and none of the 512-bit ones.
// scalar/MathExpansion.h has the functions that need no call.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MATH_VECTORMATH_H
#define BROADLOOM_CODEGEN_MATH_VECTORMATH_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace broadloom::codegen {

class CodeTarget;

/// Whether libmvec is available when code for `target` runs. On this machine
/// this tries to load it; another machine is assumed to have it if the library
/// exists for its architecture.
bool hasVectorMath(const CodeTarget &target);

/// Marks the calls in kernels of `module`, for targets that libmvec is made
/// for. Those elsewhere stay calls of the scalar functions.
void useVectorMath(llvm::Module &module, const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MATH_VECTORMATH_H
