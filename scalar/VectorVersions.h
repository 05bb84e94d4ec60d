//===- VectorVersions.h - functions of scalars and vectors ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that replaces a mathematical function calls small functions, which
// are local to a module. LLVM's vectoriser calls their versions for vectors,
// and afterwards all of them are inlined. So results are the same in kernels
// over vectors, in kernels that LLVM vectorises, and for single elements.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_VECTORVERSIONS_H
#define BROADLOOM_SCALAR_VECTORVERSIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
class GlobalValue;
class Module;
} // namespace llvm

namespace broadloom::scalar {

/// Lanes of f32 in a vector of the machines that have versions, those with
/// AVX-512.
inline constexpr unsigned kVersionLanes = 16;

/// The version for vectors of `lanes` of the function `scalar`.
std::string getVersionName(llvm::StringRef scalar, unsigned lanes);

/// Makes it a local function without side effects that is not inlined before
/// the loops around its calls are vectorised.
void makeLocal(llvm::Function &function);

/// Makes the versions of `scalar`, of scalars of 32 bits, for vectors, with
/// bodies by `define`; announces them to LLVM's vectoriser, and adds them and
/// `scalar` to `made`.
void addVersions(llvm::Function &scalar,
                 llvm::function_ref<void(llvm::Function &)> define,
                 llvm::SmallVectorImpl<llvm::GlobalValue *> &made);

/// Keeps versions that are not called yet.
void keepVersions(llvm::Module &module,
                  llvm::ArrayRef<llvm::GlobalValue *> versions);

/// Inlines the functions whose names begin with `prefix`, and calls `remove`
/// for each afterwards.
void inlineVersions(llvm::Module &module, llvm::StringRef prefix,
                    llvm::function_ref<void(llvm::Function &)> remove);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_VECTORVERSIONS_H
