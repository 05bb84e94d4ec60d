//===- SparseTensorTest.cpp - trees of sparse tensors ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/SparseTensor.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom::read;

namespace {

using Ints = std::vector<int32_t>;
using Offsets = std::vector<uint64_t>;

/// A level: DENSE where it has no segments.
struct Metadata {
  int32_t size;
  Ints segments, indices;
};

class SparseTensor : public ::testing::Test {
protected:
  SparseTensor() { context.loadDialect<TfliteDialect>(); }

  DenseI32ArrayAttr makeArray(const Ints &values) {
    return DenseI32ArrayAttr::get(&context, values);
  }

  /// The offsets of all values; nothing, with `error`, where there are none.
  std::optional<Offsets> read(const std::vector<int64_t> &shape,
                              const Ints &order, const Ints &blocks,
                              const std::vector<Metadata> &levels) {
    SmallVector<DimensionMetadataAttr> metadata;
    for (const Metadata &level : levels)
      metadata.push_back(DimensionMetadataAttr::get(
          &context,
          level.segments.empty() ? LevelFormat::DENSE : LevelFormat::SPARSE_CSR,
          level.size, makeArray(level.segments), makeArray(level.indices)));
    ScopedDiagnosticHandler keep(&context, [&](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
    auto pattern = SparsePattern::get(
        shape,
        SparsityParameterAttr::get(&context, makeArray(order),
                                   makeArray(blocks), metadata),
        [&] { return emitError(UnknownLoc::get(&context)); });
    if (failed(pattern))
      return std::nullopt;
    Offsets offsets;
    pattern->visit([&](uint64_t offset) { offsets.push_back(offset); });
    EXPECT_EQ(offsets.size(), pattern->getNumValues());
    return offsets;
  }

  MLIRContext context;
  std::string error;
};

// 0 1 0 2
// 0 0 0 0
// 3 0 0 4
TEST_F(SparseTensor, IsOfRows) {
  EXPECT_EQ(
      read({3, 4}, {0, 1}, {}, {{3, {}, {}}, {0, {0, 2, 2, 4}, {1, 3, 0, 3}}}),
      (Offsets{1, 3, 8, 11}));
  // Rows without values are left out as well.
  EXPECT_EQ(read({3, 4}, {0, 1}, {},
                 {{0, {0, 2}, {0, 2}}, {0, {0, 2, 4}, {1, 3, 0, 3}}}),
            (Offsets{1, 3, 8, 11}));
}

TEST_F(SparseTensor, IsOfColumns) {
  EXPECT_EQ(read({3, 4}, {1, 0}, {},
                 {{4, {}, {}}, {0, {0, 1, 2, 2, 4}, {2, 0, 0, 2}}}),
            (Offsets{8, 1, 3, 11}));
}

TEST_F(SparseTensor, IsDense) {
  EXPECT_EQ(read({2, 3}, {1, 0}, {}, {{3, {}, {}}, {2, {}, {}}}),
            (Offsets{0, 3, 1, 4, 2, 5}));
  // A DENSE level below a sparse one.
  EXPECT_EQ(read({3, 2}, {0, 1}, {}, {{0, {0, 2}, {0, 2}}, {2, {}, {}}}),
            (Offsets{0, 1, 4, 5}));
}

// Of 4 x 6 in blocks of 2 x 3, those in the corners.
TEST_F(SparseTensor, IsOfBlocks) {
  EXPECT_EQ(
      read({4, 6}, {0, 1, 2, 3}, {0, 1},
           {{2, {}, {}}, {0, {0, 1, 2}, {0, 1}}, {2, {}, {}}, {3, {}, {}}}),
      (Offsets{0, 1, 2, 6, 7, 8, 15, 16, 17, 21, 22, 23}));
  // The same blocks, by columns inside and outside.
  EXPECT_EQ(
      read({4, 6}, {1, 0, 3, 2}, {0, 1},
           {{2, {}, {}}, {0, {0, 1, 2}, {0, 1}}, {3, {}, {}}, {2, {}, {}}}),
      (Offsets{0, 6, 1, 7, 2, 8, 15, 21, 16, 22, 17, 23}));
}

// A block along one axis, and axes of blocks in another order.
TEST_F(SparseTensor, IsOfSomeBlocks) {
  EXPECT_EQ(read({2, 4}, {0, 1, 2}, {1},
                 {{2, {}, {}}, {0, {0, 1, 1}, {1}}, {2, {}, {}}}),
            (Offsets{2, 3}));
  EXPECT_EQ(
      read({4, 6}, {0, 1, 2, 3}, {1, 0},
           {{0, {0, 1}, {1}}, {0, {0, 1}, {1}}, {3, {}, {}}, {2, {}, {}}}),
      (Offsets{15, 21, 16, 22, 17, 23}));
}

TEST_F(SparseTensor, MayHaveNoValues) {
  EXPECT_EQ(read({2, 3}, {0, 1}, {}, {{2, {}, {}}, {0, {0, 0, 0}, {}}}),
            Offsets{});
  EXPECT_EQ(read({}, {}, {}, {}), Offsets{0});
  // As many nodes as one likes, of no values: nothing goes over them.
  constexpr int32_t kMany = 2147483647;
  EXPECT_EQ(read({kMany, kMany, kMany, kMany, 0}, {0, 1, 2, 3, 4}, {},
                 {{kMany, {}, {}},
                  {kMany, {}, {}},
                  {kMany, {}, {}},
                  {kMany, {}, {}},
                  {0, {}, {}}}),
            Offsets{});
}

TEST_F(SparseTensor, SegmentsAreChecked) {
  auto refuse = [&](const Ints &segments, const Ints &indices) {
    EXPECT_FALSE(
        read({2, 4}, {0, 1}, {}, {{2, {}, {}}, {0, segments, indices}}));
    return error;
  };
  EXPECT_EQ(
      refuse({0, 2}, {1, 2}),
      "level 1, of axis 1, has 2 segments, but 2 nodes before it need one "
      "more than that");
  EXPECT_EQ(refuse({1, 2, 2}, {1, 2}),
            "level 1, of axis 1, has segments from 1 to 2, expected from 0 to "
            "2, the number of indices");
  EXPECT_EQ(refuse({0, 2, 3}, {1, 2}),
            "level 1, of axis 1, has segments from 0 to 3, expected from 0 to "
            "2, the number of indices");
  EXPECT_EQ(
      refuse({0, 5, 2}, {1, 2}),
      "level 1, of axis 1, has the segment 2 after 5, expected no smaller "
      "one");
  EXPECT_EQ(refuse({0, -3, 2}, {1, 2}),
            "level 1, of axis 1, has the segment -3 after 0, expected no "
            "smaller one");
}

TEST_F(SparseTensor, IndicesAreChecked) {
  auto refuse = [&](const Ints &indices) {
    EXPECT_FALSE(
        read({2, 4}, {0, 1}, {}, {{2, {}, {}}, {0, {0, 2, 3}, indices}}));
    return error;
  };
  EXPECT_EQ(refuse({1, 4, 0}), "level 1, of axis 1, has the index 4, expected "
                               "one from 0 to below 4");
  EXPECT_EQ(refuse({-1, 2, 0}),
            "level 1, of axis 1, has the index -1, expected "
            "one from 0 to below 4");
  EXPECT_EQ(refuse({2, 2, 0}), "level 1, of axis 1, has the index 2 after 2 in "
                               "one segment, expected a greater one");
}

TEST_F(SparseTensor, DimensionsAreChecked) {
  Metadata row = {2, {}, {}}, column = {4, {}, {}};
  auto refuse = [&](const Ints &order, const Ints &blocks,
                    const std::vector<Metadata> &levels) {
    EXPECT_FALSE(read({2, 4}, order, blocks, levels));
    return error;
  };
  EXPECT_EQ(refuse({0, 1}, {}, {row}),
            "has 2 dimensions in traversal_order and 1 in dim_metadata, but a "
            "tensor of 2 axes with 0 in block_map has 2");
  EXPECT_EQ(refuse({0, 0}, {}, {row, row}),
            "has the dimension 0 twice in traversal_order");
  EXPECT_EQ(refuse({0, 2}, {}, {row, column}),
            "has the dimension 2 in traversal_order, but the tensor and its "
            "blocks have 2");
  EXPECT_EQ(refuse({0, 1}, {}, {row, row}),
            "level 1, of axis 1, has dense_size 2, expected 4");
  EXPECT_EQ(refuse({0, 1}, {}, {{-2, {}, {}}, column}),
            "level 0, of axis 0, has dense_size -2, expected 2");
}

TEST_F(SparseTensor, BlocksAreChecked) {
  Metadata two = {2, {}, {}};
  auto refuse = [&](const Ints &blocks, const Metadata &inner) {
    Ints order = {0, 1, 2};
    std::vector<Metadata> levels = {two, two, inner};
    if (blocks.size() == 2) {
      order.push_back(3);
      levels.push_back(two);
    }
    EXPECT_FALSE(read({2, 4}, order, blocks, levels));
    return error;
  };
  EXPECT_EQ(refuse({2}, two),
            "has the axis 2 in block_map, but the tensor has 2 axes");
  EXPECT_EQ(refuse({-1}, two),
            "has the axis -1 in block_map, but the tensor has 2 axes");
  EXPECT_EQ(refuse({1, 1}, two), "has the axis 1 twice in block_map");
  EXPECT_EQ(refuse({1}, {3, {}, {}}),
            "level 2, of the blocks along axis 1, has dense_size 3, and the "
            "extent 4 of axis 1 is no multiple of that");
  for (Metadata inner : {Metadata{0, {}, {}}, Metadata{-2, {}, {}},
                         Metadata{2, {0, 0, 0, 0, 0}, {}}})
    EXPECT_EQ(refuse({1}, inner),
              "level 2, of the blocks along axis 1, must be DENSE, with a "
              "dense_size of 1 or more, since it says how long blocks are");
}

} // namespace
