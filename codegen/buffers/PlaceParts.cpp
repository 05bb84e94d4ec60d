//===- PlaceParts.cpp - parts of a tensor are computed where they belong --===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A concatenation is memory into which its operands are copied, side by side.
// Where an operand is computed by a launch or by loops, these can write to its
// part of the memory at once, if its elements are one run there: along the
// outermost axis, but for axes of one element. A map that nothing else reads
// writes rows with gaps between them, too. Whether they are is known when the
// program runs, where extents are open; the copy then finds its source in its
// place, or copies (decision 45).
//
// Two values may then have the same elements in memory. So:
//
// - Each part is written by one copy, and nothing reads the memory before the
//   last of the copies: what a part's copy would write may stand there earlier.
// - Behind the copy, the source is only read.
// - If it is read there, the whole memory is only read, too.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/BlockOrder.h"
#include "codegen/buffers/ElementRun.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "runtime/abi/Slots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPLACEPARTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// A buffer with more uses is not analysed.
static constexpr unsigned kMostUsesOfWhole = 256;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {

struct Part {
  memref::SubViewOp view;
  memref::CopyOp copy;
};

/// Memory, and all its parts in the order of their copies.
struct Whole {
  loom::AllocOp alloc;
  SmallVector<Part> parts;
};

} // namespace

static bool isOne(OpFoldResult number) {
  return getConstantIntValue(number) == 1;
}

/// Whether `next` is behind `part` along an axis.
static bool isBehind(memref::SubViewOp next, memref::SubViewOp part,
                     unsigned axis) {
  OpFoldResult begin = part.getMixedOffsets()[axis],
               size = part.getMixedSizes()[axis],
               start = next.getMixedOffsets()[axis];
  auto first = getConstantIntValue(begin), count = getConstantIntValue(size),
       second = getConstantIntValue(start);
  if (first && count && second)
    return *second >= *first + *count;
  // An extent of 0 is neutral in a sum, and none is negative.
  if (first == 0 && isEqualConstantIntOrValue(start, size))
    return true;
  auto sum = dyn_cast<Value>(start);
  auto add = sum ? sum.getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!add)
    return false;
  auto is = [&](OpFoldResult a, OpFoldResult b) {
    return isEqualConstantIntOrValue(add.getLhs(), a) &&
           isEqualConstantIntOrValue(add.getRhs(), b);
  };
  return is(begin, size) || is(size, begin);
}

/// Whether two parts take the same elements of an axis.
static bool isBeside(memref::SubViewOp a, memref::SubViewOp b, unsigned axis) {
  return isEqualConstantIntOrValue(a.getMixedOffsets()[axis],
                                   b.getMixedOffsets()[axis]) &&
         isEqualConstantIntOrValue(a.getMixedSizes()[axis],
                                   b.getMixedSizes()[axis]);
}

