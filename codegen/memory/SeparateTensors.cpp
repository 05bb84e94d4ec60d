//===- SeparateTensors.cpp - tensors of functions over memory -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors are values, and memory changes. So what computes tensors becomes
// functions of their own, which later stages compile as any over tensors, and
// what stands between memory and tensors becomes copies: a tensor that is taken
// from memory is what the memory holds then (mem-9).
//
// Invariant: a function over memory has, of tensors, arguments, results,
// constants, calls, `to_tensor` of memory that nothing writes any more, and
// `to_buffer` of which only copies read.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSEPARATETENSORS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static bool isMemoryType(Type type) { return isa<BaseMemRefType>(type); }
static bool isTensorType(Type type) { return isa<TensorType>(type); }

/// Whether the type has values that functions take and return.
static bool isPassed(Type type) {
  return isa<TensorType, IndexType, IntegerType, FloatType>(type);
}

static bool hasAnyType(Operation *op, llvm::function_ref<bool(Type)> property) {
  return llvm::any_of(op->getOperandTypes(), property) ||
         llvm::any_of(op->getResultTypes(), property);
}

namespace {

/// Copies between memory and the tensors of one function.
class Bridges {
public:
  explicit Bridges(func::FuncOp func) : func(func) {}

  void copy() {
    SmallVector<Operation *> bridges;
    func.walk([&](Operation *op) {
      if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp,
              bufferization::MaterializeInDestinationOp>(op))
        bridges.push_back(op);
    });
    for (Operation *op : bridges)
      llvm::TypeSwitch<Operation *>(op)
          .Case<bufferization::ToTensorOp, bufferization::ToBufferOp,
                bufferization::MaterializeInDestinationOp>(
              [&](auto it) { copy(it); });
    copyArguments();
  }

private:
  static MemRefType getRowMajor(Type type) {
    auto shaped = cast<ShapedType>(type);
    return MemRefType::get(shaped.getShape(), shaped.getElementType());
  }

  /// The dynamic extents of `memory`.
  static SmallVector<Value> getExtents(OpBuilder &b, Location loc,
                                       Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    SmallVector<Value> extents;
    for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
      if (type.isDynamicDim(axis))
        extents.push_back(memref::DimOp::create(b, loc, memory, axis));
    return extents;
  }

  static Value asMemory(OpBuilder &b, Location loc, Value tensor) {
    return bufferization::ToBufferOp::create(
        b, loc, getRowMajor(tensor.getType()), tensor, /*readOnly=*/true);
  }

  void copy(bufferization::ToTensorOp op) {
    OpBuilder b(op);
    auto [memory, tensor] =
        copyToTensor(b, op.getLoc(), op.getBuffer(), op.getType());
    op.replaceAllUsesWith(tensor);
    op.erase();
    releaseBehind(memory, tensor);
  }

  /// The caller may hand over one array as a tensor and as memory.
  void copyArguments() {
    if (!func.isPublic() ||
        llvm::none_of(func.getArgumentTypes(), isMemoryType))
      return;
    OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
    for (BlockArgument argument : func.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || argument.use_empty())
        continue;
      Location loc = argument.getLoc();
      auto from = bufferization::ToBufferOp::create(
          b, loc, bufferization::getMemRefTypeWithFullyDynamicLayout(type),
          argument, /*readOnly=*/true);
      auto [memory, tensor] = copyToTensor(b, loc, from, type);
      argument.replaceAllUsesExcept(tensor, from);
      releaseBehind(memory, tensor);
    }
  }

  /// A copy of what is in `from`: its memory and the tensor there, whose
  /// references functions over tensors count.
  static std::pair<Value, Value> copyToTensor(OpBuilder &b, Location loc,
                                              Value from, Type type) {
    Value memory = loom::AllocOp::create(b, loc, getRowMajor(type),
                                         getExtents(b, loc, from), Value(), -1)
                       .getMemref();
    memref::CopyOp::create(b, loc, from, memory);
    return {memory, bufferization::ToTensorOp::create(b, loc, type, memory,
                                                      /*restrict=*/true)};
  }

  /// Releases the copy where its block ends, unless it is passed on there.
  static void releaseBehind(Value memory, Value tensor) {
    Operation *end = memory.getParentBlock()->getTerminator();
    if (end->getNumSuccessors() != 0 ||
        llvm::is_contained(tensor.getUsers(), end))
      return;
    OpBuilder b(end);
    loom::ReleaseOp::create(b, memory.getLoc(), memory);
  }

  void copy(bufferization::ToBufferOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value from = asMemory(b, loc, op.getTensor());
    Value memory = memref::AllocOp::create(b, loc, getRowMajor(from.getType()),
                                           getExtents(b, loc, from));
    memref::CopyOp::create(b, loc, from, memory);
    if (memory.getType() != op.getType())
      memory = memref::CastOp::create(b, loc, op.getType(), memory);
    op.replaceAllUsesWith(memory);
    op.erase();
  }

  void copy(bufferization::MaterializeInDestinationOp op) {
    OpBuilder b(op);
    memref::CopyOp::create(
        b, op.getLoc(), asMemory(b, op.getLoc(), op.getSource()), op.getDest());
    op.erase();
  }

  func::FuncOp func;
};

