//===- ShapeEntry.cpp - a shape query as the runtime calls it -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/ShapeEntry.h"

#include "codegen/SymbolNames.h"
#include "codegen/abi/EntryWriter.h"
#include "codegen/abi/FunctionFrame.h"
#include "codegen/abi/ValueCall.h"
#include "dialect/LoomDialect.h"
#include "runtime/abi/Abi.h"
#include "runtime/calls/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using infer::Certainty;
using infer::ShapeQueryInfo;

namespace {

class ShapeEntryBuilder : EntryWriter {
public:
  ShapeEntryBuilder(func::FuncOp query, TypeRange results,
                    const ShapeQueryInfo &info, RuntimeCalls &runtime)
      : EntryWriter(runtime, query.getLoc()), query(query), info(info),
        made(runtime, results), b(query) {}

  void build() {
    entry =
        func::FuncOp::create(b, loc, (kShapesPrefix + info.of).str(),
                             getAbiFunctionType(b.getContext(), abi::Shapes));
    Block *block = entry.addEntryBlock();
    b.setInsertionPointToStart(block);
    call = block->getArgument(0);
    SmallVector<Value> arguments;
    for (auto [i, type] : llvm::enumerate(info.type.getInputs()))
      readArgument(block->getArgument(1), i, type, arguments);
    Value memory = takeMemory(made.memoryBytes());
    returnUnlessOk(b,
                   made.make(b, loc, query.getName(), call, memory, arguments));
    for (auto [i, certainties] : llvm::enumerate(info.results)) {
      Value slot = runtime.element(b, loc, shapeType(), block->getArgument(2),
                                   {int32_t(i)});
      if (certainties)
        storeExtents(slot, *certainties);
      else
        storeShape(slot, made.result(b, loc, next++));
    }
    func::ReturnOp::create(b, loc,
                           runtime.constant(b, loc, runtime.i32, BROADLOOM_OK));
  }

private:
  /// BroadloomShape
  Type shapeType() { return getAbiStruct<abi::Shape>(b.getContext()); }

  void readArgument(Value views, int32_t index, Type type,
                    SmallVectorImpl<Value> &arguments) {
    auto tensor = dyn_cast<TensorType>(type);
    if (tensor && !tensor.hasRank()) {
      Value view = LLVM::LoadOp::create(b, loc, runtime.view,
                                        runtime.viewAt(b, loc, views, index));
      Type shape = loom::ShapeType::get(b.getContext(), false, {});
      arguments.push_back(runtime.fromStruct(b, loc, view, shape));
      return;
    }
    auto extents = tensor ? tensor.getShape() : ArrayRef<int64_t>();
    checkArgument(b, call, views, index, extents);
    for (auto [axis, extent] : llvm::enumerate(extents))
      if (ShapedType::isDynamic(extent))
        arguments.push_back(arith::IndexCastOp::create(
            b, loc, b.getIndexType(),
            loadExtent(b, views, index, extents.size(), axis)));
  }

  /// Memory that is valid until the shapes are written; null for 0 bytes.
  Value takeMemory(int64_t bytes) {
    if (bytes == 0)
      return {};
    Value size = runtime.constant(b, loc, runtime.i64, bytes);
    if (bytes <= kMostStackBytes)
      return LLVM::AllocaOp::create(b, loc, runtime.ptr, b.getI8Type(), size,
                                    /*alignment=*/16);
    Value memory = runtime.call(b, loc, abi::broadloomFrame, {call, size});
    Value missing = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq,
                                         memory, runtime.null(b, loc));
    returnUnlessOk(
        b, LLVM::SelectOp::create(
               b, loc, missing,
               runtime.constant(b, loc, runtime.i32, BROADLOOM_OUT_OF_MEMORY),
               runtime.constant(b, loc, runtime.i32, BROADLOOM_OK)));
    return memory;
  }

  void storeExtents(Value slot, ArrayRef<Certainty> certainties) {
    int32_t inexact = 0;
    for (auto [axis, certainty] : llvm::enumerate(certainties)) {
      if (certainty != Certainty::Exact)
        inexact |= 1u << axis;
      Value extent = arith::IndexCastOp::create(b, loc, runtime.i64,
                                                made.result(b, loc, next++));
      runtime.store(b, loc, extent,
                    runtime.element(b, loc, shapeType(), slot,
                                    {0, abi::Shape::extents, int32_t(axis)}));
    }
    auto storeNumber = [&](abi::Shape::Field field, int32_t value) {
      runtime.store(b, loc, runtime.constant(b, loc, runtime.i32, value),
                    runtime.element(b, loc, shapeType(), slot, {0, field}));
    };
    storeNumber(abi::Shape::rank, int32_t(certainties.size()));
    storeNumber(abi::Shape::inexact, inexact);
  }

  void storeShape(Value slot, Value shape) {
    Value one = runtime.constant(b, loc, runtime.i64, 1);
    Value view = LLVM::AllocaOp::create(b, loc, runtime.ptr, runtime.view, one);
    runtime.store(b, loc, runtime.asStruct(b, loc, shape), view);
    returnUnlessOk(
        b, runtime.call(b, loc, abi::broadloomStoreShape, {call, view, slot}));
  }

  func::FuncOp query;
  const ShapeQueryInfo &info;
  ValueCall made;
  /// The index of its next result.
  size_t next = 0;
  OpBuilder b;
  Value call;
};

} // namespace

void broadloom::codegen::buildShapeEntry(func::FuncOp query, TypeRange results,
                                         const ShapeQueryInfo &info,
                                         RuntimeCalls &runtime) {
  ShapeEntryBuilder(query, results, info, runtime).build();
}
