//===- StrategyValues.h - options for the strategy --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words for Strategy on command lines and in pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STRATEGYVALUES_H
#define BROADLOOM_DRIVER_STRATEGYVALUES_H

#include "driver/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace broadloom {

/// The values of an option `--strategy`.
inline llvm::cl::ValuesClass getStrategyValues() {
  return llvm::cl::values(
      clEnumValN(Strategy::Default, "default", "fused maps and strip kernels"),
      clEnumValN(Strategy::Rfc, "rfc",
                 "the RFC's IR, one operation at a time"));
}

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STRATEGYVALUES_H
