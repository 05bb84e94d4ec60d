//===- LoopOrder.cpp - what an edit of loops must keep --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopOrder.h"

#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/LoopDependences.h"
#include "legalize/memory/LoopReport.h"
#include "shape/Message.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopAccesses;
using legalize::MemoryAccess;

static StringRef getName(Operation *loop) {
  auto name = loop->getAttrOfType<StringAttr>(loom::kLoopName);
  return name ? name.getValue() : StringRef();
}

std::string codegen::describeLoop(scf::ForOp loop) {
  StringRef name = getName(loop);
  if (!name.empty())
    return "loop '" + name.str() + "'";
  std::string variable = legalize::getVariableName(loop),
              at = getFileLocationText(loop.getLoc());
  return "the loop" + (variable.empty() ? "" : " of " + variable) +
         (at.empty() ? "" : " at " + at);
}

SmallVector<scf::ForOp> codegen::getLoopsAround(Operation *op) {
  SmallVector<Operation *> around = legalize::NestReader::getLoopsAround(op);
  SmallVector<scf::ForOp> loops;
  for (Operation *loop : llvm::reverse(around))
    loops.push_back(cast<scf::ForOp>(loop));
  return loops;
}

/// Those of the program's functions, if the loops have calls.
static std::unique_ptr<legalize::CallEffects>
readEffects(ArrayRef<scf::ForOp> loops, const legalize::CallEffects *known) {
  if (known)
    return nullptr;
  bool hasCalls = llvm::any_of(loops, [](scf::ForOp loop) {
    return loop->walk([](func::CallOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  });
  return hasCalls ? std::make_unique<legalize::CallEffects>(
                        scf::ForOp(loops.front())->getParentOfType<ModuleOp>())
                  : nullptr;
}

static Operation *getOutermost(Operation *op) {
  SmallVector<Operation *> around = legalize::NestReader::getLoopsAround(op);
  return around.empty() ? op : around.back();
}

LoopOrder::LoopOrder(ArrayRef<scf::ForOp> loops,
                     const legalize::CallEffects *known)
    : roots(loops.front()->getParentOfType<func::FuncOp>()),
      effects(readEffects(loops, known)),
      facts(roots, known ? known : effects.get()) {
  for (scf::ForOp loop : loops)
    if (!facts.collect(loop, getOutermost(loop))) {
      because = facts.because;
      return;
    }
  if (!facts.read(getOutermost))
    because = facts.because;
  findUpdates();
}

//===----------------------------------------------------------------------===//
// Updates in any order
//===----------------------------------------------------------------------===//

namespace {

/// A load, an operation and a store: `a[i] = a[i] + x`.
struct Update {
  Operation *combiner = nullptr;

  /// Of two accesses that follow each other; nothing if they are none.
  static std::optional<Update> get(const LoopAccesses::Access &load,
                                   const LoopAccesses::Access &store) {
    if (load.call || store.call || load.isWrite || !store.isWrite ||
        load.op->getBlock() != store.op->getBlock() ||
        load.op->getNumResults() != 1 ||
        !haveSameIndices(MemoryAccess::get(load.op),
                         MemoryAccess::get(store.op)))
      return std::nullopt;
    Value loaded = load.op->getResult(0), stored = store.op->getOperand(0);
    Operation *combiner = stored.getDefiningOp();
    if (!combiner || !loaded.hasOneUse() || !stored.hasOneUse() ||
        *loaded.user_begin() != combiner)
      return std::nullopt;
    return Update{combiner};
  }

  /// Of two accesses to one memory.
  static bool haveSameIndices(const MemoryAccess &x, const MemoryAccess &y) {
    return x.map == y.map && areSame(x.operands, y.operands);
  }

  bool isOfFloats() const {
    return isa<arith::AddFOp, arith::MulFOp>(combiner);
  }
  bool hasAnyOrder() const {
    if (legalize::getReductionKind(combiner))
      return true;
    auto flags =
        combiner->getAttrOfType<arith::FastMathFlagsAttr>(loom::kFastMath);
    return isOfFloats() && flags &&
           bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::reassoc);
  }
};

} // namespace

/// All accesses of the memory are updates by one operation.
void LoopOrder::findUpdates() {
  for (const auto &[memref, isWritten] : facts.memory) {
    SmallVector<const Access *> touching;
    for (const Access &access : facts.accesses)
      if (access.memory == memref)
        touching.push_back(&access);
    StringRef name;
    bool isUpdated = isWritten && touching.size() % 2 == 0, hasAnyOrder = true,
         isOfFloats = true;
    for (size_t i = 0; isUpdated && i < touching.size(); i += 2) {
      auto update = Update::get(*touching[i], *touching[i + 1]);
      StringRef found =
          update ? update->combiner->getName().getStringRef() : StringRef();
      isUpdated = update && (i == 0 || found == name);
      if (!isUpdated)
        break;
      name = found;
      hasAnyOrder &= update->hasAnyOrder();
      isOfFloats &= update->isOfFloats();
    }
    if (isUpdated && hasAnyOrder)
      updated.insert(memref);
    else if (isUpdated && isOfFloats)
      inOrder.insert(memref);
  }
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool LoopOrder::mayReverse(const poly::Directions &directions, Pairs pairs) {
  llvm::DenseSet<
      std::pair<const legalize::NestReader *, const legalize::NestReader *>>
      asked;
  for (const Access &first : facts.accesses)
    for (const Access &second : facts.accesses)
      if (first.memory == second.memory && !updated.contains(first.memory) &&
          (first.isWrite || second.isWrite) && pairs(first, second) &&
          asked.insert({first.reader.get(), second.reader.get()}).second &&
          !compare(first, second, directions))
        return false;
  return true;
}

bool LoopOrder::compare(const Access &first, const Access &second,
                        const poly::Directions &directions) {
  if (++questions > legalize::kMostOfEdit) {
    because = "it has too many pairs of accesses to one memory";
    return false;
  }
  poly::Dependence found = facts.compare(first, second, directions);
  if (found.exists == Truth::Refuted)
    return true;
  if (found.exists == Truth::Proved)
    because = describe({first, second, std::move(*found.meeting)});
  else
    because = "it is not known whether " + legalize::describeAccess(first.op) +
              " and " + legalize::describeAccess(second.op) +
              " touch one element in iterations whose order the edit changes, "
              "because " +
              poly::describe(found.limit);
  return false;
}

/// "iteration (i = 0, j = 1)".
static std::string describeIteration(Operation *op, ArrayRef<int64_t> values) {
  SmallVector<scf::ForOp> loops = getLoopsAround(op);
  auto names = llvm::map_to_vector(loops, [](scf::ForOp loop) {
    StringRef name = getName(loop);
    return name.empty() ? legalize::getVariableName(loop) : name.str();
  });
  bool areNamed = llvm::all_of(
      names, [](const std::string &name) { return !name.empty(); });
  std::string text;
  for (auto [name, value] : llvm::zip(names, values)) {
    text += text.empty() ? "" : ", ";
    if (areNamed)
      text += name + " = ";
    text += std::to_string(value);
  }
  return "iteration (" + text + ")";
}

std::string LoopOrder::describe(const LoopAccesses::Conflict &conflict) const {
  const auto &[first, second, meeting] = conflict;
  auto describeSide = [](const Access &access, ArrayRef<int64_t> values) {
    return legalize::describeAccess(access.op) + " in " +
           describeIteration(access.call ? access.call : access.op, values);
  };
  std::string text =
      describeSide(first, meeting.first) + " comes before " +
      describeSide(second, meeting.second) +
      ", and the edit would run it behind that one; both touch " +
      legalize::describeElement(conflict);
  std::vector<std::string> values = legalize::describeSymbols(facts, conflict);
  if (!values.empty())
    text += ", where " + joinWithAnd(values);
  if (inOrder.contains(first.memory))
    text += "; sums of floats keep their order unless their operation has "
            "fastmath<reassoc>";
  return text;
}
