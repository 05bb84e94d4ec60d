//===- ReadSites.cpp - the sites of a program in its words ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ReadSites.h"

#include "codegen/Passes.h"
#include "dialect/LocationText.h"
#include "driver/Listing.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;

/// Whether time can be spent on the operation itself: constants, functions and
/// what ends a block are there for others.
static bool isComputed(Operation *op) {
  return !isa<ModuleOp, FunctionOpInterface>(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

ProfiledProgram broadloom::takeSites(ModuleOp compiled, ModuleOp written,
                                     const llvm::MemoryBuffer &source) {
  ProfiledProgram program;
  auto sites = compiled->getAttrOfType<ArrayAttr>(codegen::kSites);
  if (!sites)
    return program;
  compiled->removeAttr(codegen::kSites);

  CheckedProgram listing;
  listing.isAccepted = true;
  makeListing(written, source, listing);
  program.text = std::move(listing.text);
  program.isSource = listing.isSource;
  std::vector<Operation *> operations;
  written->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });

  for (auto entry : sites.getAsRange<DictionaryAttr>()) {
    ProfiledProgram::Site &site = program.sites.emplace_back();
    site.function = entry.getAs<StringAttr>("function").str();
    site.kind = entry.getAs<StringAttr>("kind").str();
    for (int64_t position :
         entry.getAs<DenseI64ArrayAttr>("operations").asArrayRef()) {
      Operation *op = operations[position];
      if (isComputed(op))
        site.operations.push_back({op->getName().getStringRef().str(),
                                   getFileLocationText(op->getLoc()),
                                   getNamesText(op->getLoc()),
                                   listing.lines[position]});
    }
  }
  return program;
}
