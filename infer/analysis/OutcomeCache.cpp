//===- OutcomeCache.cpp - what shape functions said before ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/OutcomeCache.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The cache is cleared at this size: older requests are rarely repeated.
static constexpr size_t kMaxOutcomes = 1024;

static void add(OutcomeCache::Key &key, const void *pointer) {
  key.push_back(reinterpret_cast<uintptr_t>(pointer));
}

static void add(OutcomeCache::Key &key, Extent extent) {
  key.push_back(static_cast<uint64_t>(extent.kind()));
  key.push_back(extent.isSymbol() ? extent.symbolId() : extent.value());
}

/// False for an operand with an element that is not a plain number.
static bool add(OutcomeCache::Key &key, const Operand &operand) {
  add(key, operand.type.getAsOpaquePointer());
  add(key, operand.elementType.getAsOpaquePointer());
  add(key, operand.encoding.getAsOpaquePointer());
  add(key, operand.constant.getAsOpaquePointer());
  // The length comes first, so that different lists have different keys.
  key.push_back(operand.shape.isRanked() ? operand.shape.rank() + 1 : 0);
  for (Extent extent : operand.shape.view())
    add(key, extent);
  key.push_back(operand.value ? operand.value->size() + 1 : 0);
  if (!operand.value)
    return true;
  for (const Integer &integer : *operand.value) {
    std::optional<int64_t> number = integer.getNumber();
    if (!number)
      return false;
    key.push_back(*number);
  }
  return true;
}

std::optional<OutcomeCache::Key>
OutcomeCache::makeKey(Operation *op, const Request &request,
                      const EvaluationOptions &options) {
  auto isSymbol = [](NamedAttribute attribute) {
    return isa<SymbolRefAttr>(attribute.getValue());
  };
  if (op->getNumRegions() != 0 || llvm::any_of(request.attributes, isSymbol))
    return std::nullopt;
  Key key;
  ::add(key, op->getName().getAsOpaquePointer());
  ::add(key, request.attributes.getAsOpaquePointer());
  key.push_back(uint64_t(options.isAddition) << 2 |
                uint64_t(options.findAll) << 1 | uint64_t(options.keepProved));
  key.push_back(op->getNumResults());
  for (const Operand &operand : request.operands)
    if (!::add(key, operand))
      return std::nullopt;
  return key;
}

const Outcome *OutcomeCache::find(const Key &key) {
  std::pair<size_t, size_t> now = {numbers.mark(), numbers.getSymbols().mark()};
  if (facts != now)
    clear();
  facts = now;
  auto it = outcomes.find(key);
  return it == outcomes.end() ? nullptr : &it->second;
}

void OutcomeCache::add(Key key, const Outcome &outcome, size_t before) {
  bool isWhole = outcome.truth == Truth::Proved && !outcome.error &&
                 !outcome.skipped && outcome.dataExtents.empty() &&
                 outcome.elements.empty();
  if (!isWhole || measure() != before)
    return;
  if (outcomes.size() == kMaxOutcomes)
    clear();
  outcomes.emplace(std::move(key), outcome);
}
