//===- ForEachInputs.h - all that a function can be called with -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_FOREACHINPUTS_H
#define BROADLOOM_TEST_FUZZ_GUARDS_FOREACHINPUTS_H

#include "test/fuzz/guards/Case.h"

namespace broadloom::guards {

/// Calls `visit` with everything that a function with arguments of these types
/// can be called with, until it returns false.
void forEachInputs(const Case &it, const std::vector<Pattern> &arguments,
                   const std::function<bool(const Inputs &)> &visit);

/// How many inputs there are.
double countInputs(const Case &it, const std::vector<Pattern> &arguments);

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_FOREACHINPUTS_H
