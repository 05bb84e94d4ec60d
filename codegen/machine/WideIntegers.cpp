//===- WideIntegers.cpp - what integers of 65 to 128 bits call ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/WideIntegers.h"

using namespace broadloom::codegen;

#define BROADLOOM_WIDE_INTEGER_FUNCTIONS(F)                                    \
  F(__divti3)                                                                  \
  F(__udivti3)                                                                 \
  F(__modti3)                                                                  \
  F(__umodti3)                                                                 \
  F(__floattihf)                                                               \
  F(__floattisf)                                                               \
  F(__floattidf)                                                               \
  F(__floatuntihf)                                                             \
  F(__floatuntisf)                                                             \
  F(__floatuntidf)                                                             \
  F(__fixhfti)                                                                 \
  F(__fixsfti)                                                                 \
  F(__fixdfti)                                                                 \
  F(__fixunshfti)                                                              \
  F(__fixunssfti)                                                              \
  F(__fixunsdfti)

// Only their addresses are taken.
#define BROADLOOM_DECLARE(name) extern "C" void name();
BROADLOOM_WIDE_INTEGER_FUNCTIONS(BROADLOOM_DECLARE)
#undef BROADLOOM_DECLARE

llvm::ArrayRef<NamedFunction> broadloom::codegen::getWideIntegerFunctions() {
#define BROADLOOM_NAME(name) {llvm::StringLiteral(#name), name},
  static constexpr NamedFunction kFunctions[] = {
      BROADLOOM_WIDE_INTEGER_FUNCTIONS(BROADLOOM_NAME)};
#undef BROADLOOM_NAME
  return kFunctions;
}
