//===- NpyTest.cpp - reading and writing .npy files -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/Npy.h"
#include "tools/io/NpyHeader.h"
#include "tools/io/PrintTensor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace broadloom::io;

namespace {
class Npy : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder), nullptr);
    path = std::string(folder) + "/a.npy";
  }
  void TearDown() override {
    unlink(path.c_str());
    EXPECT_EQ(rmdir(folder), 0) << "something is left in " << folder;
  }

  void put(const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  /// A file of format `major`.0 with this dictionary and data.
  void putArray(const std::string &header, const std::string &data,
                char major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += major;
    bytes += '\0';
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
      bytes += static_cast<char>(header.size() >> (8 * i));
    put(bytes + header + data);
  }
  void putArray(const char *descriptor, const char *shape,
                const std::string &data, bool fortran = false) {
    putArray("{'descr': '" + std::string(descriptor) + "', 'fortran_order': " +
                 (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n",
             data);
  }

  /// Element type and values, or the error without the path.
  std::string read(std::optional<BroadloomElementType> expected = {}) {
    auto tensor = readNpy(path, expected);
    if (!tensor) {
      EXPECT_EQ(tensor.error().substr(0, path.size() + 2), path + ": ");
      return tensor.error().substr(path.size() + 2);
    }
    return std::string(broadloomElementTypeName((*tensor)->elementType)) + " " +
           tensorToString(**tensor);
  }
  std::string contents() {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string write(const BroadloomTensor &tensor) {
    auto file = OutputFile::open(path);
    EXPECT_TRUE(file) << file.error();
    EXPECT_EQ(writeNpy(*file, tensor), "");
    EXPECT_EQ(file->commit(), "");
    return contents();
  }

  char folder[32] = "/tmp/broadloom-npy-XXXXXX";
  std::string path;
};
} // namespace

static std::string bytes(std::initializer_list<int> values) {
  std::string result;
  for (int value : values)
    result += static_cast<char>(value);
  return result;
}

TEST_F(Npy, readsNumpysTypes) {
  struct Case {
    const char *descriptor, *expected;
    std::string data;
  };
  const Case cases[] = {
      {"|b1", "i1 [ True False]", bytes({1, 0})},
      {"|b1", "i1 [ True False]", bytes({200, 0})},
      {"|i1", "i8 [-1  2]", bytes({255, 2})},
      {"|u1", "ui8 [255   2]", bytes({255, 2})},
      {"<i2", "i16 [ 1 -1]", bytes({1, 0, 255, 255})},
      {"<u2", "ui16 [    1 65535]", bytes({1, 0, 255, 255})},
      {"=i2", "i16 [ 1 -1]", bytes({1, 0, 255, 255})},
      {">i2", "i16 [1 2]", bytes({0, 1, 0, 2})},
      {">f4", "f32 [1. 2.]", bytes({0x3f, 0x80, 0, 0, 0x40, 0, 0, 0})},
      {"<f2", "f16 [1. 2.]", bytes({0, 0x3c, 0, 0x40})},
      {"<f8", "f64 [1. 2.]",
       bytes({0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40})},
  };
  for (const Case &c : cases) {
    putArray(c.descriptor, "(2,)", c.data);
    EXPECT_EQ(read(), c.expected) << c.descriptor;
  }
}

TEST_F(Npy, readsTypesThatNumpyLacks) {
  for (const char *descriptor : {"<V2", "|V2", "<u2"}) {
    putArray(descriptor, "(2,)", bytes({0x80, 0x3f, 0, 0x40}));
    EXPECT_EQ(read(BROADLOOM_BF16), "bf16 [1. 2.]") << descriptor;
  }
  for (const char *descriptor : {"<V1", "|V1", "|u1"}) {
    putArray(descriptor, "(2,)", bytes({0x38, 0x7f}));
    EXPECT_EQ(read(BROADLOOM_F8E4M3FN), "f8E4M3FN [ 1. nan]") << descriptor;
  }
  for (const char *descriptor : {"|u1", "|V1", "<f1"}) {
    putArray(descriptor, "(2,)", bytes({0x3c, 0x7c}));
    EXPECT_EQ(read(BROADLOOM_F8E5M2), "f8E5M2 [ 1. inf]") << descriptor;
  }
  putArray("<V2", "(1,)", bytes({0, 0}));
  EXPECT_EQ(read(), "the element type '<V2' cannot be read where nothing says "
                    "what it stands for");
}

// A signless integer has no sign to disagree with.
TEST_F(Npy, signlessTakesBoth) {
  putArray("|u1", "(1,)", bytes({255}));
  EXPECT_EQ(read(BROADLOOM_I8), "i8 [-1]");
  EXPECT_EQ(read(BROADLOOM_U8), "ui8 [255]");
  putArray("|i1", "(1,)", bytes({255}));
  EXPECT_EQ(read(BROADLOOM_U8),
            "the element type is '|i1' (i8), but ui8 is expected");
  EXPECT_EQ(read(BROADLOOM_I1),
            "the element type is '|i1' (i8), but i1 is expected");
  EXPECT_EQ(read(BROADLOOM_F32),
            "the element type is '|i1' (i8), but f32 is expected");
}

TEST_F(Npy, refusesOtherTypesByName) {
  struct Case {
    const char *descriptor, *name;
  };
  for (const Case &c : {Case{"|O", "Python objects"},
                        {"<U5", "unicode strings"},
                        {"|S3", "byte strings"},
                        {"<M8[ns]", "datetime64"},
                        {"<m8", "timedelta64"},
                        {"<c8", "complex numbers"}}) {
    putArray(c.descriptor, "(1,)", std::string(64, '\0'));
    EXPECT_NE(read().find(c.name), std::string::npos) << read();
  }
  putArray("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}",
           "    ");
  EXPECT_NE(read().find("structured element type"), std::string::npos);
  putArray("<f16", "(1,)", std::string(16, '\0'));
  EXPECT_EQ(read(), "the element type '<f16' cannot be read where nothing says "
                    "what it stands for");
  for (const char *descriptor : {"", "<", "<f", "4f", "<f4x", "<q8", "<i-1"}) {
    putArray(descriptor, "(1,)", std::string(8, '\0'));
    EXPECT_NE(read().find("is not known"), std::string::npos) << read();
  }
}

TEST_F(Npy, readsAllFormatsAndSpellings) {
  std::string data = bytes({1, 2, 3, 4, 5, 6});
  std::string header =
      "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }  \n";
  for (char major : {1, 2, 3}) {
    putArray(header, data, major);
    EXPECT_EQ(read(), "i8 [[1 2 3]\n [4 5 6]]") << int(major);
  }
  putArray("{\"shape\":(2L,3L),\"descr\":\"|i1\",\"fortran_order\":True}",
           data);
  EXPECT_EQ(read(), "i8 [[1 3 5]\n [2 4 6]]");
  putArray(header, data, 4);
  EXPECT_EQ(read(), "format 4.0 of .npy is not known; 1.0, 2.0 and 3.0 are");
}

TEST_F(Npy, readsRanksAndEmptyArrays) {
  putArray("|i1", "()", bytes({7}));
  EXPECT_EQ(read(), "i8 7");
  putArray("|i1", "(0,)", "");
  EXPECT_EQ(read(), "i8 []");
  putArray("|i1", "(3, 0)", "", /*fortran=*/true);
  EXPECT_EQ(read(), "i8 []");
  putArray("<i2", "(2, 1, 2)", bytes({1, 0, 2, 0, 3, 0, 4, 0}), true);
  EXPECT_EQ(read(), "i16 [[[1 3]]\n\n [[2 4]]]");
}

// abi-3: whatever the header says, it is believed as far as the bytes go.
TEST_F(Npy, refusesWrongSizes) {
  putArray("<i4", "(3,)", std::string(8, '\0'));
  EXPECT_EQ(read(), "the file is truncated, or wrong about its size: 12 bytes "
                    "of data of 3xi32 are announced, but 8 are left");
  putArray("<i4", "(3,)", std::string(13, '\0'));
  EXPECT_EQ(read(), "the file is wrong about its size: 1 bytes are left after "
                    "the data of 3xi32");
  putArray("<f8", "(1000000000000,)", "12345678");
  EXPECT_NE(read().find("8000000000000 bytes"), std::string::npos);
  putArray("<f8", "(4611686018427387904, 4)", "");
  EXPECT_NE(read().find("overflows"), std::string::npos);
  putArray("<f8", "(0, 4611686018427387904, 4)", "");
  EXPECT_NE(read().find("overflows"), std::string::npos);
  putArray("<f8", "(99999999999999999999,)", "");
  EXPECT_EQ(read(), "the extent 99999999999999999999 overflows 63 bits");
  putArray("<f8", "(2, -1)", "");
  EXPECT_EQ(read(), "axis 1 has the negative extent -1");
  std::string deep = "(";
  for (int i = 0; i < 33; ++i)
    deep += "1,";
  putArray("|i1", (deep + ")").c_str(), "1");
  EXPECT_EQ(read(), "the array has 33 axes, but at most 32 are supported");
}

TEST_F(Npy, refusesTruncatedAndAbsurdHeaders) {
  put("");
  EXPECT_EQ(read(), "not a .npy file: it has only 0 bytes");
  put("\x93NUM");
  EXPECT_EQ(read(), "not a .npy file: it has only 4 bytes");
  put("hello, world");
  EXPECT_EQ(read(), "not a .npy file: it does not begin as one");
  put("PK\3\4........");
  EXPECT_NE(read().find("numpy.savez"), std::string::npos);
  put(std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(read().find("truncated"), std::string::npos);
  put(std::string("\x93NUMPY\x01\x00\xff\xff{", 11));
  EXPECT_NE(read().find("65535 bytes of header are announced, but 1 are left"),
            std::string::npos);
  put(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13));
  EXPECT_NE(read().find("4294967295 bytes of header"), std::string::npos);
  putArray(std::string((1 << 20) + 1, ' '), "", 2);
  EXPECT_NE(read().find("more than 1048576 are not read"), std::string::npos);
}

TEST_F(Npy, refusesMalformedHeaders) {
  for (const char *header :
       {"", "{", "}", "{}", "[]", "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': 4, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}"}) {
    putArray(header, std::string(12, '\0'));
    EXPECT_EQ(read().substr(0, 23), "the header is malformed") << header;
  }
}

TEST_F(Npy, refusesWhatIsNoFile) {
  EXPECT_EQ(read(), "cannot open the file: No such file or directory");
  std::string file = path;
  path = folder;
  EXPECT_EQ(read(), "cannot read the file: it is a folder");
  path = file;
}

TEST_F(Npy, readsFifos) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string start = formatNpyHeader(BROADLOOM_I8, {3000000});
  auto send = [&](size_t count) {
    return std::thread([this, start, count] {
      std::ofstream(path, std::ios::binary) << start << std::string(count, 1);
    });
  };
  std::thread whole = send(3000000);
  EXPECT_EQ(read(), "i8 [1 1 1 ... 1 1 1]");
  whole.join();
  std::thread cut = send(1000);
  EXPECT_NE(read().find("the file is truncated"), std::string::npos);
  cut.join();
}

