//===- EchoMain.cpp - reads inputs and shows them, for tests --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests that compare with NumPy (test/tools/numpy-agreement.py). Reads one
// command per line from standard input:
//
//   TYPE INPUT            prints the input, then a line "--"
//   TYPE INPUT -> PATH    writes it as .npy, and prints "--"
//
// TYPE is the expected element type, or "-". Errors are printed like results.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/ElementTypes.h"
#include "tools/io/InputText.h"
#include "tools/io/Npy.h"
#include "tools/io/PrintTensor.h"

#include <cstdio>
#include <iostream>

using namespace broadloom;
using namespace broadloom::io;

static Error write(const BroadloomTensor &tensor, const std::string &path) {
  auto file = OutputFile::open(path);
  if (!file)
    return file.error();
  if (Error error = writeNpy(*file, tensor); !error.empty())
    return error;
  return file->commit();
}

static std::string answer(const std::string &line) {
  size_t space = line.find(' '), arrow = line.find(" -> ");
  std::string input = line.substr(
      space + 1, arrow == std::string::npos ? arrow : arrow - space - 1);
  auto tensor = readInput(input, 0, elementTypeFromName(line.substr(0, space)));
  if (!tensor)
    return "error: " + tensor.error();
  if (arrow == std::string::npos)
    return tensorToString(**tensor);
  Error error = write(**tensor, line.substr(arrow + 4));
  return error.empty() ? "" : "error: " + error;
}

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line) << "\n--" << std::endl;
  return 0;
}
