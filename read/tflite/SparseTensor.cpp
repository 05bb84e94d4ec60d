//===- SparseTensor.cpp - where the values of sparse tensors are ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/SparseTensor.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom::read;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the levels of a pattern and checks them.
class SparsePattern::Reader {
public:
  Reader(ArrayRef<int64_t> shape, SparsityParameterAttr sparsity,
         llvm::function_ref<InFlightDiagnostic()> emitError)
      : shape(shape), order(sparsity.getTraversalOrder().asArrayRef()),
        blocks(sparsity.getBlockMap().asArrayRef()),
        levels(sparsity.getDimMetadata()), emitError(emitError),
        blockOfAxis(shape.size(), -1), blockExtents(blocks.size(), 0) {}

  LogicalResult read(SparsePattern &pattern) {
    if (failed(checkBlocks()) || failed(checkOrder()) ||
        failed(readBlockExtents()))
      return failure();
    SmallVector<uint64_t> strides(shape.size());
    uint64_t stride = 1;
    for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
      strides[axis] = stride;
    for (size_t i = 0; i < levels.size(); ++i)
      if (failed(readLevel(i, strides, pattern)))
        return failure();
    return success();
  }

private:
  /// Checks the axis that each dimension of the blocks divides.
  LogicalResult checkBlocks() {
    for (auto [block, axis] : llvm::enumerate(blocks)) {
      if (axis < 0 || size_t(axis) >= shape.size())
        return emitError() << "has the axis " << axis
                           << " in block_map, but the tensor has "
                           << shape.size() << " axes";
      if (blockOfAxis[axis] >= 0)
        return emitError() << "has the axis " << axis << " twice in block_map";
      blockOfAxis[axis] = int64_t(block);
    }
    return success();
  }

  /// Checks that each dimension has one level.
  LogicalResult checkOrder() {
    size_t count = shape.size() + blocks.size();
    if (order.size() != count || levels.size() != count)
      return emitError() << "has " << order.size()
                         << " dimensions in traversal_order and "
                         << levels.size()
                         << " in dim_metadata, but a tensor of " << shape.size()
                         << " axes with " << blocks.size()
                         << " in block_map has " << count;
    llvm::BitVector isThere(count);
    for (int32_t dimension : order) {
      if (dimension < 0 || size_t(dimension) >= count)
        return emitError() << "has the dimension " << dimension
                           << " in traversal_order, but the tensor and its "
                              "blocks have "
                           << count;
      if (isThere.test(dimension))
        return emitError() << "has the dimension " << dimension
                           << " twice in traversal_order";
      isThere.set(dimension);
    }
    return success();
  }

  /// Only the level itself has the extent of a block.
  LogicalResult readBlockExtents() {
    for (auto [i, level] : llvm::enumerate(levels)) {
      if (size_t(order[i]) < shape.size())
        continue;
      size_t block = order[i] - shape.size();
      int32_t size = level.getDenseSize();
      if (level.getFormat() != LevelFormat::DENSE || size < 1)
        return emitLevelError(i) << "must be DENSE, with a dense_size of 1 or "
                                    "more, since it says how long blocks are";
      int64_t extent = shape[blocks[block]];
      if (extent % size != 0)
        return emitLevelError(i)
               << "has dense_size " << size << ", and the extent " << extent
               << " of axis " << blocks[block] << " is no multiple of that";
      blockExtents[block] = size;
    }
    return success();
  }

  /// Reads level `i` after those before it.
  LogicalResult readLevel(size_t i, ArrayRef<uint64_t> strides,
                          SparsePattern &pattern) {
    DimensionMetadataAttr from = levels[i];
    Level level;
    size_t dimension = order[i];
    if (dimension < shape.size()) {
      int64_t block = blockOfAxis[dimension];
      uint64_t size = block < 0 ? 1 : blockExtents[block];
      level.extent = shape[dimension] / size;
      level.stride = strides[dimension] * size;
    } else {
      level.extent = blockExtents[dimension - shape.size()];
      level.stride = strides[blocks[dimension - shape.size()]];
    }
    uint64_t numParents = pattern.numValues;
    if (from.getFormat() == LevelFormat::DENSE) {
      if (from.getDenseSize() < 0 ||
          uint64_t(from.getDenseSize()) != level.extent)
        return emitLevelError(i) << "has dense_size " << from.getDenseSize()
                                 << ", expected " << level.extent;
      pattern.numValues = llvm::SaturatingMultiply(numParents, level.extent);
    } else {
      level.segments = from.getSegments().asArrayRef();
      level.indices = from.getIndices().asArrayRef();
      if (failed(checkSegments(i, level, numParents)) ||
          failed(checkIndices(i, level)))
        return failure();
      pattern.numValues = level.indices.size();
    }
    pattern.levels.push_back(level);
    return success();
  }

