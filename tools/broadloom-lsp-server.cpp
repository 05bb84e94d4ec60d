//===- broadloom-lsp-server.cpp - diagnostics while one types -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/libbroadloom/Programs.h"

int main(int argc, char **argv) {
  return broadloomRunLanguageServer(argc, argv);
}
