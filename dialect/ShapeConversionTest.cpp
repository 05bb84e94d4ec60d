//===- ShapeConversionTest.cpp - MLIR's types as shapes ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ShapeConversion.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using broadloom::Extent;
using broadloom::Shape;
using broadloom::shapeOf;
using broadloom::ShapesOf;
using broadloom::typeOf;
using broadloom::withShape;

namespace {

class ShapeConversion : public ::testing::Test {
protected:
  Type f32() { return Float32Type::get(&context); }
  Type tensor(ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, f32());
  }

  MLIRContext context;
};

constexpr int64_t kDynamic = ShapedType::kDynamic;

TEST_F(ShapeConversion, ext1_tensorsThereAndBack) {
  EXPECT_EQ(toString(*shapeOf(tensor({4, kDynamic, 0}))), "4x?x0");
  for (Type type : {tensor({}), tensor({0}), tensor({1, kDynamic, 7}),
                    tensor({1, 2, 3, 4, 5, 6, 7, kDynamic}),
                    Type(UnrankedTensorType::get(f32()))})
    EXPECT_EQ(typeOf(type, *shapeOf(type), f32()), type);
}

TEST_F(ShapeConversion, ext4_vectorsThereAndBack) {
  Type scalable = VectorType::get({2, 4}, f32(), {false, true});
  EXPECT_EQ(toString(*shapeOf(scalable)), "2x[4]");
  for (Type type : {scalable, Type(VectorType::get({}, f32())),
                    Type(VectorType::get({8}, f32()))})
    EXPECT_EQ(typeOf(type, *shapeOf(type), f32()), type);
}

TEST_F(ShapeConversion, memrefsHaveShapesAndScalarsHaveNone) {
  EXPECT_EQ(toString(*shapeOf(MemRefType::get({3, kDynamic}, f32()))), "3x?");
  EXPECT_FALSE(
      shapeOf(UnrankedMemRefType::get(f32(), Attribute()))->isRanked());
  EXPECT_FALSE(shapeOf(f32()));
  EXPECT_FALSE(shapeOf(TupleType::get(&context, {tensor({2})})));
}

TEST_F(ShapeConversion, listsKeepTheOrderAndCountScalarsAsRankZero) {
  ShapesOf shapes(TypeRange{tensor({2}), f32(), tensor({kDynamic, 1})});
  broadloom::ShapeList list = shapes;
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(toString(list[0]), "2");
  EXPECT_TRUE(list[1].isRanked());
  EXPECT_EQ(list[1].rank(), 0u);
  EXPECT_EQ(toString(list[2]), "?x1");
}

TEST_F(ShapeConversion, ext1_namedExtentsBecomeDynamic) {
  Shape named{Extent::symbol(3), Extent::fixed(2)};
  EXPECT_EQ(typeOf(tensor({}), named, f32()), tensor({kDynamic, 2}));
}

TEST_F(ShapeConversion, S20_encodingsStay) {
  Attribute blocked = StringAttr::get(&context, "blocked");
  Attribute other = StringAttr::get(&context, "other");
  auto encoded = [&](int64_t extent) {
    return RankedTensorType::get({extent}, f32(), blocked);
  };
  Shape shape{Extent::fixed(4)};
  EXPECT_EQ(withShape(encoded(kDynamic), shape), encoded(4));
  EXPECT_EQ(withShape(encoded(kDynamic), shape, other), encoded(4));
  auto unranked = UnrankedTensorType::get(f32());
  EXPECT_EQ(withShape(unranked, shape), tensor({4}));
  EXPECT_EQ(withShape(unranked, shape, blocked), encoded(4));
  EXPECT_EQ(withShape(unranked, Shape::unranked(), blocked), unranked);
}

// An encoding that does not go with the extents, here for its rank.
TEST_F(ShapeConversion, S20_encodingsMayRefuse) {
  context.loadDialect<sparse_tensor::SparseTensorDialect>();
  Type sparse = parseType("tensor<?x?xf32, #sparse_tensor.encoding<{map = (i, "
                          "j) -> (i : dense, j : compressed)}>>",
                          &context);
  auto declared = cast<RankedTensorType>(sparse);
  Shape fixed{Extent::fixed(2), Extent()};
  TensorType refined = withShape(declared, fixed);
  ASSERT_TRUE(refined);
  EXPECT_EQ(cast<RankedTensorType>(refined).getEncoding(),
            declared.getEncoding());
  EXPECT_FALSE(withShape(declared, Shape{Extent::fixed(2)}));
}

TEST_F(ShapeConversion, typesThatDoNotExistAreNull) {
  Type vector = VectorType::get({1}, f32());
  EXPECT_FALSE(typeOf(vector, Shape::unranked(), f32()));
  EXPECT_FALSE(typeOf(vector, Shape{Extent()}, f32()));
  EXPECT_FALSE(typeOf(vector, Shape{Extent::fixed(0)}, f32()));
  EXPECT_FALSE(typeOf(vector, Shape{Extent::fixed(2)}, tensor({})));
  EXPECT_FALSE(typeOf(tensor({}), Shape{Extent::scalable(4)}, f32()));
  EXPECT_FALSE(
      typeOf(tensor({}), Shape{}, FunctionType::get(&context, {}, {})));
}

} // namespace
