//===- UnknownDialects.cpp - functions of dialects unknown here -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/UnknownDialects.h"

#include "driver/steps/Reachable.h"
#include "read/HeldDiagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Finds what is of an unknown dialect. Each type and attribute is looked at
/// once.
class UnknownFinder {
public:
  UnknownFinder() {
    walker.addWalk([](OpaqueType) { return WalkResult::interrupt(); });
    walker.addWalk([](OpaqueAttr) { return WalkResult::interrupt(); });
  }

  /// The first operation of `root` that has it; null if there is none.
  Operation *find(Operation *root) {
    Operation *found = nullptr;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isUnknown(op))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
    return found;
  }

  /// Whether the operation itself has it, beside those in it.
  bool isUnknown(Operation *op) {
    return (!op->isRegistered() && !op->getDialect()) ||
           llvm::any_of(op->getResultTypes(),
                        [&](Type type) { return has(type); }) ||
           has(op->getAttrDictionary()) ||
           (op->getPropertiesStorageSize() != 0 &&
            has(op->getPropertiesAsAttribute())) ||
           llvm::any_of(op->getRegions(), [&](Region &region) {
             return llvm::any_of(region, [&](Block &block) {
               return llvm::any_of(block.getArgumentTypes(),
                                   [&](Type type) { return has(type); });
             });
           });
  }

private:
  template <typename T> bool has(T element) {
    return element && walker.walk(element).wasInterrupted();
  }

  AttrTypeWalker walker;
};

} // namespace

/// Marks the functions of unknown dialects. False where something else is of
/// one, or needs one of them.
static bool markUnneeded(ModuleOp module) {
  UnknownFinder finder;
  if (finder.isUnknown(module))
    return false;
  llvm::SmallPtrSet<Operation *, 16> needed = findNeeded(module);
  for (Operation &op : module.getOps()) {
    Operation *unknown = finder.find(&op);
    if (!unknown)
      continue;
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func || needed.contains(func))
      return false;
    func->setAttr(kLeftOutKey, unknown->getName().getIdentifier());
  }
  return true;
}

OwningOpRef<ModuleOp>
broadloom::readBesideUnknown(MLIRContext *context,
                             llvm::function_ref<OwningOpRef<ModuleOp>()> read) {
  read::HeldDiagnostics first(context);
  OwningOpRef<ModuleOp> module = read();
  if (module || !first.mention("unregistered dialect") ||
      context->allowsUnregisteredDialects()) {
    first.release();
    return module;
  }
  first.close();
  read::HeldDiagnostics second(context);
  context->allowUnregisteredDialects(true);
  module = read();
  context->allowUnregisteredDialects(false);
  second.close();
  // Where the text has another error, what is unknown may well be unneeded.
  bool isUnneeded = module && markUnneeded(*module);
  if (!module || isUnneeded) {
    second.release();
    return module;
  }
  first.release();
  return nullptr;
}

void broadloom::leaveOutUnknown(ModuleOp module, bool verbose) {
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    auto unknown = func->getAttrOfType<StringAttr>(kLeftOutKey);
    if (!unknown || !UnknownFinder().find(func))
      continue;
    if (verbose)
      func.emitRemark() << unknown << " has what is of a dialect that is not "
                        << "known; this function is left out, since no other "
                        << "one needs it";
    func.erase();
  }
}
