//===- PlanMemory.cpp - one piece of memory for a function's temporaries --===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The temporaries of a function whose sizes types tell get offsets in one piece
// of memory, whose size is known before the function runs (decision 46). The
// runtime counts no references to them. So a temporary is planned only if it is
// known when it is read last.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/buffers/ElementRun.h"
#include "codegen/buffers/MemoryPlan.h"
#include "codegen/buffers/UncalledFunctions.h"
#include "codegen/layout/Storage.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "runtime/abi/Slots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPLANMEMORY
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Larger temporaries are allocated one by one: that takes no time beside
/// writing them, and an error can name them.
static constexpr int64_t kMostBytes = int64_t(64) << 20;

namespace {

/// A temporary whose memory may be planned.
struct Temporary {
  Value value;
  int64_t bytes;
  /// The numbers of the operation that makes it, of the last one that uses it,
  /// and of the last one that uses or releases it.
  int64_t begin, lastUse, end;
  /// Launches that write a part of it.
  SmallVector<loom::RunOp> parts;
  SmallVector<loom::ReleaseOp> releases;
  /// Launches that may write their results over it.
  SmallVector<OpOperand *> offers;
  /// Launches that read it, and under which names.
  SmallVector<std::pair<loom::RunOp, Value>> readers;
  bool isReturned = false;
  int64_t offset = -1;
};

class FunctionPlanner {
public:
  explicit FunctionPlanner(func::FuncOp func)
      : func(func), block(func.getBody().front()) {}

  void run() {
    int64_t number = 0;
    for (Operation &op : block)
      numbers[&op] = number++;
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (isTemporary(result))
          add(result);
    if (!temporaries.empty() && plan())
      rewrite();
  }

private:
  static int64_t bytesOf(Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return 0;
    int64_t bytes = getStorageBytes(type.getElementType());
    for (int64_t extent : type.getShape())
      if (llvm::MulOverflow(bytes, extent, bytes) || bytes > kMostBytes)
        return 0;
    return bytes;
  }

  /// Whether an operation makes the value, of known size, as a temporary.
  bool isTemporary(Value value) const {
    if (bytesOf(value) == 0)
      return false;
    if (auto alloc = value.getDefiningOp<loom::AllocOp>())
      return alloc.isTemporary();
    auto run = value.getDefiningOp<loom::RunOp>();
    if (!run)
      return false;
    if (run.getSlots()[cast<OpResult>(value).getResultNumber()] ==
        BROADLOOM_SLOT_TEMPORARY)
      return true;
    std::optional<unsigned> offered = getOffered(run, value);
    if (!offered)
      return false;
    // The runtime writes it over memory that is not planned, and allocates
    // none.
    return !mayOverwrite(run, bytesOf(value)) ||
           known.contains(getReshaped(run->getOperand(*offered)));
  }

  /// The operand of `run` over which its result may be written.
  static std::optional<unsigned> getOffered(loom::RunOp run, Value result) {
    int32_t slot = run.getSlots()[cast<OpResult>(result).getResultNumber()];
    int32_t operand = operandAbout(slot);
    if (operand < 0 || operand >= int32_t(run.getInputs().size()))
      return std::nullopt;
    return operand;
  }

  /// Whether the runtime may write a result of so many bytes over an operand,
  /// which saves memory traffic.
  static bool mayOverwrite(loom::RunOp run, int64_t bytes) {
    return bytes >= BROADLOOM_LEAST_OVERWRITTEN &&
           run.getProgram().starts_with(kMapProgramPrefix);
  }

  /// Notes what uses the memory; false if that is not known.
  bool follow(Temporary &temporary) const;
  bool note(Temporary &temporary, OpOperand &use,
            SmallVectorImpl<Value> &names) const;
  static void noteLaunch(Temporary &temporary, loom::RunOp run, OpOperand &use,
                         SmallVectorImpl<Value> &names);

  void add(Value value) {
    Temporary temporary;
    temporary.value = value;
    temporary.bytes = bytesOf(value);
    temporary.begin = temporary.lastUse = temporary.end =
        numbers.lookup(value.getDefiningOp());
    if (!follow(temporary))
      return;
    known[value] = temporaries.size();
    temporaries.push_back(std::move(temporary));
  }

  Temporary *findOverwritten(const Temporary &temporary);
  bool plan();
  void rewrite();
  void rewrite(Temporary &temporary, Value memory);

