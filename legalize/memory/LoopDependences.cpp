//===- LoopDependences.cpp - loops whose order does not matter ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/LoopDependences.h"

#include "dialect/MemoryLayouts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

LoopDependences::LoopDependences(Operation *loop, const ExtentRoots &roots,
                                 const CallEffects &effects,
                                 size_t mostQuestions)
    : LoopAccesses(roots, &effects), loop(loop), mostQuestions(mostQuestions) {
  takesCopies = true;
  if (!collect())
    return;
  if (!ask(loop, 0)) {
    // What is read alone orders no iterations, wherever in memory it is. Memory
    // that has no name in front of the loop may be what is written.
    LoopDependences written(*this);
    llvm::erase_if(written.accesses, [&](const Access &access) {
      Value memory = access.memory;
      return !written.memory[memory] &&
             !loop->isAncestor(memory.getParentRegion()->getParentOp());
    });
    if (written.ask(loop, 0))
      *this = written;
  }
  // The loops around it may say more of their variables.
  SmallVector<Operation *> around = NestReader::getLoopsAround(loop);
  if (areIndependent() || around.empty())
    return;
  LoopDependences inside(*this);
  if (!ask(around.back(), around.size()) && !inside.because.empty())
    *this = inside;
}

/// Whether the accesses could be read from `front` on, of which the loop is in
/// `depth` loops.
bool LoopDependences::ask(Operation *front, unsigned depth) {
  level = depth;
  conflict.reset();
  if (!read([&](Operation *) { return front; }))
    return false;
  if (compareAll())
    compareCopies(front);
  return true;
}

