//===- ShapeQuery.cpp - the shape query of a function ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/ShapeQuery.h"

#include "infer/Passes.h"
#include "infer/queries/Lift.h"
#include "infer/queries/Translator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMSHAPEQUERIES
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kShapeQuery = "loom.shape_query";

void infer::writeShapeQuery(func::FuncOp query, const ShapeQueryInfo &info) {
  Builder b(query.getContext());
  SmallVector<Attribute> results;
  for (const auto &result : info.results) {
    if (!result) {
      results.push_back(b.getUnitAttr());
      continue;
    }
    SmallVector<int32_t> extents;
    for (Certainty certainty : *result)
      extents.push_back(static_cast<int32_t>(certainty));
    results.push_back(b.getDenseI32ArrayAttr(extents));
  }
  SmallVector<NamedAttribute> fields = {
      b.getNamedAttr("of", b.getStringAttr(info.of)),
      b.getNamedAttr("type", TypeAttr::get(info.type)),
      b.getNamedAttr("results", b.getArrayAttr(results))};
  if (info.isPublic)
    fields.push_back(b.getNamedAttr("public", b.getUnitAttr()));
  query->setAttr(kShapeQuery, b.getDictionaryAttr(fields));
}

/// How many values a shape query takes for an argument of that type.
static size_t countOpenExtents(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return 0;
  return tensor.hasRank() ? tensor.getNumDynamicDims() : 1;
}

std::optional<ShapeQueryInfo> infer::readShapeQuery(func::FuncOp func) {
  auto dictionary = func->getAttrOfType<DictionaryAttr>(kShapeQuery);
  if (!dictionary)
    return std::nullopt;
  auto of = dictionary.getAs<StringAttr>("of");
  auto type = dictionary.getAs<TypeAttr>("type");
  auto results = dictionary.getAs<ArrayAttr>("results");
  auto signature = type ? dyn_cast<FunctionType>(type.getValue()) : nullptr;
  if (!of || !signature || !results ||
      results.size() != signature.getNumResults())
    return std::nullopt;
  ShapeQueryInfo info{
      of.getValue(), signature, dictionary.contains("public"), {}};
  size_t numInputs = 0, numOutputs = 0;
  for (Type input : signature.getInputs())
    numInputs += countOpenExtents(input);
  for (Attribute result : results) {
    if (isa<UnitAttr>(result)) {
      info.results.push_back(std::nullopt);
      ++numOutputs;
      continue;
    }
    auto extents = dyn_cast<DenseI32ArrayAttr>(result);
    if (!extents)
      return std::nullopt;
    auto &certainties = info.results.emplace_back().emplace();
    for (int32_t certainty : extents.asArrayRef()) {
      if (certainty < 0 || certainty > 2)
        return std::nullopt;
      certainties.push_back(static_cast<Certainty>(certainty));
    }
    numOutputs += extents.size();
  }
  if (numInputs != func.getNumArguments() || numOutputs != func.getNumResults())
    return std::nullopt;
  return info;
}

//===----------------------------------------------------------------------===//
// All functions of a module
//===----------------------------------------------------------------------===//

/// Erases operations without users.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseUnused(inner);
  }
}

namespace {

class ShapeQueryMaker {
public:
  explicit ShapeQueryMaker(ModuleOp module) : module(module), symbols(module) {}

  /// Callees before callers; functions that lead back to themselves stay.
  void run() {
    for (auto func : module.getOps<func::FuncOp>()) {
      func->removeAttr(kShapeQuery);
      func->removeAttr(kNoShapeQuery);
      functions.push_back(func);
      indexOf[func.getNameAttr()] = functions.size() - 1;
    }
    SmallVector<SmallVector<size_t>> callers(functions.size());
    SmallVector<size_t> open(functions.size()), ready;
    for (auto [i, func] : llvm::enumerate(functions)) {
      func.walk([&, i = i](func::CallOp call) {
        auto callee = indexOf.find(call.getCalleeAttr().getAttr());
        if (callee == indexOf.end())
          return;
        callers[callee->second].push_back(i);
        ++open[i];
      });
      if (open[i] == 0)
        ready.push_back(i);
    }
    while (!ready.empty()) {
      size_t i = ready.pop_back_val();
      make(functions[i]);
      for (size_t caller : callers[i])
        if (--open[caller] == 0)
          ready.push_back(caller);
    }
    for (auto [func, left] : llvm::zip_equal(functions, open))
      if (left != 0)
        refuse(func, "it calls itself, or a function that does");
  }

private:
  void refuse(func::FuncOp func, const std::string &reason) {
    func->setAttr(kNoShapeQuery, StringAttr::get(func.getContext(), reason));
  }

  void make(func::FuncOp func) {
    if (func.isExternal())
      return refuse(func, "it has no body");
    constexpr size_t kMaxLoops = 128;
    if (size_t loops = countBackwardBranches(func); loops > kMaxLoops)
      return refuse(func, "it has " + std::to_string(loops) +
                              " loops between blocks, more than the " +
                              std::to_string(kMaxLoops) + " that are followed");
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfter(func);
    SmallVector<Type> inputs;
    for (Type type : func.getArgumentTypes()) {
      auto tensor = dyn_cast<TensorType>(type);
      if (tensor && !tensor.hasRank())
        inputs.push_back(loom::ShapeType::get(type.getContext(), false, {}));
      else if (tensor)
        inputs.append(tensor.getNumDynamicDims(), builder.getIndexType());
    }
    auto query = func::FuncOp::create(builder, func.getLoc(),
                                      ("shapes_of_" + func.getName()).str(),
                                      builder.getFunctionType(inputs, {}));
    query.setPrivate();
    query.addEntryBlock();
    ShapeQueryInfo info{
        func.getName(), func.getFunctionType(), func.isPublic(), {}};
    OwningOpRef<func::FuncOp> lifted = liftBlocks(func);
    std::optional<std::string> obstacle =
        Translator(lifted ? *lifted : func, query, [&](StringRef callee) {
          return queries.lookup(callee);
        }).run(info);
    if (obstacle) {
      query->dropAllReferences();
      query.erase();
      return refuse(func, *obstacle);
    }
    eraseUnused(query.getBody().front());
    writeShapeQuery(query, info);
    symbols.insert(query, std::next(func->getIterator()));
    queries[func.getName()] = query;
  }

  ModuleOp module;
  SymbolTable symbols;
  SmallVector<func::FuncOp> functions;
  DenseMap<StringAttr, size_t> indexOf;
  llvm::StringMap<func::FuncOp> queries;
};

struct LoomShapeQueriesPass
    : infer::impl::LoomShapeQueriesBase<LoomShapeQueriesPass> {
  void runOnOperation() override { makeShapeQueries(getOperation()); }
};

} // namespace

void infer::makeShapeQueries(ModuleOp module) { ShapeQueryMaker(module).run(); }
