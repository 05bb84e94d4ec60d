//===- ConvertedFileTest.cpp - files of converters ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ConvertedFile.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace broadloom;
namespace fs = std::filesystem;

namespace {

class ConvertedFile : public ::testing::Test {
protected:
  ConvertedFile()
      : folder(fs::temp_directory_path() /
               ("broadloom-converted-" + std::to_string(::getpid()))),
        weights((folder / "weights").string()) {
    fs::create_directories(folder);
    std::ofstream(weights) << "0123456789";
    llvm::sys::fs::file_status status;
    EXPECT_FALSE(llvm::sys::fs::status(weights, status));
    time = uint64_t(status.getLastModificationTime().time_since_epoch() /
                    std::chrono::nanoseconds(1));
  }
  ~ConvertedFile() override { fs::remove_all(folder); }

  static std::string spell(std::initializer_list<uint64_t> numbers) {
    std::string bytes;
    for (uint64_t number : numbers)
      for (int i = 0; i < 8; ++i)
        bytes.push_back(char(number >> (8 * i)));
    return bytes;
  }

  /// A program with one constant of its own, `own`, and one that is `size`
  /// bytes from `begin` on of file `number`, which had `fileSize` bytes.
  std::string write(uint64_t number, uint64_t begin, uint64_t size,
                    uint64_t fileSize = 10) const {
    std::string bytes =
        std::string("\x89"
                    "BLW\r\n\x1a\2",
                    8) +
        spell({1, 2, 4}) + spell({weights.size(), fileSize, time}) +
        spell({0, 0, 3}) + spell({number, begin, size}) + weights + "text";
    bytes.resize((bytes.size() + 63) / 64 * 64);
    return bytes + "own";
  }

  /// The text and the constants, or the error.
  static std::string read(const std::string &bytes) {
    auto found =
        readConverted(llvm::MemoryBuffer::getMemBufferCopy(bytes), "m");
    if (!found)
      return llvm::toString(found.takeError());
    std::string all = found->program->getBuffer().str();
    for (const SharedBytes &constant : found->constants)
      all += "|" + std::string(constant.bytes);
    return all;
  }

  fs::path folder;
  std::string weights;
  uint64_t time;
};

TEST_F(ConvertedFile, constants_stay_in_other_files) {
  EXPECT_EQ(read(write(1, 2, 3)), "text|own|234");
  EXPECT_EQ(read(write(1, 0, 10)), "text|own|0123456789");
  EXPECT_EQ(read(write(1, 10, 0)), "text|own|");
  EXPECT_EQ(read("func.func"), "func.func");
}

TEST_F(ConvertedFile, numbers_that_do_not_add_up) {
  const char *damaged = "what it has written is cut off or damaged";
  EXPECT_EQ(read(write(2, 0, 1)), damaged);
  EXPECT_EQ(read(write(1, 8, 3)), damaged);
  EXPECT_EQ(read(write(1, 11, 0)), damaged);
  EXPECT_EQ(read(write(1, ~uint64_t(0), 2)), damaged);
  EXPECT_EQ(read(write(1, 1, ~uint64_t(0))), damaged);
  std::string whole = write(1, 2, 3);
  for (size_t size = 8; size < whole.size(); ++size)
    EXPECT_EQ(read(whole.substr(0, size)), damaged) << size;
  EXPECT_EQ(read(whole + "x"), damaged);
}

TEST_F(ConvertedFile, files_that_have_changed) {
  EXPECT_EQ(read(write(1, 0, 1, 11)),
            "the file " + weights + " with its weights has changed meanwhile");
  time += 1;
  EXPECT_EQ(read(write(1, 0, 1)),
            "the file " + weights + " with its weights has changed meanwhile");
  fs::remove(weights);
  EXPECT_EQ(read(write(1, 0, 1)), "its weights in " + weights +
                                      " cannot be read: No such file or "
                                      "directory");
}

} // namespace
