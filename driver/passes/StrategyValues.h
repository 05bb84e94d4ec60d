//===- StrategyValues.h - options for the strategy --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words for Strategy on command lines, in pipelines and in the C interface.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_STRATEGYVALUES_H
#define BROADLOOM_DRIVER_PASSES_STRATEGYVALUES_H

#include "dialect/OptionWords.h"
#include "driver/CompileOptions.h"

namespace broadloom {

inline constexpr OptionWord<Strategy> kStrategyWords[] = {
    {Strategy::Default, "default", "fused maps and strip kernels"},
    {Strategy::Rfc, "rfc", "the RFC's IR, one operation at a time"}};

/// The values of an option `--strategy`.
inline llvm::cl::ValuesClass getStrategyValues() {
  return getOptionValues(kStrategyWords);
}

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_STRATEGYVALUES_H
