//===- CheckCallsFirst.cpp - checks of called functions at entry ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function checks before it has effects, of its arguments alone, becomes
// a function of its own. Its callers call that one too, where guards of their
// own nests would stand (NestPlaces.h): in front of all that writes. What such
// a call then runs has no checks of its calls any more: with them, each level
// of a tree of calls would check all levels below.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/FunctionPiece.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/NestPlaces.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SCCIterator.h"

#include <set>

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMCHECKCALLSFIRST
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::NestPlaces;

namespace {

/// A private function with the arguments of `func`, and no operations. It is
/// not inlined: its callers may have many calls, and each runs once.
func::FuncOp makeCheckFunction(func::FuncOp func, StringRef suffix) {
  func::FuncOp made =
      makePrivateFunction(func.getLoc(), func.getName() + suffix,
                          func.getArgumentTypes(), /*outputs=*/{});
  OpBuilder b = OpBuilder::atBlockBegin(made.addEntryBlock());
  func::ReturnOp::create(b, func.getLoc());
  return made;
}

/// The checks in front of all effects of a function.
class Prefix {
public:
  Prefix(func::FuncOp func, const llvm::DenseSet<Operation *> &checkCalls)
      : func(func), checkCalls(checkCalls) {
    for (Operation &op : func.getBody().front()) {
      if (isCheck(&op))
        addCheck(&op);
      else if (legalize::mayWrite(op))
        break;
    }
  }

  bool empty() const { return checks.empty(); }
  bool contains(Operation *check) const { return checks.contains(check); }

  /// A private function with the arguments of `func` and its checks alone.
  func::FuncOp clone() {
    func::FuncOp made = makeCheckFunction(func, "_checks");
    OpBuilder b(made.getBody().front().getTerminator());
    IRMapping mapping;
    mapping.map(func.getArguments(), made.getArguments());
    for (Operation &op : func.getBody().front())
      if (checks.contains(&op) || needed.contains(&op))
        b.clone(op, mapping);
    return made;
  }

private:
  /// Whether `op` can fail, and does nothing else.
  bool isCheck(Operation *op) const {
    bool mayFail = false;
    WalkResult result = op->walk([&](Operation *inner) {
      bool fails = isa<loom::RequireOp>(inner) || checkCalls.contains(inner);
      mayFail |= fails;
      return fails || inner->getNumRegions() != 0 || isMemoryEffectFree(inner)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return mayFail && !result.wasInterrupted();
  }

  /// Adds a check if all that it is computed from is computed from arguments.
  void addCheck(Operation *check) {
    SetVector<Value> values(check->operand_begin(), check->operand_end());
    getUsedValuesDefinedAbove(check->getRegions(), values);
    SmallVector<Operation *> found;
    for (size_t i = 0; i < values.size(); ++i) {
      Operation *op = values[i].getDefiningOp();
      if (!op || needed.contains(op))
        continue;
      if (op->getNumRegions() != 0 || !isPure(op))
        return;
      found.push_back(op);
      values.insert(op->operand_begin(), op->operand_end());
    }
    needed.insert(found.begin(), found.end());
    checks.insert(check);
  }

  func::FuncOp func;
  const llvm::DenseSet<Operation *> &checkCalls;
  llvm::DenseSet<Operation *> checks, needed;
};

struct LoomCheckCallsFirstPass
    : codegen::impl::LoomCheckCallsFirstBase<LoomCheckCallsFirstPass> {
  void runOnOperation() override {
    checkFunctions.clear();
    used.clear();
    checkCalls.clear();
    checked.clear();
    SymbolTable symbols(getOperation());
    for (func::FuncOp func : listCalleesFirst(getOperation())) {
      func::CallOp atEntry = hoist(func, symbols);
      Prefix prefix(func, checkCalls);
      if (prefix.empty())
        continue;
      if (atEntry && prefix.contains(atEntry))
        cloneWithout(atEntry, func, symbols);
      func::FuncOp checks = prefix.clone();
      symbols.insert(checks, ++Block::iterator(func));
      checkFunctions[func.getName()] = checks;
    }
    for (auto &[name, checks] : checkFunctions)
      if (!used.contains(checks))
        checks.erase();
    eraseUncalled();
  }

private:
  /// The functions over memory that do not call themselves.
  static SmallVector<func::FuncOp> listCalleesFirst(ModuleOp module) {
    SmallVector<func::FuncOp> functions;
    CallGraph graph(module);
    for (auto scc = llvm::scc_begin(&std::as_const(graph)); !scc.isAtEnd();
         ++scc) {
      const CallGraphNode *node = scc->front();
      if (scc.hasCycle() || node->isExternal())
        continue;
      auto func =
          dyn_cast<func::FuncOp>(node->getCallableRegion()->getParentOp());
      if (func && loom::isOverMemory(func))
        functions.push_back(func);
    }
    return functions;
  }

  /// A call with checks, and where these stand.
  struct Hoisted {
    func::CallOp call;
    /// Those of the called function.
    func::FuncOp checks;
    NestPlaces::Place place;
  };

  /// Puts checks of calls in front of what writes. Returns the call of those at
  /// the function's entry, or null.
  func::CallOp hoist(func::FuncOp func, SymbolTable &symbols) {
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) {
      if (checkFunctions.contains(call.getCallee()))
        calls.push_back(call);
    });
    if (calls.empty())
      return {};
    NestPlaces places(func, /*hasChecks=*/true);
    SmallVector<Hoisted> hoisted;
    for (func::CallOp call : calls)
      if (auto place = places.find(call, llvm::to_vector(call.getOperands())))
        hoisted.push_back(
            {call, checkFunctions.lookup(call.getCallee()), std::move(*place)});
    // A call at the place of others fails first.
    llvm::SmallPtrSet<Operation *, 4> points;
    for (Hoisted &one : hoisted)
      if (one.place.point != one.call)
        points.insert(one.place.point);
    SmallVector<Hoisted> atEntry;
    std::set<std::vector<const void *>> made;
    SmallVector<std::pair<func::CallOp, func::FuncOp>> callees;
    for (Hoisted &one : hoisted) {
      if (!points.contains(one.place.point))
        continue;
      if (func::FuncOp inner = checked.lookup(one.call.getCallee()))
        callees.push_back({one.call, inner});
      std::vector<const void *> key = {one.checks.getOperation(),
                                       one.place.point};
      for (Value operand : one.call.getOperands())
        key.push_back(operand.getAsOpaquePointer());
      if (one.place.branches.empty() && !made.insert(std::move(key)).second)
        continue;
      if (one.place.isAtEntry)
        atEntry.push_back(std::move(one));
      else
        insertCall(places.open(one.place), one.call, one.checks,
                   one.call.getOperands());
    }
    for (auto [call, inner] : callees)
      call.setCalleeAttr(FlatSymbolRefAttr::get(inner));
    if (atEntry.empty())
      return {};
    return insertAtEntry(func, places, atEntry, symbols);
  }

