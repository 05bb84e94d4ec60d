//===- ForwardCopies.cpp - copies that contractions do not need -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ForwardCopies.h"
#include "codegen/memory/MovableValues.h"
#include "codegen/memory/NestProduct.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "legalize/memory/LoopReport.h"
#include "legalize/memory/NestReader.h"

#include "mlir/IR/Matchers.h"
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

/// A nest of loops around one store of one load, of which each goes through an
/// axis of the scratchpad.
struct CopyNest {
  memref::LoadOp load;
  scf::ForOp root;
  /// The loop of each axis.
  SmallVector<scf::ForOp> axes;
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
        if (std::optional<CopyNest> copy = readCopy(store)) {
          copies.push_back({copy->root.getLoc(),
                            infer::describeMemory(copy->load.getMemRef()),
                            infer::describeMemory(scratchpad.memory),
                            findObstacle(scratchpad, *copy)});
          if (copies.back().because.empty())
            copies.back().because = forward(scratchpad, *copy);
          // There is no other store where it was removed.
          if (copies.back().because.empty())
            break;
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

  /// The loop whose variable `value` is.
  static scf::ForOp getLoop(Value value) {
    return scf::getForInductionVarOwner(withoutIdentity(value));
  }

  std::optional<CopyNest> readCopy(memref::StoreOp store) {
    CopyNest copy;
    copy.load = store.getValue().getDefiningOp<memref::LoadOp>();
    if (!copy.load || copy.load.getMemRef() == store.getMemRef() ||
        copy.load->getBlock() != store->getBlock())
      return std::nullopt;
    for (Value index : store.getIndices()) {
      copy.axes.push_back(getLoop(index));
      if (!copy.axes.back())
        return std::nullopt;
    }
    Operation *inner = nullptr;
    for (size_t left = copy.axes.size(); left > 0; --left) {
      auto loop = dyn_cast<scf::ForOp>(
          (inner ? inner : store.getOperation())->getParentOp());
      if (!loop || !loop.getInitArgs().empty() ||
          !llvm::is_contained(copy.axes, loop))
        return std::nullopt;
      for (Operation &op : loop.getBody()->without_terminator())
        if (&op != inner && &op != store && &op != copy.load && !isMovable(op))
          return std::nullopt;
      inner = loop;
    }
    copy.root = dyn_cast_or_null<scf::ForOp>(inner);
    if (!copy.root || !copy.root.isDefinedOutsideOfLoop(store.getMemRef()) ||
        !copy.root.isDefinedOutsideOfLoop(copy.load.getMemRef()) ||
        !llvm::all_of(copy.axes, [&](scf::ForOp loop) {
          return matchPattern(loop.getStep(), m_One()) &&
                 isKnownInFront(loop.getLowerBound(), copy.root) &&
                 isKnownInFront(loop.getUpperBound(), copy.root);
        }))
      return std::nullopt;
    return copy;
  }

  /// Whether the value depends on no variable of the loops and on no memory.
  static bool isKnownInFront(Value value, scf::ForOp root) {
    SmallVector<Value> variables;
    return findVariables(value, root, variables) && variables.empty();
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
      for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
        scf::ForOp from = copy.axes[axis], to = getLoop(index);
        if (!to || !matchPattern(to.getStep(), m_One()) ||
            !areSame({from.getLowerBound(), from.getUpperBound()},
                     {to.getLowerBound(), to.getUpperBound()}))
          return legalize::describeAccess(load) +
                 " may read elements along axis " + std::to_string(axis) +
                 " that it has not written";
      }
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
      IRMapping mapping;
      for (auto [axis, index] : llvm::enumerate(load.getIndices()))
        mapping.map(scf::ForOp(copy.axes[axis]).getInductionVar(),
                    withoutIdentity(index));
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
