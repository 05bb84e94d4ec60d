//===- VectorVersions.h - functions of scalars and vectors ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that replaces a mathematical function calls small functions that a
// module defines for itself. LLVM's vectoriser calls their versions for
// vectors, and afterwards all of them are put where they are called. Thus a
// number is the same in a kernel that is written over vectors, in one that LLVM
// vectorises, and in a single element.
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

/// Makes it a function of its module alone, which does nothing but compute and
/// stays a function until the loops around its calls are vectors.
void makeLocal(llvm::Function &function);

/// Makes the versions of `scalar`, of scalars of 32 bits, for vectors, with
/// bodies by `define`; tells LLVM's vectoriser of them, and adds them and
/// `scalar` to `made`.
void addVersions(llvm::Function &scalar,
                 llvm::function_ref<void(llvm::Function &)> define,
                 llvm::SmallVectorImpl<llvm::GlobalValue *> &made);

/// Keeps versions while nothing calls them.
void keepVersions(llvm::Module &module,
                  llvm::ArrayRef<llvm::GlobalValue *> versions);

/// Puts the bodies of the functions whose names begin with `prefix` where they
/// are called. Calls `remove` for each, which nothing calls any more.
void inlineVersions(llvm::Module &module, llvm::StringRef prefix,
                    llvm::function_ref<void(llvm::Function &)> remove);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_VECTORVERSIONS_H
