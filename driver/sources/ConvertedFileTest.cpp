//===- ConvertedFileTest.cpp - files of converters ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ConvertedFile.h"
#include "driver/sources/SourceFile.h"

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
    stamp = getStamp();
  }
  ~ConvertedFile() override { fs::remove_all(folder); }

  FileStamp getStamp() const {
    auto file = SourceFile::open(weights);
    EXPECT_TRUE(bool(file));
    return file->getStamped().stamp;
  }

  static std::string spell(std::initializer_list<uint64_t> numbers) {
    std::string bytes;
    for (uint64_t number : numbers)
      for (int i = 0; i < 8; ++i)
        bytes.push_back(char(number >> (8 * i)));
    return bytes;
  }

  /// A program with one constant of its own, `own`, and one that is `size`
  /// bytes from `begin` on of file `number`.
  std::string write(uint64_t number, uint64_t begin, uint64_t size) const {
    std::string bytes = std::string("\x89"
                                    "BLW\r\n\x1a\3",
                                    8) +
                        spell({1, 2, 4}) +
                        spell({weights.size(), stamp.device, stamp.inode,
                               stamp.size, stamp.time}) +
                        spell({0, 0, 3}) + spell({number, begin, size}) +
                        weights + "text";
    bytes.resize((bytes.size() + 63) / 64 * 64);
    return bytes + "own";
  }

  /// The text and the constants, or the error.
  static std::string read(const std::string &bytes) {
    auto found = readConverted(llvm::MemoryBuffer::getMemBufferCopy(bytes), "m",
                               "/nowhere");
    if (!found)
      return llvm::toString(found.takeError());
    std::string all = found->program->getBuffer().str();
    for (const SharedBytes &constant : found->constants)
      all += "|" + std::string(constant.bytes);
    return all;
  }

  fs::path folder;
  std::string weights;
  FileStamp stamp;
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
  for (uint64_t *number :
       {&stamp.device, &stamp.inode, &stamp.size, &stamp.time}) {
    *number += 1;
    EXPECT_EQ(read(write(1, 0, 1)),
              "the file " + weights +
                  " with its weights has changed meanwhile; try again once it "
                  "is written");
    *number -= 1;
  }
  fs::remove(weights);
  EXPECT_EQ(read(write(1, 0, 1)), "its weights in " + weights +
                                      " cannot be read: No such file or "
                                      "directory");
}

/// A model may be written again, and other files tell whether they were.
TEST_F(ConvertedFile, the_model_is_read_and_other_files_are_mapped) {
  std::string large(1 << 20, 'a');
  std::ofstream(weights) << large;
  stamp = getStamp();
  for (bool isModel : {false, true}) {
    auto found =
        readConverted(llvm::MemoryBuffer::getMemBufferCopy(write(1, 2, 3)), "m",
                      isModel ? weights : "/nowhere");
    ASSERT_TRUE(bool(found));
    ASSERT_EQ(found->files.size(), isModel ? 0U : 1U);
    if (!isModel)
      EXPECT_TRUE(found->files[0].isUnchanged());
    std::fstream(weights, std::ios::in | std::ios::out) << "bbbbbb";
    fs::last_write_time(weights, fs::file_time_type::clock::now() -
                                     std::chrono::hours(isModel ? 1 : 2));
    EXPECT_EQ(found->constants[1].bytes, isModel ? "aaa" : "bbb");
    if (!isModel)
      EXPECT_FALSE(found->files[0].isUnchanged());
    std::ofstream(weights) << large;
    stamp = getStamp();
  }
}

TEST_F(ConvertedFile, files_are_whole_in_memory_or_not_at_all) {
  for (size_t size : {0, 1, 4095, 4096, 3 << 20}) {
    std::string text(size, 'x');
    std::ofstream(weights) << text;
    auto file = SourceFile::open(weights);
    ASSERT_TRUE(bool(file));
    auto contents = file->read("name");
    ASSERT_TRUE(bool(contents));
    EXPECT_EQ((*contents)->getBuffer(), text);
    EXPECT_EQ(*(*contents)->getBufferEnd(), 0);
    EXPECT_EQ((*contents)->getBufferIdentifier(), "name");
    for (size_t now : {size + 1, size / 2}) {
      fs::resize_file(weights, now);
      if (now == size)
        continue;
      auto torn = file->read("name");
      ASSERT_FALSE(bool(torn));
      EXPECT_EQ(llvm::toString(torn.takeError()),
                "the file has changed while it was read; try again once it is "
                "written");
    }
  }
}

} // namespace