bool LoopDependences::collect() {
  if (!findCarried()) {
    because = "it carries a number from one iteration to the next";
    return false;
  }
  bool isKnown = LoopAccesses::collect(loop, loop);
  findInMemory();
  return isKnown;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// eff-3
std::optional<arith::AtomicRMWKind> legalize::getReductionKind(Operation *op) {
  using Kind = std::optional<arith::AtomicRMWKind>;
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  bool isNumber = type && (type.isInteger(8) || type.isInteger(16) ||
                           type.isInteger(32) || type.isInteger(64));
  if (!isNumber)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddIOp>([](auto) { return arith::AtomicRMWKind::addi; })
      .Case<arith::MulIOp>([](auto) { return arith::AtomicRMWKind::muli; })
      .Case<arith::MinSIOp>([](auto) { return arith::AtomicRMWKind::mins; })
      .Case<arith::MaxSIOp>([](auto) { return arith::AtomicRMWKind::maxs; })
      .Case<arith::MinUIOp>([](auto) { return arith::AtomicRMWKind::minu; })
      .Case<arith::MaxUIOp>([](auto) { return arith::AtomicRMWKind::maxu; })
      .Case<arith::AndIOp>([](auto) { return arith::AtomicRMWKind::andi; })
      .Case<arith::OrIOp>([](auto) { return arith::AtomicRMWKind::ori; })
      .Default([](Operation *) { return Kind(); });
}

/// How the iterations combine what they carry: `carried` has no use but in the
/// operation that gives `yielded`, also by loops inside.
static std::optional<arith::AtomicRMWKind> getKind(Value carried,
                                                   Value yielded) {
  if (!carried.hasOneUse() || !yielded.hasOneUse())
    return std::nullopt;
  OpOperand &use = *carried.use_begin();
  Operation *user = use.getOwner();
  if (user != yielded.getDefiningOp())
    return std::nullopt;
  if (!NestReader::isLoop(user))
    return getReductionKind(user);
  auto inner = cast<LoopLikeOpInterface>(user);
  BlockArgument next = inner.getTiedLoopRegionIterArg(&use);
  OpOperand *last = next ? inner.getTiedLoopYieldedValue(next) : nullptr;
  if (!last || inner.getTiedLoopResult(&use) != yielded)
    return std::nullopt;
  return getKind(next, last->get());
}

bool LoopDependences::findCarried() {
  auto carrying = cast<LoopLikeOpInterface>(loop);
  for (auto [i, carried] : llvm::enumerate(carrying.getRegionIterArgs())) {
    std::optional<arith::AtomicRMWKind> kind =
        getKind(carried, carrying.getYieldedValues()[i]);
    if (!kind)
      return false;
    reductions.push_back({*kind, carried.getType(), unsigned(i)});
  }
  return true;
}

/// Elements that are loaded, combined and stored, and not touched otherwise.
/// Operations of functions that the loop calls are no part of it.
void LoopDependences::findInMemory() {
  for (const auto &[memref, isWritten] : memory) {
    SmallVector<Operation *> touching;
    bool isDirect = true;
    for (const Access &access : accesses)
      if (access.memory == memref) {
        touching.push_back(access.op);
        isDirect &= !access.call && MemoryAccess::isAccess(access.op) &&
                    MemoryAccess::get(access.op).memory == memref;
      }
    if (!isWritten || !isDirect || touching.size() != 2 ||
        MemoryAccess::isWrite(touching[0]) ||
        !MemoryAccess::isWrite(touching[1]) ||
        touching[0]->getBlock() != touching[1]->getBlock())
      continue;
    MemoryAccess what = MemoryAccess::get(touching[0]);
    bool isFixed = llvm::all_of(what.operands, [&](Value operand) {
      return !loop->isAncestor(operand.getParentRegion()->getParentOp());
    });
    bool isInside = touching[0]->getParentOp() == loop || what.operands.empty();
    Value loaded = touching[0]->getResult(0),
          stored = touching[1]->getOperand(0);
    Operation *combiner = stored.getDefiningOp();
    if (!isFixed || !isInside || !(what == MemoryAccess::get(touching[1])) ||
        !combiner || !loaded.hasOneUse() || !stored.hasOneUse() ||
        *loaded.user_begin() != combiner)
      continue;
    if (std::optional<arith::AtomicRMWKind> kind = getReductionKind(combiner))
      reductions.push_back(
          {*kind, stored.getType(), std::nullopt, touching[0], touching[1]});
  }
}

bool LoopDependences::isReduced(Value memref) const {
  return llvm::any_of(reductions, [&](const Reduction &reduction) {
    return reduction.load && MemoryAccess::get(reduction.load).memory == memref;
  });
}

//===----------------------------------------------------------------------===//
// Pairs of accesses
//===----------------------------------------------------------------------===//

/// Two elements of the type that have one place, in words; empty without such.
/// Each type is searched once.
const std::string &LoopDependences::describeShared(Type type) {
  auto [found, isNew] = shared.try_emplace(type);
  if (isNew)
    if (auto memref = dyn_cast<MemRefType>(type))
      if (std::optional<loom::SharedPlace> place =
              loom::findSharedPlace(memref))
        found->second = loom::describeShared(*place);
  return found->second;
}

/// The loops around `op` up to `front`.
static size_t countLoops(Operation *op, Operation *front) {
  size_t count = 1;
  for (; op != front; op = op->getParentOp())
    count += NestReader::isLoop(op);
  return count;
}

/// A copy on several threads is a loop over its elements, which takes them in
/// order. Different memory is apart (eff-2).
void LoopDependences::compareCopies(Operation *front) {
  for (size_t i = 0; i + 1 < accesses.size(); ++i) {
    const Access &from = accesses[i], &to = accesses[i + 1];
    if (from.op != to.op || !isa<memref::CopyOp>(from.op) ||
        from.memory != to.memory)
      continue;
    poly::Directions same(countLoops(from.op, front), poly::Direction::Equal);
    if (LoopAccesses::compare(from, to, same).exists != Truth::Refuted)
      because = "a copy in it may read elements that it writes";
  }
}

/// Whether no iteration meets a later one by these accesses.
bool LoopDependences::compare(const Access &a, const Access &b) {
  if (const std::string &shared = describeShared(a.memory.getType());
      !shared.empty()) {
    because = "two iterations may meet at one element: of memory that it "
              "writes, " +
              shared;
    return false;
  }
  poly::Dependence found = LoopAccesses::compare(a, b, poly::earlierAt(level));
  if (found.exists == Truth::Refuted)
    return true;
  if (found.exists == Truth::Proved) {
    because = "two iterations meet at one element";
    conflict = {a, b, std::move(*found.meeting)};
  } else {
    because = std::string("it is not known whether two iterations meet at one "
                          "element, because ") +
              poly::describe(found.limit);
  }
  return false;
}

bool LoopDependences::compareAll() {
  size_t questions = 0;
  std::string unknown;
  llvm::DenseSet<std::pair<const NestReader *, const NestReader *>> asked;
  for (size_t i = 0; i < accesses.size(); ++i)
    for (size_t j = 0; j < accesses.size(); ++j) {
      const Access &a = accesses[i], &b = accesses[j];
      if (a.memory != b.memory || isReduced(a.memory) ||
          !(a.isWrite || b.isWrite) ||
          !asked.insert({a.reader.get(), b.reader.get()}).second)
        continue;
      if (++questions > mostQuestions) {
        because = "it has too many pairs of accesses to one memory";
        return false;
      }
      if (compare(a, b))
        continue;
      if (conflict)
        return false;
      unknown = std::exchange(because, "");
    }
  because = unknown;
  return because.empty();
}