  /// Checks that the segments divide the indices into one part for each of the
  /// `numParents` nodes of the previous level.
  LogicalResult checkSegments(size_t i, const Level &level,
                              uint64_t numParents) {
    ArrayRef<int32_t> segments = level.segments;
    // The sum cannot wrap: a level of 2^64 - 1 nodes would not fit memory.
    if (segments.empty() || segments.size() - 1 != numParents)
      return emitLevelError(i)
             << "has " << segments.size() << " segments, but " << numParents
             << (numParents == 1 ? " node" : " nodes")
             << " before it need one more than that";
    if (segments.front() != 0 ||
        uint64_t(segments.back()) != level.indices.size())
      return emitLevelError(i)
             << "has segments from " << segments.front() << " to "
             << segments.back() << ", expected from 0 to "
             << level.indices.size() << ", the number of indices";
    for (size_t k = 1; k < segments.size(); ++k)
      if (segments[k] < segments[k - 1])
        return emitLevelError(i)
               << "has the segment " << segments[k] << " after "
               << segments[k - 1] << ", expected no smaller one";
    return success();
  }

  /// Checks that each node has its indices in order and in range. The segments
  /// have been checked.
  LogicalResult checkIndices(size_t i, const Level &level) {
    for (size_t node = 0; node + 1 < level.segments.size(); ++node) {
      int64_t last = -1;
      for (int32_t k = level.segments[node]; k < level.segments[node + 1];
           ++k) {
        int32_t index = level.indices[k];
        if (index < 0 || uint64_t(index) >= level.extent)
          return emitLevelError(i)
                 << "has the index " << index
                 << ", expected one from 0 to below " << level.extent;
        if (index <= last)
          return emitLevelError(i)
                 << "has the index " << index << " after " << last
                 << " in one segment, expected a greater one";
        last = index;
      }
    }
    return success();
  }

  InFlightDiagnostic emitLevelError(size_t i) {
    size_t dimension = order[i];
    InFlightDiagnostic error = emitError();
    error << "level " << i << ", of ";
    if (dimension < shape.size())
      error << "axis " << dimension << ", ";
    else
      error << "the blocks along axis " << blocks[dimension - shape.size()]
            << ", ";
    return error;
  }

  ArrayRef<int64_t> shape;
  ArrayRef<int32_t> order, blocks;
  ArrayRef<DimensionMetadataAttr> levels;
  llvm::function_ref<InFlightDiagnostic()> emitError;
  /// -1 for an axis that is not divided.
  SmallVector<int64_t> blockOfAxis;
  SmallVector<uint64_t> blockExtents;
};

FailureOr<SparsePattern>
SparsePattern::get(ArrayRef<int64_t> shape, SparsityParameterAttr sparsity,
                   llvm::function_ref<InFlightDiagnostic()> emitError) {
  SparsePattern pattern;
  if (failed(Reader(shape, sparsity, emitError).read(pattern)))
    return failure();
  return pattern;
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

void SparsePattern::visit(
    llvm::function_ref<void(uint64_t offset)> visit) const {
  // Without values, there may still be many inner nodes.
  if (numValues == 0)
    return;
  if (levels.empty())
    return visit(0);
  // The remaining children of a node, and the offset of the node.
  struct Children {
    uint64_t next, end, offset;
  };
  SmallVector<Children> path;
  auto enter = [&](uint64_t node, uint64_t offset) {
    const Level &level = levels[path.size()];
    if (level.isDense())
      path.push_back({node * level.extent, (node + 1) * level.extent, offset});
    else
      path.push_back({uint64_t(level.segments[node]),
                      uint64_t(level.segments[node + 1]), offset});
  };
  enter(0, 0);
  while (!path.empty()) {
    Children &children = path.back();
    if (children.next == children.end) {
      path.pop_back();
      continue;
    }
    const Level &level = levels[path.size() - 1];
    uint64_t node = children.next++;
    uint64_t index =
        level.isDense() ? node % level.extent : level.indices[node];
    uint64_t offset = children.offset + index * level.stride;
    if (path.size() == levels.size())
      visit(offset);
    else
      enter(node, offset);
  }
}
