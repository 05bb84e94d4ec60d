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

#include "dialect/OptionWords.h"
#include "shape/Verify.h"

namespace broadloom {

inline constexpr OptionWord<DynamicToStatic> kPolicyWords[] = {
    {DynamicToStatic::Allow, "allow", "is a guard"},
    {DynamicToStatic::Forbid, "forbid", "is an error"}};

/// The values of an option `--dynamic-to-static`.
inline llvm::cl::ValuesClass getPolicyValues() {
  return getOptionValues(kPolicyWords);
}

} // namespace broadloom

#endif // BROADLOOM_DIALECT_POLICYVALUES_H
