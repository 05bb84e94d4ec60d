//===- ProductReport.cpp - which nests are contractions -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ProductReport.h"
#include "codegen/memory/ForwardCopies.h"

#include "codegen/memory/JoinTiles.h"
#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static std::string describe(const NestProduct &product) {
  if (!product.because.empty())
    return "it is a sum of products, but no contraction: " + product.because;
  std::string text =
      "it is a contraction, which kernels compute where the call has "
      "work enough and the sums overlap with no factor";
  if (!product.image.isPlain)
    text += "; one factor is gathered";
  return text;
}

static std::string describe(const ScratchCopy &copy, bool isOfSums) {
  std::string text =
      "it copies " + copy.source + " to " + copy.target + ", and the copy is ";
  if (isOfSums)
    return text +
           "redundant where kernels compute the contraction around it, "
           "which add to " +
           copy.source;
  return text + (copy.because.empty()
                     ? "redundant: contractions read " + copy.source
                     : "kept, since " + copy.because);
}

void codegen::reportProducts(ModuleOp module, infer::GuardReport &report) {
  std::multimap<std::pair<std::string, std::string>, infer::GuardReport::Loop *>
      loops;
  for (infer::GuardReport::Loop &loop : report.loops)
    loops.insert({{loop.function, loop.location}, &loop});
  auto add = [&](StringRef function, Location nest, const std::string &text) {
    auto [loop, end] =
        loops.equal_range({function.str(), getFileLocationText(nest)});
    for (; loop != end; ++loop)
      loop->second->reason += "; " + text;
  };
  for (func::FuncOp func : loom::getMemoryFunctions(module)) {
    std::vector<ScratchCopy> copies = forwardCopies(func);
    llvm::SmallDenseSet<Value> ofSums;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto nest = dyn_cast<scf::ForOp>(op);
      if (op->hasAttr(loom::kFindsFailure))
        return WalkResult::skip();
      if (!nest)
        return WalkResult::advance();
      JoinedProduct joined(nest);
      const NestProduct *product = joined.get();
      if (!product)
        return WalkResult::advance();
      add(func.getName(), nest.getLoc(), ::describe(*product));
      if (product->because.empty())
        ofSums.insert_range(joined.getScratchpads());
      return WalkResult::skip();
    });
    for (const ScratchCopy &copy : copies)
      add(func.getName(), copy.nest,
          ::describe(copy, copy.kept && ofSums.contains(copy.kept)));
  }
}
