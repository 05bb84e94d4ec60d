//===- MarkMemoryFunctions.cpp - which programs are over memory -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMMARKMEMORYFUNCTIONS
#define GEN_PASS_DEF_LOOMUNMARKMEMORYFUNCTIONS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

/// What a module works on.
struct Contents {
  bool hasMemory = false, hasTensors = false, hasVectors = false;

  void add(Type type) {
    hasMemory |= isa<BaseMemRefType>(type);
    hasTensors |= isa<TensorType>(type);
    hasVectors |= isa<VectorType>(type);
  }
  void add(TypeRange types) {
    for (Type type : types)
      add(type);
  }
  void add(Operation *op) {
    hasTensors |=
        isa_and_nonnull<tosa::TosaDialect, loom::LoomDialect>(op->getDialect());
    add(op->getOperandTypes());
    add(op->getResultTypes());
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      add(function.getArgumentTypes());
      add(function.getResultTypes());
    }
  }
};

} // namespace

static Contents readContents(Operation *root) {
  Contents contents;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    contents.add(op);
    return contents.hasTensors && contents.hasMemory ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  return contents;
}

/// The functions that work on memory, and those that call them, directly or
/// not.
static llvm::StringSet<> findMemoryFunctions(ModuleOp module) {
  llvm::StringSet<> marked;
  llvm::StringMap<SmallVector<StringRef>> callers;
  SmallVector<StringRef> found;
  for (auto func : module.getOps<func::FuncOp>()) {
    Contents contents = readContents(func);
    // A function on vectors alone is called with those that memory has.
    if (contents.hasMemory || (contents.hasVectors && !contents.hasTensors))
      found.push_back(func.getName());
    func.walk([&](func::CallOp call) {
      callers[call.getCallee()].push_back(func.getName());
    });
  }
  while (!found.empty()) {
    StringRef name = found.pop_back_val();
    if (marked.insert(name).second)
      llvm::append_range(found, callers.lookup(name));
  }
  return marked;
}

/// Erases what passes note at the operations of `root`. The names of loops are
/// the program's.
static void eraseMarks(Operation *root) {
  auto isName = [](NamedAttribute attribute) {
    return attribute.getName() == loom::kLoopName &&
           isa<StringAttr>(attribute.getValue());
  };
  root->walk([&](Operation *op) {
    if (isa<FunctionOpInterface>(op))
      return;
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (attribute.getName().strref().starts_with("loom.") &&
          !isName(attribute))
        op->removeDiscardableAttr(attribute.getName());
  });
}

static void markMemoryFunctions(ModuleOp module) {
  Contents contents = readContents(module);
  bool isMarked = contents.hasMemory;
  llvm::StringSet<> marked;
  if (contents.hasMemory && contents.hasTensors)
    marked = findMemoryFunctions(module);
  // What a text has of these marks, nobody has checked.
  if (isMarked)
    eraseMarks(module);
  for (auto func : module.getOps<func::FuncOp>())
    if (isMarked && (!contents.hasTensors || marked.contains(func.getName())))
      func->setAttr(loom::kMemoryFunction, UnitAttr::get(module.getContext()));
    else
      func->removeAttr(loom::kMemoryFunction);
}

namespace {

struct LoomMarkMemoryFunctionsPass
    : legalize::impl::LoomMarkMemoryFunctionsBase<LoomMarkMemoryFunctionsPass> {
  LogicalResult apply(ModuleOp module) override {
    markMemoryFunctions(module);
    return success();
  }
};

struct LoomUnmarkMemoryFunctionsPass
    : legalize::impl::LoomUnmarkMemoryFunctionsBase<
          LoomUnmarkMemoryFunctionsPass> {
  LogicalResult apply(ModuleOp module) override {
    for (func::FuncOp func : loom::getMemoryFunctions(module)) {
      eraseMarks(func);
      func->removeAttr(loom::kMemoryFunction);
    }
    return success();
  }
};

} // namespace
