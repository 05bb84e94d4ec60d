//===- LoopAccesses.cpp - what loops over memory access -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/LoopAccesses.h"

#include "infer/report/OperationNumber.h"
#include "poly/Inside.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Accesses of a loop: the time is linear in the program.
static constexpr size_t kMostAccesses = 64;

bool LoopAccesses::collect(Operation *loop) {
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++numOperations;
    if (MemoryAccess::isAccess(op)) {
      Value accessed = MemoryAccess::get(op).memory;
      memory[accessed] |= MemoryAccess::isWrite(op);
      accesses.push_back({op, accessed, nullptr, nullptr});
      return WalkResult::advance();
    }
    if (auto call = dyn_cast<func::CallOp>(op); call && addCall(call))
      return WalkResult::advance();
    if (NestReader::isLoop(op) || NestReader::isBranch(op) ||
        isa<affine::AffineYieldOp, scf::YieldOp>(op) || isMemoryEffectFree(op))
      return WalkResult::advance();
    because = "it has '" + infer::getOriginalName(op).str() + "'";
    return WalkResult::interrupt();
  });
  if (because.empty() && accesses.size() > kMostAccesses)
    because = "it has more than " + std::to_string(kMostAccesses) + " accesses";
  return because.empty();
}

bool LoopAccesses::addCall(func::CallOp call) {
  const CallEffects::Effects *found = effects ? effects->find(call) : nullptr;
  if (!found)
    return false;
  calls.push_back(call);
  for (Operation *op : found->accesses) {
    auto argument = cast<BlockArgument>(MemoryAccess::get(op).memory);
    Value accessed = call.getOperand(argument.getArgNumber());
    memory[accessed] |= MemoryAccess::isWrite(op);
    accesses.push_back({op, accessed, call, nullptr});
  }
  return true;
}

bool LoopAccesses::read(Access &access, Operation *front,
                        NestNumbers::Sizes sizes) {
  access.reader = std::make_shared<NestReader>(front, sizes, *roots);
  bool isRead =
      access.call
          ? access.reader->readInCall(
                access.call, effects->find(access.call)->function, access.op)
          : access.reader->read(access.op);
  if (!isRead && !access.reader->because.empty())
    because = access.reader->because;
  // A step that only the call tells is read as 1.
  return isRead && access.reader->getSteps().empty();
}

bool LoopAccesses::readGuards(Front getFront, NestNumbers::Sizes sizes) {
  guards.clear();
  for (func::CallOp call : calls) {
    const CallEffects::Effects &called = *effects->find(call);
    Operation *front = getFront(call);
    for (Value condition : called.guards) {
      auto reader = std::make_shared<NestReader>(front, sizes, *roots);
      if (!reader->readConditionInCall(call, called.function, condition) ||
          !reader->getSteps().empty())
        return false;
      poly::Inside inside =
          poly::whenInside(reader->getDomain(), reader->access);
      if (!inside.condition || !reader->fits(*inside.condition))
        return false;
      guards.push_back({call, reader, std::move(*inside.condition)});
    }
  }
  return true;
}

void LoopAccesses::addSymbols(const NestReader &reader) {
  for (const auto &[variable, symbol] : reader.getSymbols()) {
    getNumber(symbol);
    if (reader.isLimited(symbol) && !llvm::is_contained(limited, symbol))
      limited.push_back(symbol);
  }
}

bool LoopAccesses::read(Front getFront, NestNumbers::Sizes sizes) {
  because = "a bound or a subscript is not affine in numbers that are known in "
            "front of the loop";
  std::vector<std::pair<Block *, MemoryAccess>> seen;
  for (size_t i = 0; i < accesses.size(); ++i) {
    Access &access = accesses[i];
    access.reader = nullptr;
    MemoryAccess what = MemoryAccess::get(access.op);
    seen.push_back({access.op->getBlock(), what});
    for (size_t j = 0; j < i && !access.reader && !access.call; ++j)
      if (!accesses[j].call && seen[j].first == access.op->getBlock() &&
          seen[j].second == what)
        access.reader = accesses[j].reader;
    if (!access.reader &&
        !read(access, getFront(access.call ? access.call : access.op), sizes))
      return false;
  }
  if (!readGuards(getFront, sizes)) {
    because = "a function that it calls has a check that is not affine in "
              "numbers that are known in front of the loop";
    return false;
  }
  for (const Access &access : accesses)
    addSymbols(*access.reader);
  because.clear();
  return true;
}

bool LoopAccesses::read(Front getFront) {
  for (NestNumbers::Sizes sizes : NestNumbers::kAllSizes) {
    symbols.clear();
    limited.clear();
    if (read(getFront, sizes)) {
      bits = sizes.bits;
      return true;
    }
  }
  return false;
}

size_t LoopAccesses::getNumber(const NestSymbol &symbol) {
  auto it = llvm::find(symbols, symbol);
  size_t number = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(symbol);
  return number;
}

poly::PlacedAccess LoopAccesses::place(const Access &access) {
  poly::PlacedAccess placed = {
      access.reader->getDomain(), access.reader->access, {}};
  for (const auto &[variable, symbol] : access.reader->getSymbols())
    placed.symbols.push_back({variable, getNumber(symbol)});
  return placed;
}
