//===- Reduce.cpp - a smaller program that still fails --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/Steps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().assumeVerified());
  return text + "\n";
}

/// The operations that may be erased: users before producers, functions last.
static SmallVector<Operation *> listOperations(ModuleOp module) {
  SmallVector<Operation *> operations;
  module->walk([&](Operation *op) {
    if (op != module && !op->mightHaveTrait<OpTrait::IsTerminator>())
      operations.push_back(op);
  });
  std::reverse(operations.begin(), operations.end());
  return operations;
}

/// Erases `op`. Where its results are used, its function gets arguments
/// instead; false where there is no such function.
static bool take(Operation *op) {
  if (!op->use_empty()) {
    auto func = op->getParentOfType<func::FuncOp>();
    if (!func || func.isExternal())
      return false;
    SmallVector<Type> inputs(func.getArgumentTypes());
    for (OpResult result : op->getResults()) {
      if (result.use_empty())
        continue;
      inputs.push_back(result.getType());
      result.replaceAllUsesWith(
          func.getBody().addArgument(result.getType(), op->getLoc()));
    }
    func.setType(
        FunctionType::get(op->getContext(), inputs, func.getResultTypes()));
    if (ArrayAttr attributes = func.getArgAttrsAttr()) {
      SmallVector<Attribute> all(attributes.begin(), attributes.end());
      all.resize(inputs.size(), DictionaryAttr::get(op->getContext()));
      func.setArgAttrsAttr(ArrayAttr::get(op->getContext(), all));
    }
  }
  op->erase();
  return true;
}

/// The module without the operations from `begin` to `end` of the list; null if
/// one of them cannot be erased.
static OwningOpRef<ModuleOp> without(ModuleOp module, size_t begin,
                                     size_t end) {
  OwningOpRef<ModuleOp> smaller = module.clone();
  SmallVector<Operation *> operations = listOperations(*smaller);
  llvm::SmallPtrSet<Operation *, 16> chosen(
      operations.begin() + begin,
      operations.begin() + std::min(end, operations.size()));
  // An operation inside another erased one is erased with it.
  auto isInside = [&](Operation *op) {
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      if (chosen.contains(parent))
        return true;
    return false;
  };
  SmallVector<Operation *> roots;
  for (Operation *op : operations)
    if (chosen.contains(op) && !isInside(op))
      roots.push_back(op);
  for (Operation *op : roots)
    if (!take(op))
      return nullptr;
  return smaller;
}

/// Erases functions and operations of `module`, whose structure is sound, as
/// long as `fails` is true of the text of the rest; returns the last such text.
/// Arguments of the function replace the results of an erased operation.
/// `fails` is called no more than 1,000 times.
static std::string
reduceProgram(ModuleOp module,
              const std::function<bool(const std::string &)> &fails) {
  unsigned attempts = 1000;
  OwningOpRef<ModuleOp> best = module.clone();
  std::string text = print(*best);
  size_t count = listOperations(*best).size();
  bool progress = true;
  for (size_t chunk = count; chunk != 0 && attempts != 0;
       chunk = chunk == 1 && progress ? 1 : chunk / 2) {
    progress = false;
    for (size_t begin = 0; begin < count && attempts != 0;) {
      OwningOpRef<ModuleOp> smaller = without(*best, begin, begin + chunk);
      std::string smallerText = smaller ? print(*smaller) : "";
      if (smaller)
        --attempts;
      if (!smaller || !fails(smallerText)) {
        begin += chunk;
        continue;
      }
      progress = true;
      best = std::move(smaller);
      text = std::move(smallerText);
      count = listOperations(*best).size();
    }
  }
  return text;
}

std::optional<std::string>
steps::reduce(Session &session,
              const std::function<bool(const std::string &)> &fails) {
  OwningOpRef<ModuleOp> module = parse(session);
  if (!module)
    return std::nullopt;
  return reduceProgram(*module, fails);
}
