//===- DeadStores.cpp - stores that nothing reads -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind all guards, a loop nest that only stores to one memref does nothing if
// nests behind it surely store to the same elements before anything reads them
// (eff-6). The sets of both are compared by poly/. That no other memory is the
// same, and that symbols are within their limits, a call compares in front of
// the nest; where that does not hold, the nest runs.
//
// Stores to memory that the function makes and nothing reads go, too.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/LoopConditions.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "legalize/memory/NestGuard.h"
#include "legalize/memory/NestReader.h"
#include "poly/Relation.h"
#include "poly/RelationQuestions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMERASEDEADSTORES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::ExtentRoots;
using legalize::MemoryAccess;
using legalize::NestNumbers;
using legalize::NestReader;
using legalize::NestSymbol;

/// Accesses of a nest, and nests behind one that are looked at: the time is
/// linear in the program.
static constexpr size_t kMostAccesses = 16, kMostNests = 4;

namespace {

/// What a nest of loops and branches accesses, if it does nothing else.
struct NestStores {
  SmallVector<Operation *> loads, stores;

  static std::optional<NestStores> get(Operation *nest) {
    if (!NestReader::isLoop(nest) || nest->getNumResults() != 0)
      return std::nullopt;
    NestStores found;
    bool isKnown =
        !nest->walk([&](Operation *op) {
               if (MemoryAccess::isAccess(op))
                 (MemoryAccess::isWrite(op) ? found.stores : found.loads)
                     .push_back(op);
               else if (!NestReader::isLoop(op) && !NestReader::isBranch(op) &&
                        !isMemoryEffectFree(op))
                 return WalkResult::interrupt();
               return WalkResult::advance();
             })
             .wasInterrupted();
    isKnown &= found.loads.size() + found.stores.size() <= kMostAccesses;
    return isKnown ? std::optional(std::move(found)) : std::nullopt;
  }
};

Value getMemory(Operation *access) { return MemoryAccess::get(access).memory; }

/// Whether `memory` is made here, and nothing but accesses and views has it.
bool findIsOwn(Value memory) {
  if (!isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
          memory.getDefiningOp()))
    return false;
  SmallVector<Value> open = {memory};
  while (!open.empty())
    for (Operation *user : open.pop_back_val().getUsers()) {
      if (loom::getViewed(user))
        open.append(user->result_begin(), user->result_end());
      else if (!isa<memref::LoadOp, memref::StoreOp, memref::DeallocOp,
                    memref::DimOp>(user))
        return false;
    }
  return true;
}

/// The elements of one nest that an access surely has, in terms of symbols that
/// several nests share.
class AccessSets {
public:
  AccessSets(NestNumbers::Sizes sizes, const ExtentRoots &roots)
      : sizes(sizes), roots(roots) {}

  /// Reads what `op` accesses of the memory in front of `nest`. False where
  /// that is not known exactly.
  bool read(Operation *nest, Operation *op) {
    auto reader = std::make_unique<NestReader>(nest, sizes, roots);
    if (!reader->readInFront(op) || !reader->getSteps().empty())
      return false;
    for (const auto &entry : reader->getSymbols())
      if (!llvm::is_contained(symbols, entry.second))
        symbols.push_back(entry.second);
    readers.push_back(std::move(reader));
    return true;
  }

  /// Whether the first access surely has no element that the second has not.
  bool isCovered() const {
    // A subscript that is not known is any: what is stored surely is less.
    if (readers.back()->mayHaveFewer())
      return false;
    std::optional<poly::Relation> first = getSet(*readers.front()),
                                  second = getSet(*readers.back());
    return first && second &&
           poly::isSubset(*first, *second).truth == Truth::Proved;
  }

  SmallVector<NestSymbol> symbols;

  bool isLimited(const NestSymbol &symbol) const {
    return llvm::any_of(
        readers, [&](const auto &reader) { return reader->isLimited(symbol); });
  }

private:
  std::optional<poly::Relation> getSet(const NestReader &reader) const {
    poly::Signature signature;
    for (size_t i = 0; i < symbols.size(); ++i)
      signature.symbols.push_back("s" + std::to_string(i));
    for (size_t i = 0; i < reader.access.size(); ++i)
      signature.outputs.push_back("d" + std::to_string(i));
    poly::Relation set(signature);
    const poly::Domain &domain = reader.getDomain();
    poly::Import import(domain.getSpace(), set.getSpace(), {});
    for (const auto &[variable, symbol] : reader.getSymbols())
      import.set(variable,
                 set.getSymbol(llvm::find(symbols, symbol) - symbols.begin()));
    std::optional<std::vector<poly::Rows>> parts = domain.getParts(kMostParts);
    if (!parts)
      return std::nullopt;
    poly::Limits limits = poly::relationLimits();
    for (const poly::Rows &part : *parts) {
      poly::Rows rows = import.take(part);
      for (auto [axis, subscript] : llvm::enumerate(reader.access))
        rows.push_back(
            poly::isZero(set.getOutput(axis) - import.take(subscript.index)));
      bool isExact = llvm::all_of(rows, [](const poly::Row &row) {
        return row.form.isExact() &&
               llvm::all_of(row.form.getTerms(), [](const auto &term) {
                 return term.monomial.isVariable();
               });
      });
      if (!isExact ||
          poly::addExisting(set, std::move(rows), limits) != poly::Limit::None)
        return std::nullopt;
    }
    return set;
  }

  static constexpr size_t kMostParts = 8;

  NestNumbers::Sizes sizes;
  const ExtentRoots &roots;
  SmallVector<std::unique_ptr<NestReader>> readers;
};

/// Looks for nests of one function that do nothing.
class DeadStores {
public:
  explicit DeadStores(func::FuncOp func)
      : func(func), roots(func), dominance(func) {}

