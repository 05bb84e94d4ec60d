//===- PolicyValues.h - options for the policy of verify-4 ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words for DynamicToStatic on command lines, in passes and in pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_POLICYVALUES_H
#define BROADLOOM_DIALECT_POLICYVALUES_H

#include "shape/Verify.h"

#include "llvm/Support/CommandLine.h"

namespace broadloom {

/// The values of an option `--dynamic-to-static`.
inline llvm::cl::ValuesClass getPolicyValues() {
  return llvm::cl::values(
      clEnumValN(DynamicToStatic::Allow, "allow", "is a guard"),
      clEnumValN(DynamicToStatic::Forbid, "forbid", "is an error"));
}

} // namespace broadloom

#endif // BROADLOOM_DIALECT_POLICYVALUES_H