  /// Makes the function that callers call which have done what `checks` does.
  void cloneWithout(func::CallOp checks, func::FuncOp func,
                    SymbolTable &symbols) {
    IRMapping mapping;
    auto made = cast<func::FuncOp>(func->clone(mapping));
    mapping.lookup(checks.getOperation())->erase();
    made.setName((func.getName() + "_checked").str());
    made.setPrivate();
    symbols.insert(made, ++Block::iterator(func));
    checked[func.getName()] = made;
  }

  /// Erases private functions of which another version is called everywhere,
  /// and versions that nobody calls.
  void eraseUncalled() {
    llvm::DenseSet<StringAttr> called;
    getOperation().walk([&](func::CallOp call) {
      called.insert(call.getCalleeAttr().getAttr());
    });
    SmallVector<func::FuncOp> versions;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (auto it = checked.find(func.getName()); it != checked.end())
        versions.append({func, it->second});
    for (func::FuncOp func : versions)
      if (func.isPrivate() && !called.contains(func.getSymNameAttr()))
        func.erase();
  }

  /// In a function of its own: what the operands are computed from would live
  /// from the checks to the calls, which takes LLVM more than linear time.
  func::CallOp insertAtEntry(func::FuncOp func, const NestPlaces &places,
                             MutableArrayRef<Hoisted> hoisted,
                             SymbolTable &symbols) {
    func::FuncOp made = makeCheckFunction(func, "_calls");
    symbols.insert(made, ++Block::iterator(func));
    OpBuilder b(made.getBody().front().getTerminator());
    IRMapping mapping;
    mapping.map(func.getArguments(), made.getArguments());
    for (Hoisted &one : hoisted) {
      OpBuilder inner = places.copy(one.place, b, mapping);
      SmallVector<Value> operands;
      for (Value operand : one.call.getOperands())
        operands.push_back(mapping.lookup(operand));
      insertCall(inner, one.call, one.checks, operands);
    }
    OpBuilder atPoint(hoisted.front().place.point);
    return insertCall(atPoint, func, made, func.getArguments());
  }

  func::CallOp insertCall(OpBuilder b, Operation *at, func::FuncOp checks,
                          ValueRange operands) {
    used.insert(checks);
    auto call = func::CallOp::create(b, at->getLoc(), checks, operands);
    checkCalls.insert(call);
    return call;
  }

  /// The function with the checks of each function that has some, by its name.
  llvm::StringMap<func::FuncOp> checkFunctions;
  /// Functions without the checks of their calls, by the names of those that
  /// have them.
  llvm::StringMap<func::FuncOp> checked;
  /// The functions with checks that are called, and the calls.
  llvm::DenseSet<Operation *> used, checkCalls;
};

} // namespace
