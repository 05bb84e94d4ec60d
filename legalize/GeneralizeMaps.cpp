//===- GeneralizeMaps.cpp - maps of linalg that read destinations ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMGENERALIZEMAPS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomGeneralizeMapsPass
    : legalize::impl::LoomGeneralizeMapsBase<LoomGeneralizeMapsPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](linalg::MapOp map) {
      Block &body = map.getMapper().front();
      if (body.getNumArguments() <= map.getInputs().size() ||
          body.getArguments().back().use_empty())
        return;
      OpBuilder builder(map);
      auto generic = linalg::GenericOp::create(
          builder, map.getLoc(), map->getResultTypes(), map.getInputs(),
          map.getInit(), map.getIndexingMapsArray(),
          map.getIteratorTypesArray());
      generic.getRegion().takeBody(map.getMapper());
      infer::takeOrigin(generic, map);
      map->replaceAllUsesWith(generic);
      map.erase();
    });
    return success();
  }
};

} // namespace
