//===- Programs.h - programs that are in libbroadloom -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libbroadloom contains what the programs `broadloom`, `broadloom-probe` and
// `broadloom-lsp-server` do. They are small programs that call it, so that
// there is one copy of MLIR and LLVM (decision 58).
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
/// The main function of `broadloom-probe` (driver/sources/ProbeBytecode.h).
int broadloomRunProbe(int argc, char **argv);
/// The main function of `broadloom-lsp-server`, which ends the process.
int broadloomRunLanguageServer(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_TOOLS_LIBBROADLOOM_PROGRAMS_H
