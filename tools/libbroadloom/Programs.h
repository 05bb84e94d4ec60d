//===- Programs.h - programs that are in libbroadloom -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libbroadloom contains the programs `broadloom` and `broadloom-probe`. If it
// is installed without them, as in the Python package, small programs of these
// names call it, so that there is one copy of MLIR and LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_LIBBROADLOOM_PROGRAMS_H
#define BROADLOOM_TOOLS_LIBBROADLOOM_PROGRAMS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The main function of `broadloom`. It may end the process, and handles its
/// signals.
int broadloomRunCommandLine(int argc, char **argv);
/// The main function of `broadloom-probe` (driver/ProbeBytecode.h).
int broadloomRunProbe(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_TOOLS_LIBBROADLOOM_PROGRAMS_H
