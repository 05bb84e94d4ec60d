//===- VectorParts.cpp - lanes in other places ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a position is a value, the vector is in memory, whose accesses are
// checked as any others are: a position outside is an error (mem-10).
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/memory/VectorLanes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

class PartLowering {
public:
  PartLowering(Operation *current, VectorLanes &lanes)
      : current(current), lanes(lanes), b(lanes.b), loc(lanes.loc) {}

  void lower(vector::ExtractOp op) {
    Lanes from = lanes.get(op.getSource());
    VectorType type = op.getSourceVectorType();
    if (op.hasDynamicPosition()) {
      Value memory = spill(op.getSource());
      lanes.setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t> at) {
        return name(memref::LoadOp::create(b, loc, memory, getIndices(op, at)),
                    lane > 0);
      });
      return;
    }
    int64_t first = getFirst(type, op.getStaticPosition());
    lanes.setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      return from[first + lane];
    });
  }

  void lower(vector::InsertOp op) {
    VectorType type = op.getDestVectorType();
    Lanes values = lanes.get(op.getValueToStore());
    if (op.hasDynamicPosition()) {
      Value memory = spill(op.getDest());
      auto part = dyn_cast<VectorType>(op.getValueToStoreType());
      for (auto [lane, value] : llvm::enumerate(values)) {
        Position at = part ? VectorLanes::getPosition(part, lane) : Position();
        name(memref::StoreOp::create(b, loc, value, memory, getIndices(op, at)),
             lane > 0);
      }
      return lanes.setEach(
          op.getResult(), [&](int64_t, ArrayRef<int64_t> position) {
            return name(
                memref::LoadOp::create(b, loc, memory, getConstants(position)),
                true);
          });
    }
    Lanes all = lanes.get(op.getDest());
    int64_t first = getFirst(type, op.getStaticPosition());
    for (auto [lane, value] : llvm::enumerate(values))
      all[first + int64_t(lane)] = value;
    lanes.set(op.getResult(), std::move(all));
  }

  void lower(vector::ExtractStridedSliceOp op) {
    Lanes from = lanes.get(op.getSource());
    SmallVector<int64_t> offsets = getNumbers(op.getOffsets()),
                         strides = getNumbers(op.getStrides());
    lanes.setEach(op.getResult(), [&](int64_t, Position position) {
      for (auto [at, offset, stride] : llvm::zip(position, offsets, strides))
        at = offset + at * stride;
      return from[getLane(op.getSourceVectorType(), position)];
    });
  }

  void lower(vector::InsertStridedSliceOp op) {
    Lanes all = lanes.get(op.getDest());
    VectorType from = op.getSourceVectorType(), to = op.getDestVectorType();
    SmallVector<int64_t> strides = getNumbers(op.getStrides());
    for (auto [lane, value] :
         llvm::enumerate(lanes.get(op.getValueToStore()))) {
      Position position = getNumbers(op.getOffsets());
      int64_t outer = to.getRank() - from.getRank();
      for (auto [axis, at] :
           llvm::enumerate(VectorLanes::getPosition(from, lane)))
        position[outer + axis] += at * strides[axis];
      all[getLane(to, position)] = value;
    }
    lanes.set(op.getResult(), std::move(all));
  }

  /// A lane that nobody has given is 0 (mem-7).
  void lower(vector::ShuffleOp op) {
    Lanes rows = lanes.get(op.getV1());
    llvm::append_range(rows, lanes.get(op.getV2()));
    VectorType type = op.getResultVectorType();
    int64_t size = type.getNumElements() / type.getDimSize(0);
    lanes.setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      int64_t row = op.getMask()[lane / size];
      return row < 0 ? lanes.zero(type.getElementType())
                     : rows[row * size + lane % size];
    });
  }

  void lower(vector::InterleaveOp op) {
    Lanes even = lanes.get(op.getLhs()), odd = lanes.get(op.getRhs());
    lanes.setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      return (lane % 2 ? odd : even)[lane / 2];
    });
  }
  void lower(vector::DeinterleaveOp op) {
    Lanes from = lanes.get(op.getSource());
    for (int64_t first : {0, 1})
      lanes.setEach(op->getResult(first), [&](int64_t lane, ArrayRef<int64_t>) {
        return from[2 * lane + first];
      });
  }

private:
  static int64_t getLane(VectorType type, ArrayRef<int64_t> position) {
    return VectorLanes::getLane(type, position);
  }
  static SmallVector<int64_t> getNumbers(ArrayAttr numbers) {
    return llvm::map_to_vector(numbers.getAsRange<IntegerAttr>(),
                               [](IntegerAttr it) { return it.getInt(); });
  }
  /// The first lane of a part of a vector.
  static int64_t getFirst(VectorType type, ArrayRef<int64_t> part) {
    Position position(part);
    position.resize(type.getRank(), 0);
    return getLane(type, position);
  }

  /// Memory that holds the lanes of a vector, and is told of as the vector is.
  Value spill(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    Operation *source = vector.getDefiningOp();
    memref::AllocaOp memory;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&lanes.func.getFunctionBody().front());
      memory = memref::AllocaOp::create(
          b, loc, MemRefType::get(type.getShape(), type.getElementType()));
    }
    infer::takeOrigin(memory, source ? source : current);
    for (auto [lane, value] : llvm::enumerate(lanes.get(vector)))
      name(memref::StoreOp::create(
               b, loc, value, memory,
               getConstants(VectorLanes::getPosition(type, lane))),
           true);
    return memory;
  }
  SmallVector<Value> getConstants(ArrayRef<int64_t> position) {
    return llvm::map_to_vector(position,
                               [&](int64_t at) { return lanes.index(at); });
  }
  /// The place of a lane of the part that `op` takes or puts.
  template <typename Op>
  SmallVector<Value> getIndices(Op op, ArrayRef<int64_t> inner) {
    SmallVector<Value> indices;
    for (OpFoldResult at : op.getMixedPosition()) {
      auto value = dyn_cast<Value>(at);
      indices.push_back(value ? value : lanes.index(*getConstantIntValue(at)));
    }
    llvm::append_range(indices, getConstants(inner));
    return indices;
  }
  template <typename Op> Value name(Op made, bool isChecked) {
    infer::takeOrigin(made, current);
    if (isChecked)
      made->setAttr(loom::kChecked, b.getUnitAttr());
    return made->getNumResults() == 0 ? Value() : made->getResult(0);
  }

  Operation *current;
  VectorLanes &lanes;
  OpBuilder &b;
  Location loc;
};

} // namespace

bool legalize::lowerVectorPart(Operation *op, VectorLanes &lanes) {
  PartLowering parts(op, lanes);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<vector::ExtractOp, vector::InsertOp, vector::ExtractStridedSliceOp,
            vector::InsertStridedSliceOp, vector::ShuffleOp,
            vector::InterleaveOp, vector::DeinterleaveOp>([&](auto it) {
        parts.lower(it);
        return true;
      })
      .Default([](Operation *) { return false; });
}
