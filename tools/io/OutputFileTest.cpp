//===- OutputFileTest.cpp - a file that appears only when it is whole -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/OutputFile.h"

#include <gtest/gtest.h>

#include <dirent.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace broadloom::io;

namespace {
class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder), nullptr);
    path = std::string(folder) + "/out";
  }
  void TearDown() override {
    for (const std::string &name : names())
      unlink((std::string(folder) + "/" + name).c_str());
    rmdir(folder);
  }

  std::vector<std::string> names() {
    std::vector<std::string> result;
    DIR *directory = opendir(folder);
    while (dirent *entry = readdir(directory))
      if (entry->d_name[0] != '.' || std::string(entry->d_name).size() > 2)
        result.push_back(entry->d_name);
    closedir(directory);
    return result;
  }
  std::string contents(const std::string &of) {
    std::ifstream file(of);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void put(const std::string &text) { std::ofstream(path) << text; }
  std::string write(const std::string &to, const std::string &text) {
    auto file = OutputFile::open(to);
    if (!file)
      return file.error();
    if (Error error = file->write(text.data(), text.size()); !error.empty())
      return error;
    return file->commit();
  }

  char folder[32] = "/tmp/broadloom-out-XXXXXX";
  std::string path;
};
} // namespace

TEST_F(OutputFileTest, appearsAtCommit) {
  auto file = OutputFile::open(path);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->write("ab", 2), "");
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  EXPECT_EQ(file->write("c", 1), "");
  EXPECT_EQ(file->commit(), "");
  EXPECT_EQ(contents(path), "abc");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, dropLeavesNothing) {
  {
    auto file = OutputFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->write("ab", 2), "");
  }
  EXPECT_TRUE(names().empty());
  put("old");
  {
    auto file = OutputFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->write("new", 3), "");
    OutputFile moved = std::move(*file);
    EXPECT_EQ(contents(path), "old");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, replacesAndKeepsPermissions) {
  put("a longer old text");
  chmod(path.c_str(), 0640);
  EXPECT_EQ(write(path, "new"), "");
  EXPECT_EQ(contents(path), "new");
  struct stat status;
  stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// A file that is read while its successor is written: as where an output is
// also an input.
TEST_F(OutputFileTest, readersKeepTheOldFile) {
  put("old");
  std::ifstream reader(path);
  EXPECT_EQ(write(path, "new"), "");
  std::string text;
  reader >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(contents(path), "new");
}

TEST_F(OutputFileTest, followsLinks) {
  std::string link = std::string(folder) + "/link";
  ASSERT_EQ(symlink("out", link.c_str()), 0);
  EXPECT_EQ(write(link, "one"), ""); // to a file that is not there yet
  EXPECT_EQ(contents(path), "one");
  EXPECT_EQ(write(link, "two"), "");
  EXPECT_EQ(contents(path), "two");
  struct stat status;
  lstat(link.c_str(), &status);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

TEST_F(OutputFileTest, relativePaths) {
  char before[4096];
  ASSERT_NE(getcwd(before, sizeof(before)), nullptr);
  ASSERT_EQ(chdir(folder), 0);
  EXPECT_EQ(write("out", "here"), "");
  ASSERT_EQ(chdir(before), 0);
  EXPECT_EQ(contents(path), "here");
}

TEST_F(OutputFileTest, refusesAtOnce) {
  EXPECT_EQ(OutputFile::open(folder).error(),
            "'" + std::string(folder) +
                "': cannot write the output: it is a folder");
  EXPECT_EQ(OutputFile::open(path + "/").error(),
            "'" + path + "/': cannot write the output: it is a folder");
  EXPECT_EQ(OutputFile::open("").error(),
            "'': cannot write the output: the path is empty");
  EXPECT_EQ(OutputFile::open(path + "/x").error(),
            path + "/x: cannot write the output: No such file or directory");
  put("");
  EXPECT_EQ(OutputFile::open(path + "/x").error(),
            path + "/x: cannot write the output: Not a directory");
  EXPECT_FALSE(OutputFile::open(path + std::string(300, 'x')));
}

TEST_F(OutputFileTest, devicesAndFifos) {
  EXPECT_EQ(write("/dev/null", "gone"), "");
  struct stat status;
  stat("/dev/null", &status);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(write("/dev/full", "x"),
            "/dev/full: cannot write the output: No space left on device");

  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  auto file = OutputFile::open(path); // without a reader: does not wait
  ASSERT_TRUE(file) << file.error();
  std::string received;
  std::thread reader([&] { received = contents(path); });
  EXPECT_EQ(file->write("through", 7), "");
  EXPECT_EQ(file->commit(), "");
  reader.join();
  EXPECT_EQ(received, "through");
}
