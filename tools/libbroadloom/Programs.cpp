//===- Programs.cpp - programs that are in libbroadloom -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/libbroadloom/Programs.h"
#include "driver/sources/ProbeBytecode.h"
#include "tools/broadloom/Options.h"
#include "tools/lsp/LanguageServer.h"

int broadloomRunCommandLine(int argc, char **argv) {
  return broadloom::tool::runCommandLine(argc, argv);
}

int broadloomRunProbe(int argc, char **argv) {
  return broadloom::runProbe(argc, argv);
}

int broadloomRunLanguageServer(int argc, char **argv) {
  return broadloom::lsp::runLanguageServer(argc, argv);
}