/// Makes functions of runs of operations that compute tensors.
class TensorOutliner {
public:
  TensorOutliner(func::FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols) {}

  void run() {
    SmallVector<Block *> blocks;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != func && !worksOnMemory(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      split(*block);
  }

private:
  bool worksOnMemory(Operation *op) {
    return op
        ->walk([&](Operation *part) {
          auto call = dyn_cast<func::CallOp>(part);
          bool isOutside =
              hasAnyType(part, isMemoryType) ||
              (call && loom::isOverMemory(
                           symbols.lookup<func::FuncOp>(call.getCallee())));
          return isOutside ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static bool computesTensors(Operation *op) {
    return !op->hasTrait<OpTrait::ConstantLike>() &&
           op->walk([](Operation *part) {
               return hasAnyType(part, isTensorType) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
             }).wasInterrupted();
  }

  void split(Block &block) {
    SmallVector<Operation *> run;
    size_t size = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.hasTrait<OpTrait::IsTerminator>() || worksOnMemory(&op)) {
        outline(ArrayRef(run).take_front(size));
        run.clear();
        size = 0;
        continue;
      }
      bool computes = computesTensors(&op);
      if (!computes && run.empty())
        continue;
      run.push_back(&op);
      if (computes)
        size = run.size();
    }
  }

  /// Repeats operations behind `run` whose results no function returns, such as
  /// shapes.
  static void repeatBehind(ArrayRef<Operation *> run) {
    llvm::SmallPtrSet<Operation *, 16> inside(run.begin(), run.end());
    OpBuilder b(run.back()->getContext());
    for (Operation *op : llvm::reverse(run)) {
      auto isOutside = [&](OpOperand &use) {
        Operation *user =
            op->getBlock()->findAncestorOpInBlock(*use.getOwner());
        return !inside.contains(user);
      };
      if (llvm::all_of(op->getResultTypes(), isPassed) ||
          llvm::none_of(op->getUses(), isOutside))
        continue;
      b.setInsertionPointAfter(run.back());
      Operation *again = b.clone(*op);
      for (auto [old, made] :
           llvm::zip_equal(op->getResults(), again->getResults()))
        old.replaceUsesWithIf(made, [&](OpOperand &use) {
          return use.getOwner() != again && isOutside(use);
        });
    }
  }

  /// The value in the function that is made. What it does not take as an
  /// argument is computed there again.
  void take(OpBuilder &b, Value value, IRMapping &mapping,
            SmallVectorImpl<Value> &inputs, Block &body) {
    if (mapping.contains(value))
      return;
    Operation *op = value.getDefiningOp();
    if (op &&
        (op->hasTrait<OpTrait::ConstantLike>() || !isPassed(value.getType()))) {
      for (Value operand : op->getOperands())
        take(b, operand, mapping, inputs, body);
      b.clone(*op, mapping);
      return;
    }
    inputs.push_back(value);
    mapping.map(value, body.addArgument(value.getType(), value.getLoc()));
  }

  void outline(ArrayRef<Operation *> run) {
    if (run.empty())
      return;
    repeatBehind(run);
    llvm::SmallPtrSet<Operation *, 16> inside(run.begin(), run.end());
    SmallVector<Value> results;
    for (Operation *op : run)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !inside.contains(
                  op->getBlock()->findAncestorOpInBlock(*user));
            }))
          results.push_back(result);

    OpBuilder b(func.getContext());
    auto made =
        func::FuncOp::create(func.getLoc(), (func.getName() + "_tensors").str(),
                             b.getFunctionType({}, {}));
    made.setPrivate();
    symbols.insert(made);
    Block &body = made.getBody().emplaceBlock();
    b.setInsertionPointToEnd(&body);
    IRMapping mapping;
    SmallVector<Value> inputs;
    for (Operation *op : run) {
      llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), used);
      for (Value value : used)
        take(b, value, mapping, inputs, body);
      b.clone(*op, mapping);
    }
    SmallVector<Value> returned = llvm::map_to_vector(
        results, [&](Value value) { return mapping.lookup(value); });
    func::ReturnOp::create(b, run.back()->getLoc(), returned);
    made.setType(b.getFunctionType(body.getArgumentTypes(),
                                   ValueRange(returned).getTypes()));

    b.setInsertionPoint(run.front());
    auto call = func::CallOp::create(b, run.back()->getLoc(), made, inputs);
    for (auto [old, value] : llvm::zip_equal(results, call.getResults()))
      old.replaceAllUsesWith(value);
    for (Operation *op : llvm::reverse(run))
      op->erase();
  }

  func::FuncOp func;
  SymbolTable &symbols;
};

struct LoomSeparateTensorsPass
    : codegen::impl::LoomSeparateTensorsBase<LoomSeparateTensorsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!loom::isOverMemory(func) || func.isExternal())
        continue;
      SmallVector<int64_t> tensors;
      for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
        if (isTensorType(type))
          tensors.push_back(i);
      if (!tensors.empty())
        func->setAttr(kTensorArguments,
                      DenseI64ArrayAttr::get(&getContext(), tensors));
      Bridges(func).copy();
      TensorOutliner(func, symbols).run();
    }
  }
};

} // namespace
