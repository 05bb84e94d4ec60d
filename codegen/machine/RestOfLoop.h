//===- RestOfLoop.h - iterations behind the vectors of a loop ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_RESTOFLOOP_H
#define BROADLOOM_CODEGEN_MACHINE_RESTOFLOOP_H

#include <cstdint>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace broadloom::codegen {

/// At most so many iterations has a loop that runs what is left of another one
/// when LLVM has made vectors of that: fewer than a vector has elements. It
/// begins behind a multiple of the vectors' elements, or where the other one
/// begins if that is shorter than a vector, and counts by 1. 0 if this is not
/// known, or if it may begin at its bound or behind it and goes on until it is
/// there.
uint64_t getMostOfRest(const llvm::Loop &loop, llvm::ScalarEvolution &values);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_RESTOFLOOP_H
