//===- ProductReport.cpp - which nests are contractions -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/ProductReport.h"

#include "codegen/memory/NestProduct.h"
#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static std::string describe(const NestProduct &product) {
  if (!product.because.empty())
    return "a sum of products, but no contraction: " + product.because;
  std::string text = "a contraction, which kernels compute where the call has "
                     "work enough and the sums overlap with no factor";
  if (!product.image.isPlain)
    text += "; one factor is gathered";
  return text;
}

void codegen::reportProducts(ModuleOp module, infer::GuardReport &report) {
  std::multimap<std::pair<std::string, std::string>, infer::GuardReport::Loop *>
      loops;
  for (infer::GuardReport::Loop &loop : report.loops)
    loops.insert({{loop.function, loop.location}, &loop});
  auto add = [&](StringRef function, scf::ForOp nest, const std::string &text) {
    auto [loop, end] =
        loops.equal_range({function.str(), getFileLocationText(nest.getLoc())});
    for (; loop != end; ++loop)
      loop->second->reason += "; it is " + text;
  };
  for (func::FuncOp func : loom::getMemoryFunctions(module))
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto nest = dyn_cast<scf::ForOp>(op);
      if (op->hasAttr(loom::kFindsFailure))
        return WalkResult::skip();
      if (!nest)
        return WalkResult::advance();
      std::optional<NestProduct> product = NestProduct::get(nest);
      if (!product)
        return WalkResult::advance();
      add(func.getName(), nest, describe(*product));
      return WalkResult::skip();
    });
}
