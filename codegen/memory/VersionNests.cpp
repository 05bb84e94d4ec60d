//===- VersionNests.cpp - loop nests for memory that does not overlap -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments may share memory (mem-1), so that LLVM must load again what a store
// may have changed, and checks for each run of an innermost loop whether it can
// be vectorised. One check in front of the nest picks a second version, whose
// accesses say which other ones they do not overlap with.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/CheckAhead.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/MiddleLoops.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMVERSIONNESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Operations of a nest that has a second version, and of all in a function.
static constexpr size_t kMostOperations = 256, kMostOperationsTogether = 1024;

namespace {

/// What is accessed in a loop.
struct LoopMemory {
  /// The bases.
  NestMemory bases;
  size_t numOperations = 0;

  /// Nothing if the loop has operations other than arithmetic, control flow,
  /// loads and stores, or if it makes memory.
  static std::optional<LoopMemory> get(scf::ForOp loop) {
    LoopMemory memory;
    WalkResult result = loop.walk([&](Operation *op) {
      ++memory.numOperations;
      if (Value accessed = getAccessedMemory(op)) {
        Value base = getBase(accessed);
        if (loop->isAncestor(base.getParentRegion()->getParentOp()))
          return WalkResult::interrupt();
        memory.bases[base] |= isa<memref::StoreOp>(op);
        return WalkResult::advance();
      }
      return isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) ||
                     isMemoryEffectFree(op)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return std::nullopt;
    return memory;
  }
};

/// Gives one nest its second version.
class NestVersion {
public:
  NestVersion(scf::ForOp nest, const LoopMemory &memory)
      : nest(nest), memory(memory), b(nest), loc(nest.getLoc()) {}

  void insert() {
    Value apart = computeApart(b, loc, memory.bases);
    auto branch = scf::IfOp::create(b, loc, nest.getResultTypes(), apart,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    nest.replaceAllUsesWith(branch.getResults());
    auto fill = [&](Block *block, Operation *loop) {
      block->clear();
      b.setInsertionPointToStart(block);
      b.insert(loop);
      scf::YieldOp::create(b, loc, loop->getResults());
    };
    Operation *second = nest->clone();
    fill(branch.thenBlock(), second);
    nest->remove();
    fill(branch.elseBlock(), nest);
    markApart(second, memory.bases, getBase);
  }

private:
  scf::ForOp nest;
  const LoopMemory &memory;
  OpBuilder b;
  Location loc;
};

class Versioner {
public:
  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        if (auto loop = dyn_cast<scf::ForOp>(op); !loop || !tryVersion(loop))
          for (Region &inner : op.getRegions())
            visit(inner);
  }

private:
  /// Whether nothing in the loop needs to be looked at.
  bool tryVersion(scf::ForOp loop) {
    // A loop at an end of a boundary has few iterations.
    if (loop->hasAttr(kHasVersions) || loop->hasAttr(kIsEnd))
      return true;
    std::optional<LoopMemory> memory = LoopMemory::get(loop);
    if (!memory)
      return false;
    bool isWritten =
        llvm::any_of(memory->bases, [](auto &entry) { return entry.second; });
    if (!isWritten || memory->bases.size() < 2 || !pays(loop))
      return true;
    if (memory->bases.size() > kMostBases ||
        memory->numOperations > kMostOperations ||
        numOperations + memory->numOperations > kMostOperationsTogether)
      return false;
    numOperations += memory->numOperations;
    NestVersion(loop, *memory).insert();
    return true;
  }

  /// LLVM itself makes a check in front of a single loop, unless an access is
  /// the same in all iterations, which it would have to keep in a register.
  static bool pays(scf::ForOp loop) {
    return loop
        .walk([&](Operation *op) {
          bool isReason = isa<scf::ForOp>(op) && op != loop;
          if (getAccessedMemory(op))
            isReason |= llvm::all_of(op->getOperands(), [&](Value operand) {
              return isa<BaseMemRefType>(operand.getType()) ||
                     !operand.getType().isIndex() ||
                     loop.isDefinedOutsideOfLoop(operand);
            });
          return isReason ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  size_t numOperations = 0;
};

struct LoomVersionNestsPass
    : codegen::impl::LoomVersionNestsBase<LoomVersionNestsPass> {
  void runOnOperation() override {
    if (!loom::isOverMemory(getOperation()))
      return;
    checkAhead(getOperation());
    Versioner().visit(getOperation().getBody());
  }
};

} // namespace