  func::FuncOp func;
  Block &block;
  llvm::DenseMap<Operation *, int64_t> numbers;
  /// In the order in which they are made.
  std::vector<Temporary> temporaries;
  llvm::DenseMap<Value, size_t> known;
  int64_t size = 0;
};

bool FunctionPlanner::follow(Temporary &temporary) const {
  SmallVector<Value> names = {temporary.value};
  llvm::SmallDenseSet<Value> seen;
  while (!names.empty()) {
    Value name = names.pop_back_val();
    if (!seen.insert(name).second)
      continue;
    for (OpOperand &use : name.getUses())
      if (!note(temporary, use, names))
        return false;
  }
  // One that is released with the call is read nobody knows how long.
  return temporary.isReturned ||
         llvm::any_of(temporary.releases, [&](loom::ReleaseOp release) {
           return release.getMemref() == temporary.value;
         });
}

void FunctionPlanner::noteLaunch(Temporary &temporary, loom::RunOp run,
                                 OpOperand &use,
                                 SmallVectorImpl<Value> &names) {
  unsigned number = use.getOperandNumber();
  auto slot = llvm::find(run.getSlots(), slotAbout(number));
  bool hasSlot = slot != run.getSlots().end();
  if (number < run.getInputs().size()) {
    temporary.readers.push_back({run, use.get()});
    if (hasSlot)
      temporary.offers.push_back(&use);
  } else if (hasSlot) {
    temporary.parts.push_back(run);
    names.push_back(run.getResult(slot - run.getSlots().begin()));
  }
}

bool FunctionPlanner::note(Temporary &temporary, OpOperand &use,
                           SmallVectorImpl<Value> &names) const {
  Operation *op = use.getOwner();
  Operation *inBlock = block.findAncestorOpInBlock(*op);
  if (!inBlock)
    return false;
  if (isa<memref::DimOp>(op))
    return true;
  temporary.end = std::max(temporary.end, numbers.lookup(inBlock));
  if (auto release = dyn_cast<loom::ReleaseOp>(op)) {
    if (release->getBlock() == &block)
      temporary.releases.push_back(release);
    return release->getBlock() == &block;
  }
  temporary.lastUse = std::max(temporary.lastUse, numbers.lookup(inBlock));
  if (auto run = dyn_cast<loom::RunOp>(op)) {
    noteLaunch(temporary, run, use, names);
    return true;
  }
  if (auto alloc = dyn_cast<loom::AllocOp>(op)) {
    names.push_back(alloc.getMemref());
    return true;
  }
  if (isa<ViewLikeOpInterface, loom::ContiguousOp>(op)) {
    llvm::append_range(names, op->getResults());
    return use.getOperandNumber() == 0;
  }
  // What the function returns is copied from there when it returns.
  if (isa<func::ReturnOp>(op))
    return temporary.isReturned = true;
  // Others may keep it.
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  return !op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), isMemref);
}

/// The temporary over which a launch writes the only result of another one of
/// its size; null if there is none.
Temporary *FunctionPlanner::findOverwritten(const Temporary &temporary) {
  auto run = temporary.value.getDefiningOp<loom::RunOp>();
  if (!run || !mayOverwrite(run, temporary.bytes))
    return nullptr;
  std::optional<unsigned> offered = getOffered(run, temporary.value);
  if (!offered)
    return nullptr;
  Value operand = run->getOperand(*offered);
  auto it = known.find(getReshaped(operand));
  if (it == known.end() || operand.getType() != temporary.value.getType())
    return nullptr;
  // Others may read it later: parts and what is made contiguous of it have
  // references of their own.
  Temporary &other = temporaries[it->second];
  if (other.isReturned || other.lastUse > temporary.begin)
    return nullptr;
  // Under another name it may read other elements than it writes.
  bool isSame = llvm::all_of(other.readers, [&](const auto &reader) {
    return reader.first != run || reader.second == operand;
  });
  return isSame ? &other : nullptr;
}

/// Gives each temporary the range in which the memory is used that it shares
/// with those that are written over it.
bool FunctionPlanner::plan() {
  std::vector<LiveRange> ranges;
  SmallVector<size_t> rangeOf;
  for (Temporary &temporary : temporaries) {
    if (Temporary *over = findOverwritten(temporary)) {
      rangeOf.push_back(rangeOf[over - temporaries.data()]);
      LiveRange &range = ranges[rangeOf.back()];
      range.end = std::max(range.end, temporary.end);
      continue;
    }
    rangeOf.push_back(ranges.size());
    ranges.push_back({temporary.begin, temporary.end, temporary.bytes});
  }
  MemoryPlan plan = planMemory(ranges);
  if (plan.size >= BROADLOOM_MOST_PLANNED)
    return false;
  size = plan.size;
  for (auto [temporary, range] : llvm::zip_equal(temporaries, rangeOf))
    temporary.offset = plan.offsets[range];
  return true;
}

