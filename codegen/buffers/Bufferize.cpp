//===- Bufferize.cpp - tensors to buffers ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/BufferizeFunctions.h"
#include "codegen/buffers/InsertCopies.h"
#include "codegen/buffers/MakeLaunch.h"
#include "codegen/buffers/NarrowResults.h"
#include "codegen/buffers/Ownership.h"
#include "codegen/buffers/PrepareReshapes.h"
#include "codegen/buffers/ResolveExtents.h"
#include "codegen/buffers/SplitEdges.h"
#include "codegen/buffers/StructuredControl.h"
#include "codegen/buffers/UnrankedBuffers.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMBUFFERIZE
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace mlir::bufferization;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Puts `loom.contiguous` between arguments and the operations whose code
/// assumes row-major memory.
void prepareArguments(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    if (!isa<TensorType>(argument.getType()))
      continue;
    auto isAny = [](OpOperand &use) { return isReadWithAnyStrides(use); };
    if (!func.isPublic() || llvm::all_of(argument.getUses(), isAny))
      continue;
    auto contiguous = loom::ContiguousOp::create(builder, argument.getLoc(),
                                                 argument.getType(), argument);
    argument.replaceUsesWithIf(contiguous, [](OpOperand &use) {
      return !isReadWithAnyStrides(use) &&
             !isa<loom::ContiguousOp>(use.getOwner());
    });
  }
}

/// Fills a large tensor of one value at run time; as a constant, all its
/// elements would be in the object file.
void fillSplats(func::FuncOp func) {
  constexpr uint64_t kLargestConstant = 4096;
  SmallVector<arith::ConstantOp> splats;
  walkAroundMaps(func, [&](Operation *op) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (!constant || !isa<SplatElementsAttr>(constant.getValue()))
      return;
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!type)
      return;
    uint64_t count = 1;
    for (int64_t extent : type.getShape())
      count = llvm::SaturatingMultiply<uint64_t>(count, extent);
    if (count > kLargestConstant)
      splats.push_back(constant);
  });
  for (arith::ConstantOp constant : splats) {
    OpBuilder builder(constant);
    auto value = cast<SplatElementsAttr>(constant.getValue());
    Value scalar = arith::ConstantOp::create(
        builder, constant.getLoc(),
        cast<TypedAttr>(value.getSplatValue<Attribute>()));
    Value filled =
        tensor::SplatOp::create(builder, constant.getLoc(), scalar,
                                cast<RankedTensorType>(constant.getType()));
    constant.replaceAllUsesWith(filled);
    constant.erase();
  }
}

