//===- RareCases.h - where inline arithmetic does not hold ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic that replaces sin, cos and pow of f32 (scalar/MathExpansion.h)
// is valid for operands that are not huge, and for powers of normal numbers
// with normal results. For other operands, a function replaces the result by
// the C library's. In a vector it computes each such element separately, behind
// a branch that vectors without such elements skip.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_RARECASES_H
#define BROADLOOM_SCALAR_RARECASES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace broadloom::scalar {

/// From this magnitude on the C library computes sines and cosines.
inline constexpr float kLeastLibraryAngle = 0x1p17f;

/// The function that takes the operands of `function` ("sin", "cos" or "pow")
/// and its result by inline arithmetic, and returns the function's value for
/// all operands.
std::string getRareCaseName(llvm::StringRef function);

/// Defines the functions of that kind that `module` declares. With
/// `hasVectors`, also announces versions for vectors to LLVM's vectoriser.
void defineRareCases(llvm::Module &module, bool hasVectors);

/// Inlines the tests for rare cases. The code for rare cases stays a function.
void inlineRareCases(llvm::Module &module);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_RARECASES_H
