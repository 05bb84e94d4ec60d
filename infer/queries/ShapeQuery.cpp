//===- ShapeQuery.cpp - the shape query of a function ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/ShapeQuery.h"

#include "dialect/MemoryFunction.h"
#include "infer/Passes.h"
#include "infer/queries/Lift.h"
#include "infer/queries/Translator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>

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

bool infer::isNumber(Type type) { return type.isIntOrIndex(); }

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
  if (!info.takenNumbers.empty())
    fields.push_back(b.getNamedAttr("taken_numbers",
                                    b.getDenseI32ArrayAttr(info.takenNumbers)));
  if (!info.givenNumbers.empty())
    fields.push_back(b.getNamedAttr("given_numbers",
                                    b.getDenseI32ArrayAttr(info.givenNumbers)));
  query->setAttr(kShapeQuery, b.getDictionaryAttr(fields));
}

/// The number of values that represent an argument of that type in a shape
/// query.
static size_t countOpenExtents(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return 0;
  return tensor.hasRank() ? tensor.getNumDynamicDims() : 1;
}

/// The positions in `types` that the attribute lists; false if one of them is
/// not a number.
static bool readNumbers(Attribute attribute, TypeRange types,
                        SmallVectorImpl<int32_t> &positions) {
  if (!attribute)
    return true;
  auto list = dyn_cast<DenseI32ArrayAttr>(attribute);
  if (!list)
    return false;
  for (int32_t i : list.asArrayRef()) {
    if (i < 0 || size_t(i) >= types.size() || !isNumber(types[i]))
      return false;
    positions.push_back(i);
  }
  return true;
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
      of.getValue(), signature, dictionary.contains("public"), {}, {}, {}};
  if (!readNumbers(dictionary.get("taken_numbers"), signature.getInputs(),
                   info.takenNumbers) ||
      !readNumbers(dictionary.get("given_numbers"), signature.getResults(),
                   info.givenNumbers))
    return std::nullopt;
  size_t numInputs = info.takenNumbers.size(),
         numOutputs = info.givenNumbers.size();
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