/// Makes a launch write result `index` at `offset` of `memory`.
void setOffset(loom::RunOp run, unsigned index, Value memory, int64_t offset) {
  SmallVector<int32_t> slots(run.getSlots());
  SmallVector<int64_t> offsets(slots.size(), -1);
  if (auto known = run.getOffsets())
    offsets.assign(known->begin(), known->end());
  slots[index] = BROADLOOM_SLOT_TEMPORARY;
  offsets[index] = offset;
  run.setSlots(slots);
  run.setOffsets(offsets);
  run.getMemoryMutable().assign(memory);
}

/// The only result of `run`, if it is written to a part of `whole` at an offset
/// that is known, in bytes.
std::optional<int64_t> findOffset(loom::RunOp run, Value whole) {
  if (run.getDestinations().size() != 1 || run.getNumResults() != 1)
    return std::nullopt;
  // Else the runtime finds out whether the result fits.
  auto made = dyn_cast<MemRefType>(run.getResult(0).getType());
  if (!made || !made.hasStaticShape())
    return std::nullopt;
  auto view = run.getDestinations().front().getDefiningOp<memref::SubViewOp>();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!view || view.getSource() != whole ||
      getElementRun(view.getType()) != ElementRun::Yes ||
      view.getType().getNumElements() != made.getNumElements() ||
      failed(view.getType().getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return std::nullopt;
  return offset * getStorageBytes(view.getType().getElementType());
}

void FunctionPlanner::rewrite(Temporary &temporary, Value memory) {
  llvm::SmallDenseSet<Value> uncounted = {temporary.value};
  for (OpOperand *offer : temporary.offers) {
    auto run = cast<loom::RunOp>(offer->getOwner());
    SmallVector<int32_t> slots(run.getSlots());
    llvm::replace(slots, slotAbout(offer->getOperandNumber()),
                  int32_t(BROADLOOM_SLOT_TEMPORARY));
    run.setSlots(slots);
  }
  for (loom::RunOp run : temporary.parts)
    if (auto within = findOffset(run, temporary.value)) {
      run.getDestinationsMutable().clear();
      setOffset(run, 0, memory, temporary.offset + *within);
      uncounted.insert(run.getResult(0));
    }
  for (loom::ReleaseOp release : temporary.releases)
    if (uncounted.contains(release.getMemref()))
      release.erase();
  if (auto run = temporary.value.getDefiningOp<loom::RunOp>())
    return setOffset(run, cast<OpResult>(temporary.value).getResultNumber(),
                     memory, temporary.offset);
  auto alloc = temporary.value.getDefiningOp<loom::AllocOp>();
  // All views follow the memory, so that they do not come between launches.
  OpBuilder b(func.getContext());
  b.setInsertionPointAfterValue(memory);
  Value offset =
      arith::ConstantIndexOp::create(b, alloc.getLoc(), temporary.offset);
  Value view = memref::ViewOp::create(b, alloc.getLoc(),
                                      cast<MemRefType>(alloc.getType()), memory,
                                      offset, ValueRange());
  alloc.replaceAllUsesWith(view);
  alloc.erase();
}

void FunctionPlanner::rewrite() {
  Operation *first = temporaries.front().value.getDefiningOp();
  OpBuilder b(first);
  auto type = MemRefType::get({size}, b.getI8Type());
  Value memory = loom::AllocOp::create(b, first->getLoc(), type, ValueRange(),
                                       Value(), BROADLOOM_SLOT_PLANNED);
  for (Temporary &temporary : temporaries)
    rewrite(temporary, memory);
  func->setAttr(kPlannedMemory, b.getI64IntegerAttr(size));
}

struct LoomPlanMemoryPass
    : codegen::impl::LoomPlanMemoryBase<LoomPlanMemoryPass> {
  void runOnOperation() override {
    // A function that is called may be called while it is called.
    for (func::FuncOp func : findUncalled(getOperation()))
      if (!loom::isOverMemory(func))
        FunctionPlanner(func).run();
  }
};

} // namespace
