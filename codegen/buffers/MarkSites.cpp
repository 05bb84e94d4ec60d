//===- MarkSites.cpp - where the time of a profiled call goes -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "dialect/LoomDialect.h"
#include "infer/report/OperationNumber.h"
#include "runtime/profile/SiteKind.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMMARKSITES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// The kind of the site of `op`; nothing if it is not one.
std::optional<SiteKind> getKind(Operation *op) {
  if (auto launch = dyn_cast<loom::LaunchOp>(op))
    return launch.getAxes()          ? SiteKind::Reduction
           : launch.getContraction() ? SiteKind::Contraction
                                     : SiteKind::Map;
  bool hasAxes = llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return memref && (!memref.hasRank() || memref.getRank() > 0);
  });
  // A single element takes too little time for a site.
  if (!hasAxes)
    return std::nullopt;
  if (isa<linalg::LinalgOp>(op))
    return SiteKind::Loop;
  if (isa<loom::SortOp>(op))
    return SiteKind::Sort;
  if (isa<loom::LinearAlgebraOp>(op))
    return SiteKind::Algebra;
  if (isa<memref::CopyOp, loom::ContiguousOp>(op))
    return SiteKind::Copy;
  return std::nullopt;
}

/// The numbers of the operations that are computed there, in program order.
SmallVector<int64_t> getOperationNumbers(Operation *op) {
  llvm::SmallSetVector<int64_t, 8> numbers;
  op->walk([&](Operation *part) {
    if (!part->hasTrait<OpTrait::ConstantLike>())
      numbers.insert(infer::getOperationNumber(part->getLoc()));
  });
  numbers.remove(infer::kNoOperationNumber);
  SmallVector<int64_t> sorted = numbers.takeVector();
  llvm::sort(sorted);
  return sorted;
}

/// The tensors of a loop, a sort or a function of matrices, whose sizes the
/// runtime does not know otherwise.
SmallVector<Value> getTensors(Operation *op) {
  if (!isa<linalg::LinalgOp, loom::SortOp, loom::LinearAlgebraOp>(op))
    return {};
  llvm::SetVector<Value> values(op->getOperands().begin(),
                                op->getOperands().end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return llvm::filter_to_vector(values.getArrayRef(), [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  });
}

class SiteMarker {
public:
  explicit SiteMarker(MLIRContext *context) : builder(context) {}

  void mark(func::FuncOp function) {
    SmallVector<std::pair<Operation *, SiteKind>> found;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::optional<SiteKind> kind = getKind(op);
      if (!kind)
        return WalkResult::advance();
      found.push_back({op, *kind});
      return WalkResult::skip();
    });
    for (auto [op, kind] : found) {
      builder.setInsertionPoint(op);
      loom::SiteOp::create(builder, op->getLoc(), getSite(function, op, kind),
                           getTensors(op));
      builder.setInsertionPointAfter(op);
      loom::SiteOp::create(builder, op->getLoc(), -1, ValueRange());
    }
  }

  ArrayAttr getSites() {
    SmallVector<Attribute> entries;
    for (auto &[key, number] : sites)
      entries.push_back(key.first);
    return builder.getArrayAttr(entries);
  }

private:
  /// Launches are sites of their own. Loops and copies of the same operations
  /// share a site, such as a loop that checks indices and one that uses them.
  int32_t getSite(func::FuncOp function, Operation *op, SiteKind kind) {
    NamedAttribute entries[] = {
        builder.getNamedAttr("function", builder.getStringAttr(getProgramName(
                                             function.getName()))),
        builder.getNamedAttr("kind", builder.getStringAttr(getKindName(kind))),
        builder.getNamedAttr("operations", builder.getDenseI64ArrayAttr(
                                               getOperationNumbers(op)))};
    std::pair<Attribute, Operation *> key = {builder.getDictionaryAttr(entries),
                                             isa<loom::LaunchOp>(op) ? op
                                                                     : nullptr};
    return sites.insert({key, int32_t(sites.size())}).first->second;
  }

  OpBuilder builder;
  llvm::MapVector<std::pair<Attribute, Operation *>, int32_t> sites;
};

struct LoomMarkSitesPass : codegen::impl::LoomMarkSitesBase<LoomMarkSitesPass> {
  void runOnOperation() override {
    SiteMarker marker(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      marker.mark(function);
    getOperation()->setAttr(kSites, marker.getSites());
  }
};

} // namespace
