//===- CustomOptionsTest.cpp - options of custom operations ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/CustomOptions.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

// Numbers are not read from texts, which would need the library besides the
// headers.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include <flatbuffers/flexbuffers.h>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace broadloom::read;

namespace {

class CustomOptions : public ::testing::Test {
protected:
  CustomOptions() : builder(&context) {
    context.loadDialect<tosa::TosaDialect>();
  }

  /// The operation with these options, after they were read.
  tosa::CustomOp read(StringRef name, StringRef options,
                      StringRef domain = "TFL") {
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    auto op =
        tosa::CustomOp::create(builder, builder.getUnknownLoc(), TypeRange(),
                               name, domain, options, ValueRange());
    readCustomOptions(*module);
    return op;
  }

  static StringRef getBytes(const std::vector<uint8_t> &bytes) {
    return StringRef(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
  }

  std::vector<uint8_t> makeMap() {
    flexbuffers::Builder map;
    map.Map([&] {
      map.Int("height", 16);
      map.Float("scale", 1.5f);
      map.Bool("flag", true);
      map.String("mode", "bilinear");
      map.TypedVector("list", [&] {
        map.Add(7);
        map.Add(-300);
      });
      map.Vector("floats", [&] {
        map.Add(0.5f);
        map.Add(2);
      });
      map.Int("a.b", 1);
      map.Int("operator_name", 1);
    });
    map.Finish();
    return map.GetBuffer();
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CustomOptions, entriesOfAMap) {
  std::vector<uint8_t> bytes = makeMap();
  tosa::CustomOp op = read("Any", getBytes(bytes));
  EXPECT_EQ(op->getAttr("height"), builder.getI64IntegerAttr(16));
  EXPECT_EQ(op->getAttr("scale"), builder.getF64FloatAttr(1.5));
  EXPECT_EQ(op->getAttr("flag"), builder.getBoolAttr(true));
  EXPECT_EQ(op->getAttr("mode"), builder.getStringAttr("bilinear"));
  EXPECT_EQ(op->getAttr("list"), builder.getDenseI64ArrayAttr({7, -300}));
  EXPECT_EQ(op->getAttr("floats"), builder.getDenseF32ArrayAttr({0.5f, 2}));
  // Neither a dialect's attribute nor one that the operation has.
  EXPECT_FALSE(op->hasAttr("a.b"));
  EXPECT_EQ(op.getOperatorName(), "Any");
}

TEST_F(CustomOptions, fieldsOfAStructure) {
  StringRef options("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\0\0\0\0", 24);
  tosa::CustomOp pool = read("MaxPoolingWithArgmax2D", options);
  EXPECT_EQ(pool->getAttr("padding"), builder.getI64IntegerAttr(1));
  EXPECT_EQ(pool->getAttr("filter_height"), builder.getI64IntegerAttr(5));
  EXPECT_EQ(pool->getAttr("stride"), builder.getDenseI64ArrayAttr({3, 2}));
  // As many as there are.
  tosa::CustomOp convolution =
      read("Convolution2DTransposeBias", options.take_front(9));
  EXPECT_EQ(convolution->getAttr("stride_width"), builder.getI64IntegerAttr(2));
  EXPECT_FALSE(convolution->hasAttr("stride_height"));
}

TEST_F(CustomOptions, otherDomainsAndOtherBytes) {
  std::vector<uint8_t> bytes = makeMap();
  EXPECT_FALSE(read("Any", getBytes(bytes), "mine")->hasAttr("height"));
  size_t count = read("Any", "")->getAttrs().size();
  EXPECT_EQ(read("Any", "no map at all")->getAttrs().size(), count);
}

// abi-3: damaged bytes are read without a fault (the sanitizers' build) or not
// at all.
TEST_F(CustomOptions, damagedMaps) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> bytes = makeMap();
    for (int changes = 1 + random() % 4; changes; --changes)
      bytes[random() % bytes.size()] = random();
    if (random() % 4 == 0)
      bytes.resize(random() % bytes.size());
    EXPECT_EQ(read("Any", getBytes(bytes)).getOperatorName(), "Any");
  }
}

} // namespace
