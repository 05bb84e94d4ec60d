//===- broadloom.cpp - the command-line program ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/libbroadloom/Programs.h"

int main(int argc, char **argv) { return broadloomRunCommandLine(argc, argv); }
