//===- InputTextTest.cpp - the values of --input --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/InputText.h"
#include "tools/io/Npy.h"
#include "tools/io/PrintTensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unistd.h>

using namespace broadloom::io;

static std::string shapeOf(const BroadloomTensor &tensor) {
  return shapeText(
      tensor.elementType,
      std::vector<int64_t>(tensor.dims, tensor.dims + tensor.rank));
}

/// "2x3xi32 [[...]...]", or the error.
static std::string read(const std::string &text,
                        std::optional<BroadloomElementType> expected = {}) {
  auto tensor = readInput(text, 0, expected);
  if (!tensor)
    return tensor.error();
  return shapeOf(**tensor) + " " + tensorToString(**tensor);
}

TEST(InputText, valuesAndSeparators) {
  std::string expected = "2x3xi32 [[1 2 3]\n [4 5 6]]";
  for (const char *values :
       {"1 2 3 4 5 6", "1,2,3,4,5,6", "1;2;3;4;5;6", "[1 2 3][4 5 6]",
        "[[1, 2, 3], [4, 5, 6]]", "  1 2 3\n4\t5 6  ", "[[1 2 3]\n [4 5 6]]"})
    EXPECT_EQ(read("2x3xi32=" + std::string(values)), expected) << values;
}

TEST(InputText, oneValueFills) {
  EXPECT_EQ(read("2x2xf32=0.5"), "2x2xf32 [[0.5 0.5]\n [0.5 0.5]]");
  EXPECT_EQ(read("2xi1=true"), "2xi1 [ True  True]");
  EXPECT_EQ(read("0x3xf32=1"), "0x3xf32 []");
}

TEST(InputText, scalarsAndEmpty) {
  EXPECT_EQ(read("f32=2"), "f32 2.0");
  EXPECT_EQ(read("i64=[7]"), "i64 7");
  EXPECT_EQ(read("0x3xf32="), "0x3xf32 []");
  EXPECT_EQ(read("0x3xf32"), "0x3xf32 []");
}

// What an error says to write is an input.
TEST(InputText, withoutValues) {
  EXPECT_EQ(read("2xf32"), "argument 0 ('2xf32'): no values are given; write "
                           "2xf32=0 for zeros, or name a .npy file");
  EXPECT_EQ(read("2xf32=0"), "2xf32 [0. 0.]");
  EXPECT_EQ(read("bf16"), "argument 0 ('bf16'): no values are given; write "
                          "bf16=0 for zeros, or name a .npy file");
  EXPECT_EQ(read("bf16=0"), "bf16 0.0");
}

TEST(InputText, integers) {
  EXPECT_EQ(read("4xi1=true false 1 0"), "4xi1 [ True False  True False]");
  EXPECT_EQ(read("4xi8=-128 127 0xff 0b10000000"),
            "4xi8 [-128  127   -1 -128]");
  EXPECT_EQ(read("2xui8=255 0x10"), "2xui8 [255  16]");
  EXPECT_EQ(read("si32=-1"), "i32 -1");
  EXPECT_EQ(read("2xi64=-9223372036854775808 9223372036854775807"),
            "2xi64 [-9223372036854775808  9223372036854775807]");
  EXPECT_EQ(read("ui64=18446744073709551615"), "ui64 18446744073709551615");
  EXPECT_EQ(read("i8=128"), "argument 0 ('i8=128'): '128' is out of the range "
                            "of i8, -128 to 127");
  EXPECT_EQ(read("2xui16=1 -1"),
            "argument 0 ('2xui16=1 -1'): value 1: '-1' is out of the range of "
            "ui16, 0 to 65535");
  EXPECT_EQ(read("i32=99999999999999999999999"),
            "argument 0 ('i32=99999999999999999999999'): "
            "'99999999999999999999999' is out of the range of i32, "
            "-2147483648 to 2147483647");
  EXPECT_EQ(read("i8=0x100"), "argument 0 ('i8=0x100'): '0x100' is out of the "
                              "range of i8, -128 to 127");
  for (const char *text : {"1.5", "1e3", "x", "0x", "--1", "-", "0b2", "1f"})
    EXPECT_NE(read("i32=" + std::string(text)).find("is not an integer"),
              std::string::npos)
        << text;
  EXPECT_EQ(read("i1=2"), "argument 0 ('i1=2'): '2' is not a value of type i1 "
                          "(true, false, 1 or 0)");
}

TEST(InputText, floats) {
  EXPECT_EQ(read("5xf32=inf -inf NaN +1 .5"),
            "5xf32 [ inf -inf  nan  1.   0.5]");
  EXPECT_EQ(read("bf16=3.14159"), "bf16 3.14");
  EXPECT_EQ(read("f16=70000"), "argument 0 ('f16=70000'): '70000' is beyond "
                               "the largest f16, 65504 (write inf for "
                               "infinity)");
}

