//===- BytecodeConstantsTest.cpp - large constants of bytecode ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ElementBytes.h"
#include "read/ParseText.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom;

namespace {

class BytecodeConstants : public ::testing::Test {
protected:
  BytecodeConstants() { context.loadDialect<arith::ArithDialect>(); }

  /// A constant of different elements.
  DenseElementsAttr make(Type element, int64_t count) {
    unsigned bits = element.getIntOrFloatBitWidth();
    SmallVector<APInt> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(APInt(64, uint64_t(i % 101 + 1)).trunc(bits));
    auto type = RankedTensorType::get({count}, element);
    auto kind = dyn_cast<FloatType>(element);
    if (!kind)
      return DenseElementsAttr::get(type, values);
    SmallVector<APFloat> floats;
    for (const APInt &value : values)
      floats.emplace_back(kind.getFloatSemantics(), value);
    return DenseElementsAttr::get(type, floats);
  }

  /// The constant as it is read from a program that has it.
  ElementsAttr read(ElementsAttr constant) {
    OwningOpRef<ModuleOp> written = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder b = OpBuilder::atBlockEnd(written->getBody());
    arith::ConstantOp::create(b, written->getLoc(), cast<TypedAttr>(constant));
    bytecode.clear();
    llvm::raw_string_ostream stream(bytecode);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*written, stream)));
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(bytecode, "p.mlirbc"), llvm::SMLoc());
    module = read::parseText(sources, &context);
    if (!module)
      return {};
    auto op = cast<arith::ConstantOp>(module->getBody()->front());
    return cast<ElementsAttr>(op.getValue());
  }

  MLIRContext context;
  std::string bytecode;
  OwningOpRef<ModuleOp> module;
};

TEST_F(BytecodeConstants, large_ones_stay_where_they_are) {
  Builder b(&context);
  for (Type element : {Type(b.getF32Type()), Type(b.getF16Type()),
                       Type(b.getF64Type()), Type(b.getIntegerType(8))}) {
    int64_t count =
        int64_t(kLargeConstant) * 8 / element.getIntOrFloatBitWidth();
    DenseElementsAttr constant = make(element, count);
    ElementsAttr found = read(constant);
    ASSERT_TRUE(isa_and_present<DenseResourceElementsAttr>(found));
    EXPECT_EQ(found.getType(), constant.getType());
    std::optional<ArrayRef<char>> bytes = getElementBytes(found);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, constant.getRawData());
    EXPECT_GE(bytes->data(), bytecode.data());
    EXPECT_LE(bytes->end(), bytecode.data() + bytecode.size());
  }
}

TEST_F(BytecodeConstants, others_are_as_mlir_reads_them) {
  Builder b(&context);
  auto splat = DenseElementsAttr::get(
      RankedTensorType::get({1 << 20}, b.getF32Type()), 1.5f);
  for (DenseElementsAttr constant :
       {make(b.getF32Type(), 100), make(b.getI1Type(), 1 << 20),
        make(b.getIntegerType(4), 1 << 20), make(b.getIntegerType(48), 1 << 16),
        splat})
    EXPECT_EQ(read(constant), constant);
  // Passes look for indices in dense attributes.
  for (Type element : {Type(b.getIntegerType(16)), Type(b.getI32Type()),
                       Type(b.getI64Type()), Type(b.getIndexType())}) {
    DenseElementsAttr constant =
        element.isIndex() ? b.getIndexTensorAttr(llvm::to_vector_of<int64_t>(
                                llvm::seq<int64_t>(0, 1 << 14)))
                          : make(element, 1 << 16);
    EXPECT_EQ(read(constant), constant);
  }
}

/// MLIR has no sparse constants whose parts are resources.
TEST_F(BytecodeConstants, sparse_ones_are_dense_inside) {
  Builder b(&context);
  for (Type element :
       {Type(b.getF32Type()), Type(b.getIntegerType(8)), Type(b.getI64Type())})
    for (int64_t count : {3, 1 << 17}) {
      auto places = llvm::to_vector_of<int64_t>(llvm::seq<int64_t>(0, count));
      auto indices = DenseIntElementsAttr::get(
          RankedTensorType::get({count, 1}, b.getI64Type()), places);
      auto constant =
          SparseElementsAttr::get(RankedTensorType::get({1 << 20}, element),
                                  indices, make(element, count));
      EXPECT_EQ(read(constant), constant);
    }
}

} // namespace