TEST_F(Npy, writesExactly) {
  int32_t values[3] = {1, 2, 3};
  int64_t extents[1] = {3};
  BroadloomTensor tensor;
  broadloomTensorBorrow(BROADLOOM_I32, 1, extents, nullptr, values, &tensor);
  std::string text = write(tensor);
  ASSERT_EQ(text.size(), 128u + 12u);
  EXPECT_EQ(text.substr(0, 10), std::string("\x93NUMPY\x01\x00v\x00", 10));
  EXPECT_EQ(text.substr(10, 59),
            "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }  ");
  EXPECT_EQ(text[127], '\n');
  EXPECT_EQ(text.substr(128), bytes({1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(read(), "i32 [1 2 3]");
}

TEST_F(Npy, writesDescriptors) {
  struct Case {
    BroadloomElementType type;
    const char *descriptor;
  };
  for (const Case &c : {Case{BROADLOOM_I1, "|b1"},
                        {BROADLOOM_I8, "|i1"},
                        {BROADLOOM_I16, "<i2"},
                        {BROADLOOM_I32, "<i4"},
                        {BROADLOOM_I64, "<i8"},
                        {BROADLOOM_U8, "|u1"},
                        {BROADLOOM_U16, "<u2"},
                        {BROADLOOM_U32, "<u4"},
                        {BROADLOOM_U64, "<u8"},
                        {BROADLOOM_F8E4M3FN, "<V1"},
                        {BROADLOOM_F8E5M2, "|u1"},
                        {BROADLOOM_F16, "<f2"},
                        {BROADLOOM_BF16, "<V2"},
                        {BROADLOOM_F32, "<f4"},
                        {BROADLOOM_F64, "<f8"}}) {
    auto tensor = createTensor(c.type, {});
    ASSERT_TRUE(tensor);
    std::memset((*tensor)->data, 0, broadloomElementBytes(c.type));
    std::string text = write(**tensor);
    EXPECT_EQ(text.substr(10, 55), "{'descr': '" + std::string(c.descriptor) +
                                       "', 'fortran_order': False, 'shape': "
                                       "(), }");
    EXPECT_EQ(text.size() % 64, size_t(broadloomElementBytes(c.type)));
    EXPECT_EQ(read(c.type).substr(0, 2),
              std::string(broadloomElementTypeName(c.type)).substr(0, 2));
  }
}

TEST_F(Npy, writesAnyStrides) {
  std::vector<int16_t> values(2000000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int16_t>(i);
  int64_t extents[2] = {1000, 2000}, strides[2] = {1, 1000};
  BroadloomTensor tensor;
  broadloomTensorBorrow(BROADLOOM_I16, 2, extents, strides, values.data(),
                        &tensor);
  write(tensor);
  auto back = readNpy(path);
  ASSERT_TRUE(back) << back.error();
  const int16_t *data = static_cast<const int16_t *>((*back)->data);
  for (int64_t i = 0; i < 1000; ++i)
    for (int64_t j = 0; j < 2000; ++j)
      ASSERT_EQ(data[i * 2000 + j], values[i + j * 1000]);
}
