//===- ConvertModelTest.cpp - which model is converted --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/OpenSource.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace broadloom;
namespace fs = std::filesystem;

namespace {

/// A model of ONNX by its first bytes.
std::string makeModel(const std::string &end) { return "\x08\x08\x12" + end; }

/// What a converter makes of a model; the converter writes its last bytes.
std::string convert(const Source &source, bool borrows) {
  auto opened = openSource(source, borrows);
  if (!opened)
    return llvm::toString(opened.takeError());
  return opened->buffer->getBuffer().str();
}

TEST(ConvertModel, a_model_in_memory_is_not_the_file_of_its_name) {
  fs::path folder = fs::temp_directory_path() /
                    ("broadloom-converter-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::path script = folder / "converter", file = folder / "m.onnx";
  // The arguments are: model --name name -o output.
  std::ofstream(script) << "#!/bin/sh\ntail -c 3 \"$1\" > \"$5\"\n";
  fs::permissions(script, fs::perms::owner_all);
  ::setenv("BROADLOOM_ONNX_CONVERTER", script.c_str(), 1);
  std::ofstream(file) << makeModel("old");
  for (bool borrows : {false, true}) {
    EXPECT_EQ(convert(Source::file(file.string()), borrows), "old");
    EXPECT_EQ(convert(Source::text(makeModel("new"), file.string()), borrows),
              "new");
  }
  ::unsetenv("BROADLOOM_ONNX_CONVERTER");
  fs::remove_all(folder);
}

} // namespace
