//===- AccessStrides.cpp - how loops go through memory --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/AccessStrides.h"

#include "poly/FormVariables.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// A load from another line of the cache, and a store to one element, which
/// waits for the one before it, beside a load of the next element.
static constexpr int64_t kCostOfOther = 16, kCostOfChain = 4;

AccessStrides::AccessStrides(const LoopOrder &order, ArrayRef<scf::ForOp> band)
    : numLoops(band.size()) {
  size_t numAround = getLoopsAround(band.front()).size();
  for (const LoopOrder::Access &access : order.getAccesses().accesses) {
    if (access.call || !scf::ForOp(band.back())->isAncestor(access.op))
      continue;
    const poly::Domain &domain = access.reader->getDomain();
    const poly::Access &subscripts = access.reader->access;
    llvm::SmallVector<Stride> ofLoops;
    for (size_t loop = 0; loop < numLoops; ++loop) {
      const poly::Form &value = domain.getLoops()[numAround + loop].value;
      Stride stride = Stride::Same;
      for (const poly::Form::Term &term : value.getTerms()) {
        // Of a step other than 1 this is the number of the iteration.
        poly::Variable variable = term.monomial.getFactor(0);
        if (!domain.getSpace().isUnknown(variable) ||
            domain.getSpace().getQuotient(variable))
          continue;
        for (auto [axis, subscript] : llvm::enumerate(subscripts)) {
          if (!poly::hasVariable(
                  domain.getSpace(), subscript.index,
                  [&](poly::Variable other) { return other == variable; }))
            continue;
          int64_t by = subscript.index.split(variable).first.getConstant();
          bool isNext = axis + 1 == subscripts.size() &&
                        (by == 1 || by == -1) && stride == Stride::Same;
          stride = isNext ? Stride::Next : Stride::Other;
        }
      }
      ofLoops.push_back(stride);
    }
    strides.push_back(std::move(ofLoops));
    isWrite.push_back(access.isWrite);
  }
}

int64_t AccessStrides::getCost(size_t loop) const {
  int64_t cost = 0;
  for (size_t access = 0; access < strides.size(); ++access) {
    Stride stride = get(access, loop);
    cost += stride == Stride::Other  ? kCostOfOther
            : stride == Stride::Next ? 1
            : isWrite[access]        ? kCostOfChain
                                     : 0;
  }
  return cost;
}

size_t AccessStrides::getBestInnermost() const {
  size_t best = numLoops - 1;
  for (size_t loop = numLoops - 1; loop-- > 0;)
    if (getCost(loop) < getCost(best))
      best = loop;
  return best;
}

bool AccessStrides::hasReuse() const {
  return llvm::any_of(strides, [](const llvm::SmallVector<Stride> &ofLoops) {
    return llvm::is_contained(ofLoops, Stride::Same);
  });
}

bool AccessStrides::isStrided(size_t loop) const {
  return llvm::any_of(strides, [&](const llvm::SmallVector<Stride> &ofLoops) {
    return ofLoops[loop] == Stride::Other;
  });
}

bool AccessStrides::isSharedBy(size_t loop, size_t innermost) const {
  return llvm::any_of(strides, [&](const llvm::SmallVector<Stride> &ofLoops) {
    return ofLoops[loop] == Stride::Same && ofLoops[innermost] == Stride::Next;
  });
}

bool AccessStrides::updatesAgain(size_t loop, size_t innermost) const {
  bool isUpdated = false;
  for (size_t access = 0; access < strides.size(); ++access)
    isUpdated |= isWrite[access] && get(access, loop) == Stride::Same &&
                 get(access, innermost) == Stride::Next;
  return isUpdated && !isStrided(innermost);
}