  void run() {
    eraseUnread();
    SmallVector<Operation *> nests;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr(loom::kFindsFailure))
        return WalkResult::skip();
      if (!NestReader::isLoop(op))
        return WalkResult::advance();
      nests.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *nest : nests)
      visit(nest);
  }

private:
  /// findIsOwn, which looks at all that uses the memory, once for each memory.
  /// What goes or moves makes no memory less its own.
  bool isOwn(Value memory) {
    auto [it, isNew] = own.try_emplace(memory, false);
    return isNew ? it->second = findIsOwn(memory) : it->second;
  }

  /// Erases what is stored to memory that nothing reads.
  void eraseUnread() {
    llvm::MapVector<Value, SmallVector<Operation *>> stores;
    llvm::DenseSet<Value> read;
    func.walk([&](Operation *op) {
      if (!MemoryAccess::isAccess(op))
        return;
      Value root = loom::getRoot(getMemory(op));
      if (MemoryAccess::isWrite(op))
        stores[root].push_back(op);
      else
        read.insert(root);
    });
    for (auto &[root, all] : stores)
      if (!read.contains(root) && isOwn(root))
        for (Operation *store : all)
          store->erase();
  }

  /// What must hold in front of a nest, so that it does nothing.
  struct Conditions {
    NestMemory memory;
    SmallVector<std::pair<NestSymbol, int>> limited;
  };

  void visit(Operation *nest) {
    std::optional<NestStores> what = NestStores::get(nest);
    if (!what || what->stores.empty())
      return;
    Value memory = getRootInFront(what->stores.front(), nest);
    if (!memory || !llvm::all_of(what->stores, [&](Operation *store) {
          return getRootInFront(store, nest) == memory;
        }))
      return;
    Conditions conditions;
    conditions.memory[memory] = true;
    if (!isOverwritten(nest, memory, what->stores, conditions))
      return;
    OpBuilder b(nest);
    Location loc = nest->getLoc();
    Value holds = compute(b, loc, conditions);
    if (!holds) {
      nest->erase();
      return;
    }
    Value one = arith::ConstantIntOp::create(b, loc, 1, 1);
    auto branch =
        scf::IfOp::create(b, loc, arith::XOrIOp::create(b, loc, holds, one),
                          /*withElseRegion=*/false);
    nest->moveBefore(branch.thenBlock()->getTerminator());
  }

  /// Whether nests behind `nest` overwrite what `stores` write, before anything
  /// reads it or may fail.
  bool isOverwritten(Operation *nest, Value memory,
                     SmallVector<Operation *> stores, Conditions &conditions) {
    size_t numNests = 0;
    for (Operation *op = nest->getNextNode(); op; op = op->getNextNode()) {
      if (isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
          op->getNumRegions() == 0)
        continue;
      std::optional<NestStores> next = NestStores::get(op);
      if (!next || ++numNests > kMostNests ||
          !readsOther(op, *next, memory, nest, conditions))
        return false;
      llvm::erase_if(stores, [&](Operation *store) {
        return llvm::any_of(next->stores, [&](Operation *over) {
          return getRootInFront(over, op) == memory &&
                 covers(nest, store, op, over, conditions);
        });
      });
      if (stores.empty())
        return true;
    }
    return false;
  }

  /// Whether the loads of `next` read nothing that `nest` has stored to
  /// `memory`, if memory is apart, which is then one of the conditions.
  bool readsOther(Operation *next, const NestStores &what, Value memory,
                  Operation *nest, Conditions &conditions) {
    return llvm::all_of(what.loads, [&](Operation *load) {
      Value root = getRootInFront(load, next);
      if (root == memory)
        return llvm::any_of(what.stores, [&](Operation *store) {
          return MemoryAccess::get(store) == MemoryAccess::get(load) &&
                 dominance.properlyDominates(store, load);
        });
      if (!root)
        return false;
      Value from = loom::getRoot(root), to = loom::getRoot(memory);
      if (from != to && (isOwn(from) || isOwn(to)))
        return true;
      conditions.memory.insert({root, false});
      return dominance.properlyDominates(root, nest);
    });
  }

  bool covers(Operation *nest, Operation *store, Operation *next,
              Operation *over, Conditions &conditions) {
    for (NestNumbers::Sizes sizes : NestNumbers::kAllSizes) {
      AccessSets sets(sizes, roots);
      if (!sets.read(nest, store) || !sets.read(next, over))
        continue;
      bool isKnown = llvm::all_of(sets.symbols, [&](const NestSymbol &symbol) {
        return dominance.properlyDominates(symbol.value, nest);
      });
      if (!isKnown || !sets.isCovered())
        return false;
      for (const NestSymbol &symbol : sets.symbols)
        if (sets.isLimited(symbol))
          conditions.limited.push_back({symbol, sizes.bits});
      return true;
    }
    return false;
  }

  Value getRootInFront(Operation *access, Operation *nest) const {
    return NestReader(nest, NestNumbers::kAllSizes.front(), roots)
        .getInFront(getMemory(access));
  }

  static Value compute(OpBuilder &b, Location loc,
                       const Conditions &conditions) {
    Value all;
    for (auto [symbol, bits] : conditions.limited)
      all = addFits(b, loc, all, symbol, bits);
    return legalize::both(b, loc, all, computeApart(b, loc, conditions.memory));
  }

  func::FuncOp func;
  const ExtentRoots roots;
  DominanceInfo dominance;
  llvm::DenseMap<Value, bool> own;
};

struct LoomEraseDeadStoresPass
    : codegen::impl::LoomEraseDeadStoresBase<LoomEraseDeadStoresPass> {
  void runOnOperation() override {
    if (loom::isOverMemory(getOperation()))
      DeadStores(getOperation()).run();
  }
};

} // namespace
