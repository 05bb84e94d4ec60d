//===- Sequence.h - one call after the other --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs with variables: a call for each step of a sequence. Variables
// are kept between calls, and in files from one run of the command to the next.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_SEQUENCE_H
#define BROADLOOM_TOOLS_BROADLOOM_SEQUENCE_H

#include "driver/State.h"
#include "tools/broadloom/Options.h"

namespace broadloom::tool {

/// Calls the function once for each index of the first axis of the inputs, with
/// their parts at this index. `results` gets the results of all calls, stacked
/// along a new first axis. Returns the exit status; errors have been reported.
int runSequence(Invocation &call, const LoadedCall &loaded,
                std::vector<io::OwnedTensor> &results);

/// Reads the values of variables from the files `NAME.npy` in `folder`, if they
/// exist. Every character of a name that is neither a letter, a digit nor one
/// of `_.-` is written as `%` and its code.
int readState(State &state, const std::string &folder);
/// Writes the values of all variables there.
int writeState(State &state, const std::string &folder);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_SEQUENCE_H
