//===- ParallelLoop.cpp - a loop over memory as a function ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ParallelLoop.h"

#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/FunctionPiece.h"
#include "codegen/memory/LoopConditions.h"
#include "codegen/memory/LoopWork.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "legalize/memory/ElementLoops.h"
#include "legalize/memory/LoopReport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopDependences;
using Reduction = LoopDependences::Reduction;

/// The limit of what the function takes of what is in front of the loop.
static constexpr size_t kMostCaptures = 48;
/// Those of a loop, as for versions of nests (VersionNests.cpp).
static constexpr size_t kMostOfParallel = 256, kMostMemrefs = 8;

namespace {

/// Makes one loop a function and a call.
class ParallelLoop {
public:
  ParallelLoop(scf::ForOp loop, const LoopDependences &facts,
               SymbolTable &symbols, unsigned &number)
      : loop(loop), facts(facts), symbols(symbols), number(number), b(loop),
        loc(loop.getLoc()) {}

  bool run() {
    if (!findCaptures())
      return false;
    Value condition = computeHolds(b, loop, facts, facts.memory);
    if (!condition) {
      loop.replaceAllUsesWith(call());
      loop.erase();
      return true;
    }
    auto branch =
        scf::IfOp::create(b, loc, loop.getResultTypes(), condition,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    loop.replaceAllUsesWith(branch.getResults());
    auto begin = [&](Block *block) {
      block->clear();
      b.setInsertionPointToStart(block);
    };
    begin(branch.thenBlock());
    scf::YieldOp::create(b, loc, call());
    begin(branch.elseBlock());
    loop->remove();
    b.insert(loop);
    loop->setAttr(kHasVersions, b.getUnitAttr());
    scf::YieldOp::create(b, loc, loop.getResults());
    return true;
  }

private:
  bool findCaptures() {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop->getRegions(), used);
    used.insert(loop.getLowerBound());
    used.insert(loop.getStep());
    for (Value value : used) {
      Operation *op = value.getDefiningOp();
      if (op && isCopied(op)) {
        copied.push_back(op);
        continue;
      }
      if (!canBePassed(value))
        return false;
      captures.push_back(value);
    }
    return captures.size() <= kMostCaptures;
  }

  /// Calls the loop's function. What the iterations combine is in memory
  /// meanwhile. Returns the loop's results.
  SmallVector<Value> call() {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0),
          trips = computeTripCount(b, loop);
    SmallVector<Value> arguments = {zero, trips, computeWork(b, loop)};
    llvm::append_range(arguments, captures);
    bool isInMemory = false;
    for (const Reduction &reduction : facts.reductions) {
      Value sum = makeSlot(b, reduction.type);
      if (reduction.result)
        memref::StoreOp::create(b, loc, loop.getInitArgs()[*reduction.result],
                                sum);
      isInMemory |= !reduction.result;
      arguments.push_back(sum);
    }
    ArrayRef<Value> sums =
        ArrayRef(arguments).take_back(facts.reductions.size());
    func::FuncOp body = buildBody(ValueRange(arguments).getTypes());
    if (isInMemory) {
      // Without an iteration, nothing has checked where these numbers are.
      Value runs =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, trips, zero);
      auto branch = scf::IfOp::create(b, loc, runs, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      moveSums(sums, /*isBefore=*/true);
      call(body, arguments);
      moveSums(sums, /*isBefore=*/false);
    } else {
      call(body, arguments);
    }
    SmallVector<Value> results;
    for (auto [reduction, sum] : llvm::zip_equal(facts.reductions, sums))
      if (reduction.result)
        results.push_back(memref::LoadOp::create(b, loc, sum));
    return results;
  }

  void call(func::FuncOp body, ValueRange arguments) {
    auto made = func::CallOp::create(b, loc, body, arguments);
    made->setAttr(kParallelLoop, b.getUnitAttr());
  }

  Value makeSlot(OpBuilder &builder, Type type) {
    auto slot =
        memref::AllocaOp::create(builder, loc, MemRefType::get({}, type));
    slot->setAttr(kStackSlot, builder.getUnitAttr());
    return slot;
  }

  /// Takes the numbers that the loop has in memory from there, or puts them
  /// back.
  void moveSums(ArrayRef<Value> sums, bool isBefore) {
    for (auto [reduction, sum] : llvm::zip_equal(facts.reductions, sums)) {
      if (reduction.result)
        continue;
      auto load = cast<memref::LoadOp>(reduction.load);
      if (isBefore)
        memref::StoreOp::create(b, loc, b.clone(*load)->getResult(0), sum);
      else
        memref::StoreOp::create(b, loc, memref::LoadOp::create(b, loc, sum),
                                load.getMemRef(), load.getIndices());
    }
  }

  func::FuncOp buildBody(TypeRange types) {
    func::FuncOp func = makePieceFunction(loc, number++, types, {});
    Block *block = func.addEntryBlock();
    OpBuilder inner = OpBuilder::atBlockBegin(block);
    IRMapping mapping;
    mapping.map(captures, block->getArguments()
                              .drop_front(kFixedArguments)
                              .take_front(captures.size()));
    for (Operation *op : copied)
      inner.clone(*op, mapping);
    buildLoop(inner, block->getArguments(), mapping);
    func::ReturnOp::create(inner, loc);
    symbols.insert(
        func, std::next(loop->getParentOfType<func::FuncOp>()->getIterator()));
    return func;
  }