TEST(InputText, countMismatch) {
  EXPECT_EQ(read("2x3xf32=1 2 3 4 5"),
            "argument 0 ('2x3xf32=1 2 3 4 5'): 2x3xf32 has 6 elements but 5 "
            "values are given");
  EXPECT_EQ(read("2xf32="),
            "argument 0 ('2xf32='): 2xf32 has 2 elements but 0 values are "
            "given");
  EXPECT_EQ(read("f32=1 2"),
            "argument 0 ('f32=1 2'): f32 has 1 element but 2 values are given");
  EXPECT_EQ(read("2xf32=[1 2"),
            "argument 0 ('2xf32=[1 2'): the brackets do not pair up");
}

// abi-3: sizes that no memory holds are errors, not allocations.
TEST(InputText, hugeShapes) {
  EXPECT_EQ(read("99999999999x99999999999xf32=1"),
            "argument 0 ('99999999999x99999999999xf32=1'): the size of "
            "99999999999x99999999999xf32 overflows 63 bits");
  EXPECT_EQ(read("99999999999999999999xf32=1"),
            "argument 0 ('99999999999999999999xf32=1'): the extent "
            "99999999999999999999 of axis 0 overflows 63 bits");
  EXPECT_NE(read("99999999999x99999xf32=1").find("bytes of memory"),
            std::string::npos);
  EXPECT_NE(read("0x4611686018427387904x4611686018427387904xf32")
                .find("overflows 63 bits"),
            std::string::npos);
  std::string deep;
  for (int i = 0; i < 33; ++i)
    deep += "1x";
  EXPECT_NE(read(deep + "f32=1")
                .find("a shape of 33 axes is given, but at "
                      "most 32 are supported"),
            std::string::npos);
}

TEST(InputText, malformedShapes) {
  EXPECT_EQ(read("?x3xf32=1"), "argument 0 ('?x3xf32=1'): the extent '?' of "
                               "axis 0 is not a number; inputs have static "
                               "shapes");
  EXPECT_EQ(read("2x-1xf32=1"),
            "argument 0 ('2x-1xf32=1'): the extent -1 of axis 1 is negative");
  EXPECT_EQ(read("2x3xf31=1").substr(0, 60),
            "argument 0 ('2x3xf31=1'): the element type 'f31' is not know");
  for (const char *text :
       {"", "=", "=1", "xf32=1", "2xxf32=1", "nosuchx", "no-such-file",
        "no/such=file.npy", "tensor<2xf32>=1"})
    EXPECT_TRUE(
        read(text).find("it is not a text such as 2x3xf32=1 2 3 4 5 6") !=
            std::string::npos ||
        read(text).find("is expected") != std::string::npos)
        << text << ": " << read(text);
}

TEST(InputText, expectedType) {
  EXPECT_EQ(read("2xui8=1 255", BROADLOOM_I8), "2xi8 [ 1 -1]");
  EXPECT_EQ(read("i32=1", BROADLOOM_F32),
            "argument 0 ('i32=1'): the element type is i32, but f32 is "
            "expected");
  EXPECT_EQ(read("i8=1", BROADLOOM_U8),
            "argument 0 ('i8=1'): the element type is i8, but ui8 is expected");
}

TEST(InputText, longTextsAreCut) {
  std::string error = read("2xf32=" + std::string(5000, '1'));
  EXPECT_LT(error.size(), 300u);
}

// A path may hold "=", and may look like anything after "@".
TEST(InputText, paths) {
  char folder[] = "/tmp/broadloom-input-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  for (const char *name : {"a.npy", "x=1.npy", "f32=1"}) {
    std::string path = std::string(folder) + "/" + name;
    auto tensor = readInput("2xi32=1 2", 0);
    auto file = OutputFile::open(path);
    ASSERT_TRUE(file) << file.error();
    ASSERT_EQ(writeNpy(*file, **tensor), "");
    ASSERT_EQ(file->commit(), "");
    EXPECT_EQ(read(path), "2xi32 [1 2]");
    EXPECT_EQ(read("@" + path), "2xi32 [1 2]");
    unlink(path.c_str());
  }
  rmdir(folder);
  EXPECT_EQ(read("@f32=1"), "argument 0 ('@f32=1'): f32=1: cannot open the "
                            "file: No such file or directory");
}

TEST(InputText, sf7_bytesOfAFile) {
  char path[] = "/tmp/bytes-XXXXXX";
  int file = mkstemp(path);
  ASSERT_EQ(write(file, "\1\2\377", 3), 3);
  close(file);
  std::string name = path;
  EXPECT_EQ(read("bytes:" + name), "3xi8 [ 1  2 -1]");
  EXPECT_EQ(read("bytes:" + name, BROADLOOM_U8), "3xui8 [  1   2 255]");
  EXPECT_EQ(
      read("bytes:" + name, BROADLOOM_F32),
      "argument 0 ('bytes:" + name + "'): " + name +
          ": the bytes of a file are i8 or u8, but the program takes f32");
  unlink(path);
  EXPECT_EQ(read("bytes:" + name), "argument 0 ('bytes:" + name + "'): " +
                                       name + ": No such file or directory");
  EXPECT_EQ(
      read("bytes:/dev/zero"),
      "argument 0 ('bytes:/dev/zero'): /dev/zero: it is not a regular file");
}
