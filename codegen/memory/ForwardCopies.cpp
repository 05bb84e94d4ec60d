//===- ForwardCopies.cpp - copies that contractions do not need -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ForwardCopies.h"
#include "codegen/memory/CopyNest.h"
#include "codegen/memory/MovableValues.h"
#include "codegen/memory/NestProduct.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "legalize/memory/LoopReport.h"
#include "legalize/memory/NestReader.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Memory of the function's own that is loaded and stored alone.
struct Scratchpad {
  Value memory;
  SmallVector<memref::LoadOp> loads;
  SmallVector<memref::StoreOp> stores;
  SmallVector<Operation *> deallocs;
};

class CopyForwarder {
public:
  explicit CopyForwarder(func::FuncOp func) : func(func) {}

  std::vector<ScratchCopy> run() {
    std::vector<Value> memories;
    func.walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::AllocaOp>(op))
        if (readScratchpad(op->getResult(0)))
          memories.push_back(op->getResult(0));
    });
    own.insert(memories.begin(), memories.end());
    std::vector<ScratchCopy> copies;
    for (Value memory : memories) {
      // What another copy was is read from elsewhere.
      Scratchpad scratchpad = *readScratchpad(memory);
      for (memref::StoreOp store : scratchpad.stores)
        if (std::optional<CopyNest> copy = CopyNest::into(store)) {
          copies.push_back({copy->root.getLoc(),
                            infer::describeMemory(copy->load.getMemRef()),
                            infer::describeMemory(scratchpad.memory),
                            findObstacle(scratchpad, *copy)});
          if (copies.back().because.empty())
            copies.back().because = forward(scratchpad, *copy);
          // There is no other store where it was removed.
          if (copies.back().because.empty())
            break;
          copies.back().kept = memory;
        }
    }
    return copies;
  }

private:
  static std::optional<Scratchpad> readScratchpad(Value memory) {
    Scratchpad scratchpad;
    scratchpad.memory = memory;
    for (OpOperand &use : memory.getUses()) {
      Operation *user = use.getOwner();
      if (auto load = dyn_cast<memref::LoadOp>(user))
        scratchpad.loads.push_back(load);
      else if (auto store = dyn_cast<memref::StoreOp>(user);
               store && store.getMemRef() == memory)
        scratchpad.stores.push_back(store);
      else if (isa<memref::DeallocOp>(user))
        scratchpad.deallocs.push_back(user);
      else
        return std::nullopt;
    }
    return scratchpad;
  }

  /// The contraction that has the load; null if none has.
  static scf::ForOp findContraction(memref::LoadOp load) {
    SmallVector<Operation *> loops = legalize::NestReader::getLoopsAround(load);
    for (Operation *op : llvm::reverse(loops)) {
      auto loop = cast<scf::ForOp>(op);
      if (auto product = NestProduct::get(loop))
        return product->because.empty() ? loop : scf::ForOp();
    }
    return {};
  }

  /// Why the copy must stay; empty if nothing is known of such.
  std::string findObstacle(const Scratchpad &scratchpad, CopyNest copy) {
    if (scratchpad.stores.size() > 1) {
      for (memref::StoreOp store : scratchpad.stores)
        if (!copy.root->isAncestor(store))
          return legalize::describeAccess(store) + " writes to the same memory";
    }
    if (scratchpad.loads.empty())
      return "nothing reads it";
    Block *block = copy.root->getBlock();
    Operation *last = copy.root;
    for (memref::LoadOp load : scratchpad.loads) {
      Operation *behind = block->findAncestorOpInBlock(*load);
      if (!behind || !copy.root->isBeforeInBlock(behind))
        return legalize::describeAccess(load) + " is not behind it";
      if (!findContraction(load))
        return legalize::describeAccess(load) + " is in no contraction";
      if (std::optional<size_t> axis = copy.findOpenAxis(load.getIndices()))
        return legalize::describeAccess(load) +
               " may read elements along axis " + std::to_string(*axis) +
               " that it has not written";
      if (last->isBeforeInBlock(behind))
        last = behind;
    }
    for (Operation *op = copy.root->getNextNode();; op = op->getNextNode()) {
      if (Operation *writer = findWriter(op, copy.load.getMemRef()))
        return legalize::describeAccess(writer) +
               (isa<memref::StoreOp>(writer)
                    ? " may change what it copies"
                    : " is between it and what reads it");
      if (op == last)
        return {};
    }
  }

  /// An operation in `op` that may write to `memory`.
  Operation *findWriter(Operation *op, Value memory) {
    Operation *found = nullptr;
    op->walk([&](Operation *inner) {
      auto store = dyn_cast<memref::StoreOp>(inner);
      bool isHarmless =
          store ? store.getMemRef() != memory &&
                      (own.contains(store.getMemRef()) || own.contains(memory))
                : isa<memref::LoadOp, scf::ForOp, scf::IfOp, scf::YieldOp>(
                      inner) ||
                      isMovable(*inner);
      if (!isHarmless)
        found = inner;
      return isHarmless ? WalkResult::advance() : WalkResult::interrupt();
    });
    return found;
  }

  /// Lets the loads read what was copied. Where nests are contractions no more
  /// then, all is as before, and the result says why.
  std::string forward(const Scratchpad &scratchpad, CopyNest copy) {
    SmallVector<std::pair<memref::LoadOp, memref::LoadOp>> loads;
    SmallVector<scf::ForOp> nests;
    for (memref::LoadOp load : scratchpad.loads) {
      nests.push_back(findContraction(load));
      OpBuilder b(load);
      IRMapping mapping = copy.mapAxes(load.getIndices());
      Value made = compute(b, copy.load.getResult(), copy.root, mapping);
      load.replaceAllUsesWith(made);
      loads.push_back({load, made.getDefiningOp<memref::LoadOp>()});
    }
    SmallVector<Operation *> places;
    for (auto [old, made] : loads) {
      places.push_back(old->getNextNode());
      old->remove();
    }
    std::string because;
    for (auto [pair, nest] : llvm::zip_equal(loads, nests))
      if (auto [old, made] = pair;
          because.empty() && findContraction(made) != nest)
        because = "the loops around " + legalize::describeAccess(old) +
                  " are no contraction of what it copies";
    for (auto [pair, place] :
         llvm::zip_equal(llvm::reverse(loads), llvm::reverse(places))) {
      auto [old, made] = pair;
      if (because.empty()) {
        old->destroy();
        continue;
      }
      place->getBlock()->getOperations().insert(place->getIterator(), old);
      made.replaceAllUsesWith(old.getResult());
      made.erase();
    }
    if (!because.empty())
      return because;
    copy.root.erase();
    // What is never freed stays, so that it is told.
    bool isFreed = !scratchpad.deallocs.empty() ||
                   scratchpad.memory.getDefiningOp<memref::AllocaOp>();
    for (Operation *dealloc : scratchpad.deallocs)
      dealloc->erase();
    if (isFreed)
      scratchpad.memory.getDefiningOp()->erase();
    own.erase(scratchpad.memory);
    return {};
  }

  func::FuncOp func;
  /// The memory of scratchpads, which overlaps with no other.
  llvm::DenseSet<Value> own;
};

} // namespace

std::vector<ScratchCopy> codegen::forwardCopies(func::FuncOp func) {
  return CopyForwarder(func).run();
}