/// Whether parts are behind one another along the axes from `first` on: along
/// one of them each part, or each group of parts that take the same elements of
/// it and are apart along later axes.
static bool areApart(ArrayRef<Part> parts, unsigned first = 0) {
  if (parts.size() == 1)
    return true;
  memref::SubViewOp any = parts.front().view;
  unsigned rank = any.getSourceType().getRank();
  for (unsigned axis = first; axis < rank; ++axis) {
    bool apart = true;
    for (size_t begin = 0, end; apart && begin < parts.size(); begin = end) {
      memref::SubViewOp front = parts[begin].view;
      for (end = begin + 1; end < parts.size(); ++end)
        if (!isBeside(parts[end].view, front, axis))
          break;
      apart = (end == parts.size() || isBehind(parts[end].view, front, axis)) &&
              (end - begin < parts.size()) &&
              areApart(parts.slice(begin, end - begin), axis + 1);
    }
    if (apart)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

namespace {

class BlockPlacer {
public:
  explicit BlockPlacer(Block &block) : block(block), order(block) {}

  void run() {
    SmallVector<Whole> wholes;
    for (auto alloc : block.getOps<loom::AllocOp>())
      if (auto parts = findParts(alloc); !parts.empty())
        wholes.push_back({alloc, std::move(parts)});
    // What is a part of another one has all its parts before it is copied
    // there, and gets them before it becomes a part.
    llvm::sort(wholes, [&](const Whole &a, const Whole &b) {
      return order.isBefore(a.parts.back().copy, b.parts.back().copy);
    });
    for (Whole &whole : wholes)
      placePartsOf(whole.alloc, whole.parts);
    for (memref::CopyOp copy : done)
      copy.erase();
  }

private:
  /// The parts of `alloc` in order; none if it is more than its parts.
  SmallVector<Part> findParts(loom::AllocOp alloc) const {
    SmallVector<Part> parts;
    SmallVector<Operation *> others;
    for (Operation *user : alloc.getMemref().getUsers()) {
      if (isa<memref::DimOp>(user))
        continue;
      if (Part part = getPart(user); part.copy)
        parts.push_back(part);
      else
        others.push_back(user);
    }
    llvm::sort(parts, [&](const Part &a, const Part &b) {
      return order.isBefore(a.copy, b.copy);
    });
    auto isBehindAll = [&](Operation *user) {
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      return inBlock && order.isBefore(parts.back().copy, inBlock);
    };
    if (parts.empty() || !llvm::all_of(others, isBehindAll) || !areApart(parts))
      return {};
    return parts;
  }

  Part getPart(Operation *user) const {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view || !view->hasOneUse() || view->getBlock() != &block ||
        !llvm::all_of(view.getMixedStrides(), isOne))
      return {};
    auto copy = dyn_cast<memref::CopyOp>(*view->user_begin());
    if (!copy || copy->getBlock() != &block || copy.getTarget() != view)
      return {};
    return {view, copy};
  }

  /// The result of a launch, or the allocation, whose elements `source` has in
  /// the same order; null if there is none.
  Value findRoot(Value source) const {
    Value root = getReshaped(source);
    Operation *op = root.getDefiningOp();
    auto type = dyn_cast<MemRefType>(root.getType());
    if (!op || op->getBlock() != &block || !type ||
        !type.getLayout().isIdentity())
      return {};
    bool isFree = false;
    if (auto run = dyn_cast<loom::RunOp>(op))
      isFree = run.getSlots()[cast<OpResult>(root).getResultNumber()] ==
               BROADLOOM_SLOT_TEMPORARY;
    else if (auto alloc = dyn_cast<loom::AllocOp>(op))
      isFree = alloc.isTemporary();
    return isFree ? root : Value();
  }

  /// What an operation does with memory.
  enum class Access { Read, ReadOrWritten, HandedOn };

  static Access getAccess(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto run = dyn_cast<loom::RunOp>(op))
      return use.getOperandNumber() < run.getInputs().size()
                 ? Access::Read
                 : Access::ReadOrWritten;
    if (isa<loom::AllocOp>(op))
      return Access::ReadOrWritten;
    if (isa<memref::LoadOp>(op) ||
        (isa<memref::CopyOp>(op) && use.getOperandNumber() == 0))
      return Access::Read;
    auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
    if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0 ||
        llvm::any_of(op->getResultTypes(), isMemref))
      return Access::HandedOn;
    return Access::ReadOrWritten;
  }

  /// The result that is written to the memory of `use`.
  static Value getPlaced(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto alloc = dyn_cast<loom::AllocOp>(op))
      return alloc.getMemref();
    if (auto run = dyn_cast<loom::RunOp>(op))
      for (auto [i, slot] : llvm::enumerate(run.getSlots()))
        if (getAccess(use) != Access::Read &&
            slot == slotAbout(use.getOperandNumber()))
          return run.getResult(i);
    return {};
  }

  /// Visits what the memory of `value` is used for, also through views and
  /// through what is placed there, until `visit` returns false, which it then
  /// returns too.
  static bool visitUses(Value value,
                        llvm::function_ref<bool(OpOperand &, Access)> visit) {
    unsigned count = 0;
    SmallVector<Value> names = {value};
    while (!names.empty())
      for (OpOperand &use : names.pop_back_val().getUses()) {
        Operation *op = use.getOwner();
        if (++count > kMostUsesOfWhole)
          return false;
        if (Value placed = getPlaced(use))
          names.push_back(placed);
        if (isa<ViewLikeOpInterface>(op) && use.getOperandNumber() == 0)
          llvm::append_range(names, op->getResults());
        else if (!isa<memref::DimOp>(op) && !visit(use, getAccess(use)))
          return false;
      }
    return true;
  }

  /// Whether the memory of `alloc` is only read, but for the copies to its
  /// parts.
  bool isOnlyRead(loom::AllocOp alloc, ArrayRef<Part> parts) const {
    llvm::SmallPtrSet<Operation *, 8> copies;
    for (const Part &part : parts)
      copies.insert(part.copy);
    return visitUses(alloc.getMemref(), [&](OpOperand &use, Access access) {
      Operation *op = use.getOwner();
      return access == Access::Read || op == block.getTerminator() ||
             copies.contains(op);
    });
  }

  /// Whether `root` may be in the memory to which `copy` copies it. Behind
  /// `last` that memory is used, and if `isOnlyRead` only read.
  bool canShare(Value root, memref::CopyOp copy, memref::CopyOp last,
                bool isOnlyRead) const {
    return visitUses(root, [&](OpOperand &use, Access access) {
      Operation *inBlock = block.findAncestorOpInBlock(*use.getOwner());
      if (!inBlock || access == Access::HandedOn)
        return false;
      return inBlock == copy || order.isBefore(inBlock, copy) ||
             (access == Access::Read &&
              (isOnlyRead || !order.isBefore(last, inBlock)));
    });
  }

  void placePartsOf(loom::AllocOp alloc, ArrayRef<Part> parts) {
    bool onlyRead = isOnlyRead(alloc, parts);
    for (Part part : parts) {
      ElementRun run = getElementRun(part.view.getType());
      Value root = findRoot(part.copy.getSource());
      bool hasGaps =
          root && run != ElementRun::Yes && isReadByCopy(root, part.copy);
      if (run == ElementRun::No && !hasGaps)
        continue;
      if (!root || root.getDefiningOp() == alloc ||
          !canShare(root, part.copy, parts.back().copy, onlyRead) ||
          !order.moveAhead({alloc, part.view}, root.getDefiningOp()))
        continue;
      place(root, part.view, hasGaps);
      // Else the copy finds out where its source is.
      if (run == ElementRun::Yes &&
          cast<MemRefType>(root.getType()).hasStaticShape())
        done.push_back(part.copy);
    }
  }

  /// Whether nothing but `copy` reads the result of a launch, as it is: what a
  /// reshape makes of it would have no gaps.
  static bool isReadByCopy(Value root, memref::CopyOp copy) {
    return root.getDefiningOp<loom::RunOp>() && copy.getSource() == root &&
           llvm::all_of(root.getUsers(), [&](Operation *user) {
             return user == copy || isa<memref::DimOp>(user);
           });
  }

  /// Makes the operation that makes `root` write it to `view`, in which rows
  /// may have gaps.
  static void place(Value root, Value view, bool hasGaps) {
    Operation *op = root.getDefiningOp();
    if (auto alloc = dyn_cast<loom::AllocOp>(op))
      return alloc.getDestinationMutable().assign(view);
    auto run = cast<loom::RunOp>(op);
    SmallVector<int32_t> slots(run.getSlots());
    int32_t number = run->getNumOperands();
    slots[cast<OpResult>(root).getResultNumber()] =
        hasGaps ? slotWithGaps(number) : slotAbout(number);
    run.setSlots(slots);
    run.getDestinationsMutable().append(view);
  }

  Block &block;
  BlockOrder order;
  /// Copies that have nothing to do.
  SmallVector<memref::CopyOp> done;
};

struct LoomPlacePartsPass
    : codegen::impl::LoomPlacePartsBase<LoomPlacePartsPass> {
  void runOnOperation() override {
    if (loom::isOverMemory(getOperation()))
      return;
    SmallVector<Block *> blocks;
    getOperation().walk([&](memref::CopyOp copy) {
      if (copy.getTarget().getDefiningOp<memref::SubViewOp>())
        blocks.push_back(copy->getBlock());
    });
    llvm::SmallPtrSet<Block *, 8> seen;
    for (Block *block : blocks)
      if (seen.insert(block).second)
        BlockPlacer(*block).run();
  }
};

} // namespace
