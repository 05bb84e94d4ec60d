//===- LookupFunctions.h - numbers from tables in registers -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code reads a number from a table of LookupTables.h by a call of a declared
// function, on a scalar or on a full vector. LLVM's vectoriser replaces the
// scalar function by the vector function; after vectorisation both are defined
// and inlined.
//
// Invariant: both functions return the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_LOOKUPFUNCTIONS_H
#define BROADLOOM_SCALAR_LOOKUPFUNCTIONS_H

#include "scalar/VectorVersions.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace broadloom::scalar {

/// The number of lanes of a lookup instruction.
inline constexpr unsigned kLookupLanes = kVersionLanes;

/// The function of (i32) -> f32 that gives element `index mod 32` of a table:
/// of "powers", "powerRests", "inverses", "logarithms<k>" or of coefficient k
/// of "tanh" or "erf", "tanh<k>"; and the one of vectors of kLookupLanes.
std::string getLookupName(llvm::StringRef table);
std::string getVectorLookupName(llvm::StringRef table);

/// Defines the lookup functions that `module` declares. With `hasVectors`, for
/// machines with AVX-512, also defines those on vectors and announces them to
/// LLVM's vectoriser.
void defineLookups(llvm::Module &module, bool hasVectors);

/// Inlines these functions and removes them.
void inlineLookups(llvm::Module &module);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_LOOKUPFUNCTIONS_H