  /// The loop over some of the iterations, and then its numbers combined with
  /// those of other parts.
  void buildLoop(OpBuilder &inner, ValueRange arguments, IRMapping &mapping) {
    Value one = arith::ConstantIndexOp::create(inner, loc, 1);
    SmallVector<Value> carried, slots;
    for (const Reduction &reduction : facts.reductions) {
      Value first =
          arith::getIdentityValue(reduction.kind, reduction.type, inner, loc);
      slots.push_back(reduction.result ? Value()
                                       : makeSlot(inner, reduction.type));
      if (reduction.result)
        carried.push_back(first);
      else
        memref::StoreOp::create(inner, loc, first, slots.back());
    }
    auto made = scf::ForOp::create(inner, loc, arguments[0], arguments[1], one,
                                   carried);
    made->setAttr(kHasVersions, b.getUnitAttr());
    for (StringRef mark : {kVectorLanes, kVectorLoop})
      if (Attribute given = loop->getAttr(mark))
        made->setAttr(mark, given);
    fill(made, mapping, slots);
    NestMemory memory;
    for (const auto &[memref, isWritten] : facts.memory)
      memory[mapping.lookup(memref)] = isWritten;
    auto getInFront = [&](Value memref) {
      while (memref && !memory.contains(memref))
        memref = loom::getViewed(memref.getDefiningOp());
      return memref;
    };
    if (memory.size() > 1)
      markApart(made, memory, getInFront);
    for (auto [reduction, slot, sum] :
         llvm::zip_equal(facts.reductions, slots,
                         arguments.take_back(facts.reductions.size()))) {
      Value part = reduction.result
                       ? Value(made.getResult(*reduction.result))
                       : memref::LoadOp::create(inner, loc, slot).getResult();
      auto combine =
          memref::GenericAtomicRMWOp::create(inner, loc, sum, ValueRange());
      OpBuilder region = OpBuilder::atBlockEnd(combine.getBody());
      Value all = arith::getReductionOp(reduction.kind, region, loc,
                                        combine.getCurrentValue(), part);
      memref::AtomicYieldOp::create(region, loc, all);
    }
  }

  /// Copies the iterations. Numbers in memory are in `slots` instead.
  void fill(scf::ForOp made, IRMapping &mapping, ArrayRef<Value> slots) {
    Block *body = made.getBody();
    body->clear();
    OpBuilder inner = OpBuilder::atBlockEnd(body);
    mapping.map(loop.getInductionVar(),
                computeVariable(inner, made.getInductionVar(), mapping));
    mapping.map(loop.getRegionIterArgs(), made.getRegionIterArgs());
    for (Operation &op : *loop.getBody())
      inner.clone(op, mapping);
    // The site of a thread is that of the call.
    made.walk([](loom::SiteOp site) { site.erase(); });
    made.walk([](memref::CopyOp copy) { copyByElements(copy); });
    for (auto [reduction, slot] : llvm::zip_equal(facts.reductions, slots)) {
      if (reduction.result)
        continue;
      auto load = cast<memref::LoadOp>(mapping.lookup(reduction.load));
      auto store = cast<memref::StoreOp>(mapping.lookup(reduction.store));
      load.getMemrefMutable().assign(slot);
      load.getIndicesMutable().clear();
      store.getMemrefMutable().assign(slot);
      store.getIndicesMutable().clear();
    }
  }

  /// Makes a copy loops over its elements: the runtime's copy is for one thread
  /// of a call.
  static void copyByElements(memref::CopyOp copy) {
    OpBuilder b(copy);
    Value source = copy.getSource(), target = copy.getTarget();
    legalize::forEachElement(
        b, copy.getLoc(), source, [&](OpBuilder &inner, ValueRange indices) {
          Value element =
              memref::LoadOp::create(inner, copy.getLoc(), source, indices);
          memref::StoreOp::create(inner, copy.getLoc(), element, target,
                                  indices);
        });
    copy.erase();
  }

  /// The loop's variable in the iteration of the given number.
  Value computeVariable(OpBuilder &inner, Value iteration, IRMapping &mapping) {
    Type type = loop.getInductionVar().getType();
    if (!type.isIndex())
      iteration = arith::IndexCastOp::create(inner, loc, type, iteration);
    Value step = mapping.lookup(loop.getStep()),
          lower = mapping.lookup(loop.getLowerBound());
    if (!matchPattern(loop.getStep(), m_One()))
      iteration = arith::MulIOp::create(inner, loc, iteration, step);
    if (matchPattern(loop.getLowerBound(), m_Zero()))
      return iteration;
    return arith::AddIOp::create(inner, loc, iteration, lower);
  }

  /// The first iteration, the end, and the work.
  static constexpr unsigned kFixedArguments = 3;

  scf::ForOp loop;
  const LoopDependences &facts;
  SymbolTable &symbols;
  unsigned &number;
  OpBuilder b;
  Location loc;
  SmallVector<Value> captures;
  SmallVector<Operation *> copied;
};

} // namespace

bool codegen::writesNothing(const LoopDependences &facts) {
  return facts.areIndependent() &&
         llvm::none_of(facts.memory, [](auto &each) { return each.second; });
}

std::string codegen::describeObstacle(const LoopDependences &facts) {
  if (!facts.areIndependent())
    return legalize::describeOrder(facts);
  if (writesNothing(facts))
    return "it writes nothing";
  if (facts.memory.size() > kMostMemrefs)
    return "it touches " + std::to_string(facts.memory.size()) +
           " memrefs, more than " + std::to_string(kMostMemrefs);
  if (facts.numOperations > kMostOfParallel)
    return "it has " + std::to_string(facts.numOperations) +
           " operations, more than " + std::to_string(kMostOfParallel);
  return "";
}

bool codegen::callInParts(scf::ForOp loop, const LoopDependences &facts,
                          SymbolTable &symbols, unsigned &number) {
  return ParallelLoop(loop, facts, symbols, number).run();
}
