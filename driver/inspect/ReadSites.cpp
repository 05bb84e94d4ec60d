//===- ReadSites.cpp - the sites of a program in its words ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/ReadSites.h"

#include "codegen/Passes.h"
#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"
#include "driver/inspect/Listing.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;

/// Whether the operation itself takes time: constants, functions and
/// terminators do not.
static bool isComputed(Operation *op) {
  return !isa<ModuleOp, FunctionOpInterface>(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

/// The operation that a user sees for `op`: for scalar code, the enclosing map.
static Operation *getOwner(Operation *op) {
  while (isa_and_nonnull<loom::MapOp, loom::ReduceOp, loom::FusedReductionOp,
                         loom::ContractOp, linalg::LinalgOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

ProfiledProgram broadloom::takeSites(ModuleOp compiled, ModuleOp written,
                                     const llvm::MemoryBuffer &source,
                                     read::ProgramForm form) {
  ProfiledProgram program;
  auto sites = compiled->getAttrOfType<ArrayAttr>(codegen::kSites);
  if (!sites)
    return program;
  compiled->removeAttr(codegen::kSites);

  CheckedProgram listing;
  listing.isAccepted = true;
  makeListing(written, source, form, listing);
  program.text = std::move(listing.text);
  program.isSource = listing.isSource;
  std::vector<Operation *> operations;
  llvm::DenseMap<Operation *, int64_t> positions;
  written->walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = int64_t(operations.size());
    operations.push_back(op);
  });

  for (auto entry : sites.getAsRange<DictionaryAttr>()) {
    ProfiledProgram::Site &site = program.sites.emplace_back();
    site.function = entry.getAs<StringAttr>("function").str();
    auto kind = findSiteKind(entry.getAs<StringAttr>("kind").getValue());
    assert(kind && "loom-mark-sites writes kinds alone");
    site.kind = *kind;
    llvm::SmallSetVector<Operation *, 8> owners;
    for (int64_t position :
         entry.getAs<DenseI64ArrayAttr>("operations").asArrayRef())
      owners.insert(getOwner(operations[position]));
    for (Operation *op : owners)
      if (isComputed(op))
        site.operations.push_back(
            {infer::getOrigin(op).str(), getFileLocationText(op->getLoc()),
             getNamesText(op->getLoc()), listing.lines[positions.lookup(op)]});
  }
  return program;
}