/// An arbitrary value of type `type`.
Value makeAny(OpBuilder &b, Location loc, Type type) {
  if (auto ranked = dyn_cast<RankedTensorType>(type)) {
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    return tensor::EmptyOp::create(
        b, loc, ranked, SmallVector<Value>(ranked.getNumDynamicDims(), none));
  }
  if (auto tensor = dyn_cast<UnrankedTensorType>(type))
    return tensor::CastOp::create(
        b, loc, type,
        makeAny(b, loc, RankedTensorType::get({}, tensor.getElementType())));
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

/// Appends an unreachable last block to a region that never ends: upstream
/// requires each region to have an end.
template <typename End> void addEnd(Region &region, TypeRange results) {
  if (llvm::any_of(
          region, [](Block &block) { return isa<End>(block.getTerminator()); }))
    return;
  OpBuilder b(region.getContext());
  Location loc = region.getLoc();
  b.createBlock(&region, region.end());
  SmallVector<Value> values;
  for (Type type : results)
    values.push_back(makeAny(b, loc, type));
  End::create(b, loc, values);
}

void addEnds(func::FuncOp func) {
  addEnd<func::ReturnOp>(func.getBody(), func.getResultTypes());
  func.walk([](scf::ExecuteRegionOp op) {
    addEnd<scf::YieldOp>(op.getRegion(), op.getResultTypes());
  });
}

/// How many operations around `op` return values of their regions.
unsigned countLevels(Operation *op) {
  unsigned levels = 0;
  for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
    levels += passesValuesOn(at);
  return levels;
}

/// Makes `use` read its value in row-major order, from a copy if the layout
/// differs.
void makeContiguous(OpOperand &use) {
  Operation *op = use.getOwner();
  OpBuilder builder(op);
  use.set(loom::ContiguousOp::create(builder, op->getLoc(), use.get().getType(),
                                     use.get()));
}

/// The blocks of `func` that are part of a cycle.
llvm::DenseSet<Block *> findCycles(func::FuncOp func) {
  llvm::DenseSet<Block *> blocks;
  func.walk([&](Region *region) {
    if (region->empty() || region->hasOneBlock())
      return;
    for (auto it = llvm::scc_begin(region); !it.isAtEnd(); ++it)
      if (it.hasCycle())
        blocks.insert_range(*it);
  });
  return blocks;
}

/// Whether `op` passes values to another block of an `scf.execute_region`, or
/// of a region that a loop runs.
bool branchesWhereLayoutsAreLost(Operation *op,
                                 const llvm::DenseSet<Block *> &cycles) {
  return isa<BranchOpInterface>(op) &&
         (isa<scf::ExecuteRegionOp>(op->getParentOp()) ||
          llvm::any_of(op->getSuccessors(),
                       [&](Block *block) { return cycles.contains(block); }));
}

/// Whether the value that `use` passes on must be row-major:
///
/// - Callees require it. If the extents are unknown, upstream takes a view with
///   inner stride 1 and other strides unknown for row-major.
/// - Upstream finds no layout for a block in a region that a loop runs.
/// - If a loop of blocks passes on views of its arguments, upstream computes
///   the views' layouts from the initial arguments alone.
/// - For nested branches and loops, upstream computes the layout of a value
///   from the arguments and from the results of the next level, without
///   caching: each level doubles the time.
bool needsRowMajor(OpOperand &use, const llvm::DenseSet<Block *> &cycles) {
  constexpr unsigned kDeep = 4;
  Operation *op = use.getOwner();
  if (!isa<RankedTensorType>(use.get().getType()))
    return false;
  if (isa<func::CallOp>(op) || branchesWhereLayoutsAreLost(op, cycles))
    return true;
  return !isa<scf::ForallOp>(op) && !getTargets(use).empty() &&
         countLevels(op) >= kDeep;
}

/// Makes uses that need it read row-major values.
void settleLayouts(func::FuncOp func) {
  SmallVector<OpOperand *> handed;
  llvm::DenseSet<Block *> cycles = findCycles(func);
  walkAroundMaps(func, [&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      if (needsRowMajor(use, cycles))
        handed.push_back(&use);
  });
  for (OpOperand *use : handed)
    makeContiguous(*use);
}

bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Whether `func` is over memory and has nothing to bufferize.
bool isPureMemory(func::FuncOp func) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return loom::isOverMemory(func) &&
         llvm::none_of(func.getArgumentTypes(), isTensor) &&
         !func.walk([](Operation *op) {
                return hasTensors(op) ? WalkResult::interrupt()
                                      : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether `op` writes to no existing tensor.
bool writesNothing(Operation *op) {
  return op->hasTrait<loom::ScalarBody>() || readsAnyStrides(op) ||
         isa<func::FuncOp, func::ReturnOp, loom::ContiguousOp,
             loom::TransposedOp, tensor::CastOp, arith::ConstantOp>(op) ||
         !hasTensors(op);
}

/// Whether every tensor of `func` is an argument that is read with any strides,
/// or the result of a map at the top level. Its buffer is then the argument's
/// or the launch's, and no analysis is needed.
bool hasOnlyMaps(func::FuncOp func) {
  Region &body = func.getBody();
  if (!func.isPublic() || !body.hasOneBlock() ||
      !llvm::all_of(func.getArguments(), [](BlockArgument argument) {
        return llvm::all_of(argument.getUsers(), readsAnyStrides);
      }))
    return false;
  bool only = true;
  walkAroundMaps(func, [&](Operation *op) {
    only = only && (!hasTensors(op) ||
                    (op->getBlock() == &body.front() &&
                     (readsAnyStrides(op) || isa<func::ReturnOp>(op))));
  });
  return only;
}

/// Bufferizes such a function in one walk. One-shot bufferization inserts casts
/// between tensors and buffers around each operation and removes them one by
/// one, which takes half of the time of lowering a wide program.
void bufferizeMaps(func::FuncOp func) {
  Block &entry = func.getBody().front();
  for (BlockArgument argument : entry.getArguments())
    if (auto type = dyn_cast<TensorType>(argument.getType()))
      argument.setType(getMemRefTypeWithFullyDynamicLayout(type));
  IRRewriter rewriter(func.getContext());
  for (Operation &op : llvm::make_early_inc_range(entry)) {
    rewriter.setInsertionPoint(&op);
    llvm::TypeSwitch<Operation *>(&op)
        .Case<loom::MapOp, loom::FusedReductionOp>([&](auto map) {
          rewriter.replaceOp(map, makeLaunch(rewriter, map, map.getInputs()));
        })
        .Default([&](Operation *other) { replaceQuery(rewriter, other); });
  }
  func.setType(FunctionType::get(
      func.getContext(), llvm::to_vector(entry.getArgumentTypes()),
      llvm::to_vector(entry.getTerminator()->getOperandTypes())));
}

/// The functions that need no analysis of reads after writes: nothing is
/// written in them, and they neither call nor are called. That analysis
/// compares every two reads of a tensor.
llvm::DenseSet<Operation *> findReaders(ModuleOp module) {
  llvm::StringSet<> called;
  SmallVector<func::FuncOp> readers;
  for (auto func : module.getOps<func::FuncOp>()) {
    bool reads = !func.isExternal();
    walkAroundMaps(func, [&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        called.insert(call.getCallee());
        reads = false;
      }
      reads = reads && writesNothing(op);
    });
    if (reads)
      readers.push_back(func);
  }
  llvm::DenseSet<Operation *> uncalled;
  for (func::FuncOp func : readers)
    if (!called.contains(func.getName()))
      uncalled.insert(func);
  return uncalled;
}

/// Makes the globals of all constants in the order of the text, and erases
/// those without readers. Upstream would number the globals by the addresses of
/// functions, which vary.
LogicalResult makeGlobals(ModuleOp module, uint64_t alignment) {
  SymbolTableCollection symbols;
  WalkResult result = module.walk([&](arith::ConstantOp constant) {
    if (!isa<RankedTensorType>(constant.getType()))
      return WalkResult::advance();
    if (constant->use_empty()) {
      constant.erase();
      return WalkResult::advance();
    }
    return failed(getGlobalFor(constant, symbols, alignment))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct LoomBufferizePass : codegen::impl::LoomBufferizeBase<LoomBufferizePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && !isPureMemory(func))
        addEnds(func);
    codegen::splitEdges(module);
    codegen::narrowResults(module);
    codegen::prepareReshapes(module);
    llvm::DenseSet<Operation *> readers = findReaders(module);
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal() || isPureMemory(func))
        continue;
      if (readers.contains(func) && !loom::isOverMemory(func) &&
          hasOnlyMaps(func)) {
        bufferizeMaps(func);
        continue;
      }
      resolveExtents(func);
      bufferizeUnranked(func);
      prepareArguments(func);
      fillSplats(func);
      insertCopies(func);
      settleLayouts(func);
    }

    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    // Arguments of public functions have any strides. Between functions of the
    // program all tensors are row-major, so that code on them can be
    // vectorised.
    options.functionArgTypeConverterFn =
        [](TensorLikeType type, Attribute memorySpace, FunctionOpInterface func,
           const BufferizationOptions &) -> BufferLikeType {
      auto tensorType = cast<TensorType>(type);
      if (func.isPublic())
        return cast<BufferLikeType>(
            getMemRefTypeWithFullyDynamicLayout(tensorType, memorySpace));
      return cast<BufferLikeType>(
          getMemRefTypeWithStaticIdentityLayout(tensorType, memorySpace));
    };
    options.inferFunctionResultLayout = true;
    options.unknownTypeConverterFn =
        [](TensorType type, Attribute memorySpace,
           const BufferizationOptions &) -> BaseMemRefType {
      return getMemRefTypeWithStaticIdentityLayout(type, memorySpace);
    };
    if (failed(makeGlobals(module, options.bufferAlignment)) ||
        failed(bufferizeFunctions(module, options)))
      signalPassFailure();
  }
};

} // namespace