std::optional<ShapeQueryInfo> infer::readQueryOfShapes(func::FuncOp func) {
  std::optional<ShapeQueryInfo> info = readShapeQuery(func);
  return info && info->takenNumbers.empty() ? info : std::nullopt;
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

  /// Processes callees before callers; recursive functions are left out.
  void run() {
    for (auto func : module.getOps<func::FuncOp>()) {
      func->removeAttr(kShapeQuery);
      func->removeAttr(kNoShapeQuery);
      functions.push_back({func});
      indexOf[func.getNameAttr()] = functions.size() - 1;
    }
    SmallVector<SmallVector<size_t>> callers(functions.size());
    SmallVector<size_t> open(functions.size()), ready;
    for (auto [i, function] : llvm::enumerate(functions)) {
      function.func.walk([&, i = i](func::CallOp call) {
        auto callee = indexOf.find(call.getCalleeAttr().getAttr());
        if (callee == indexOf.end())
          return;
        functions[callee->second].isCalled = true;
        callers[callee->second].push_back(i);
        ++open[i];
      });
      if (open[i] == 0)
        ready.push_back(i);
    }
    while (!ready.empty()) {
      size_t i = ready.pop_back_val();
      make(functions[i], {});
      for (size_t caller : callers[i])
        if (--open[caller] == 0)
          ready.push_back(caller);
    }
    for (auto [function, left] : llvm::zip_equal(functions, open))
      if (left != 0)
        refuse(function.func, "it calls itself, or a function that does");
    eraseUncalled();
  }

private:
  struct Function {
    func::FuncOp func;
    bool isCalled = false;
    /// By the numbers that they take.
    std::map<SmallVector<int32_t>, func::FuncOp> queries = {};
  };

  static void refuse(func::FuncOp func, const std::string &reason) {
    func->setAttr(kNoShapeQuery, StringAttr::get(func.getContext(), reason));
  }

  /// The query of a callee that takes these numbers, or null. Recursive,
  /// because a query that takes numbers may need such queries of other callees.
  func::FuncOp find(StringRef callee, ArrayRef<int32_t> numbers) {
    constexpr size_t kMaxQueries = 8, kMaxDepth = 64;
    auto index = indexOf.find(StringAttr::get(module.getContext(), callee));
    if (index == indexOf.end())
      return nullptr;
    Function &function = functions[index->second];
    auto base = function.queries.find({});
    if (base == function.queries.end() || numbers.empty())
      return base == function.queries.end() ? nullptr : base->second;
    SmallVector<int32_t> key(numbers);
    auto found = function.queries.find(key);
    if (found == function.queries.end()) {
      if (function.queries.size() == kMaxQueries || depth == kMaxDepth)
        return base->second;
      llvm::SaveAndRestore level(depth, depth + 1);
      make(function, key);
      found = function.queries.find(key);
    }
    return found != function.queries.end() ? found->second : base->second;
  }

  void make(Function &function, const SmallVector<int32_t> &numbers) {
    func::FuncOp func = function.func;
    if (func.isExternal())
      return refuse(func, "it has no body");
    if (loom::isOverMemory(func))
      return refuse(func, "it works on memory");
    constexpr size_t kMaxLoops = 128;
    if (size_t loops = countBackwardBranches(func); loops > kMaxLoops)
      return refuse(func, "it has " + std::to_string(loops) +
                              " loops between blocks, more than the " +
                              std::to_string(kMaxLoops) + " that are followed");
    func::FuncOp query = declare(func, numbers);
    ShapeQueryInfo info{func.getName(),
                        func.getFunctionType(),
                        func.isPublic() && numbers.empty(),
                        {},
                        numbers,
                        {}};
    OwningOpRef<func::FuncOp> lifted = liftBlocks(func);
    std::optional<std::string> obstacle =
        Translator(lifted ? *lifted : func, query,
                   [&](StringRef callee, ArrayRef<int32_t> known) {
                     return find(callee, known);
                   })
            .run(info, function.isCalled);
    if (obstacle) {
      query->dropAllReferences();
      query.erase();
      return numbers.empty() ? refuse(func, *obstacle) : void();
    }
    eraseUnused(query.getBody().front());
    writeShapeQuery(query, info);
    symbols.insert(query, std::next(func->getIterator()));
    function.queries[numbers] = query;
  }

  /// A query without a body.
  static func::FuncOp declare(func::FuncOp func, ArrayRef<int32_t> numbers) {
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfter(func);
    SmallVector<Type> inputs;
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
      auto tensor = dyn_cast<TensorType>(type);
      if (tensor && !tensor.hasRank())
        inputs.push_back(loom::ShapeType::get(type.getContext(), false, {}));
      else if (tensor)
        inputs.append(tensor.getNumDynamicDims(), builder.getIndexType());
      else if (llvm::is_contained(numbers, int32_t(i)))
        inputs.push_back(type);
    }
    auto query = func::FuncOp::create(builder, func.getLoc(),
                                      ("shapes_of_" + func.getName()).str(),
                                      builder.getFunctionType(inputs, {}));
    query.setPrivate();
    query.addEntryBlock();
    return query;
  }

  /// Erases queries without numbers that nothing calls, because all callers
  /// know the numbers.
  void eraseUncalled() {
    SmallVector<func::FuncOp> found;
    DenseSet<Operation *> isFound;
    for (Function &function : functions)
      for (auto &[numbers, query] : function.queries)
        if (numbers.empty() &&
            (function.queries.size() == 1 || function.func.isPublic()))
          if (isFound.insert(query).second)
            found.push_back(query);
    while (!found.empty())
      found.pop_back_val().walk([&](func::CallOp call) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        if (isFound.insert(callee).second)
          found.push_back(callee);
      });
    for (Function &function : functions)
      for (auto &[numbers, query] : function.queries)
        if (!isFound.contains(query))
          symbols.erase(query);
  }

  ModuleOp module;
  SymbolTable symbols;
  std::vector<Function> functions;
  DenseMap<StringAttr, size_t> indexOf;
  /// The depth of recursion in find().
  size_t depth = 0;
};

struct LoomShapeQueriesPass
    : infer::impl::LoomShapeQueriesBase<LoomShapeQueriesPass> {
  void runOnOperation() override { makeShapeQueries(getOperation()); }
};

} // namespace

void infer::makeShapeQueries(ModuleOp module) { ShapeQueryMaker(module).run(); }
