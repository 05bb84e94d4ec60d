//===- ConstrainExtents.cpp - named extents as constraints ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"
#include "dialect/LoomDialect.h"
#include "infer/Passes.h"
#include "shape/TakesText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMCONSTRAINEXTENTS
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using loom::ExtentsAttr;

namespace {

/// An argument or result whose extents have names.
struct Party {
  ExtentsAttr extents;
  Value value;
  /// Such as `argument 1`, `argument 0 of 'f'`.
  std::string what;
  Location loc;

  ShapedType getType() const { return cast<ShapedType>(value.getType()); }
};

/// Writes the constraints that the attributes of a function declare, at one
/// place.
class ExtentWriter {
public:
  /// `assumed` says where the constraints are checked; it is empty if they are
  /// written here.
  ExtentWriter(OpBuilder &builder, StringRef origin, std::string assumed = {})
      : builder(builder), origin(origin), assumed(std::move(assumed)) {}

  /// The first axis that has just a name defines the name.
  void define(ArrayRef<Party> parties) {
    for (const Party &party : parties)
      for (int64_t axis : llvm::seq(party.extents.getRank()))
        if (auto index = party.extents.getName(axis))
          names.try_emplace(party.extents.getNames()[*index],
                            Site{&party, axis, {}});
  }

  /// The names of `parties` have been defined.
  void write(ArrayRef<Party> parties) {
    for (const Party &party : parties)
      writeRank(party);
    // The equalities come last, because a reason names the last fact and an
    // equality says more.
    for (const Party &party : parties)
      for (auto [name, range] :
           llvm::zip_equal(party.extents.getNames(), party.extents.getRanges()))
        writeRange(party.loc, name, range);
    for (const Party &party : parties)
      for (int64_t axis : llvm::seq(party.extents.getRank()))
        writeAxis(party, axis);
  }

private:
  /// An axis, with its extent once it has been emitted.
  struct Site {
    const Party *party;
    int64_t axis;
    Value extent;
  };

  static std::string describe(const Party &party, int64_t axis) {
    return "axis " + std::to_string(axis) + " of " + party.what;
  }
  static std::string quote(StringRef text) { return "'" + text.str() + "'"; }

  Value getShape(const Party &party) {
    return loom::ShapeOfOp::create(
        builder, party.loc,
        loom::ShapeType::get(builder.getContext(), party.getType()),
        party.value);
  }

  Value getExtent(const Party &party, int64_t axis) {
    // Where the rank is not known, axes are counted from the right.
    if (!party.getType().hasRank())
      axis -= party.extents.getRank();
    return loom::ExtentOp::create(builder, party.loc, getShape(party),
                                  builder.getI64IntegerAttr(axis));
  }

  Site &getSite(StringAttr name) {
    Site &site = names.find(name)->second;
    if (!site.extent)
      site.extent = getExtent(*site.party, site.axis);
    return site;
  }

  Value getConstant(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value compute(Location loc, AffineExpr formula, ExtentsAttr extents) {
    if (auto constant = dyn_cast<AffineConstantExpr>(formula))
      return getConstant(loc, constant.getValue());
    if (auto symbol = dyn_cast<AffineSymbolExpr>(formula))
      return getSite(extents.getNames()[symbol.getPosition()]).extent;
    auto binary = cast<AffineBinaryOpExpr>(formula);
    Value a = compute(loc, binary.getLHS(), extents);
    Value b = compute(loc, binary.getRHS(), extents);
    // Formulas are over mathematical integers (NumberEmitter::Notation).
    constexpr auto exact = arith::IntegerOverflowFlags::nsw;
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return arith::AddIOp::create(builder, loc, a, b, exact);
    case AffineExprKind::Mul:
      return arith::MulIOp::create(builder, loc, a, b, exact);
    case AffineExprKind::FloorDiv:
      return arith::FloorDivSIOp::create(builder, loc, a, b);
    case AffineExprKind::CeilDiv:
      return arith::CeilDivSIOp::create(builder, loc, a, b);
    default: {
      // The remainder has the sign of the divisor.
      Value quotient = arith::FloorDivSIOp::create(builder, loc, a, b);
      Value product = arith::MulIOp::create(builder, loc, quotient, b, exact);
      return arith::SubIOp::create(builder, loc, a, product, exact);
    }
    }
  }

  void constrain(Location loc, arith::CmpIPredicate predicate, Value a, Value b,
                 const std::string &message, ArrayRef<Value> values,
                 const std::string &promise) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
    if (!assumed.empty())
      loom::AssumeOp::create(builder, loc, holds,
                             "by the promise that " + promise + ", " + assumed);
    else
      loom::ConstrainOp::create(builder, loc, origin, holds, message, values,
                                StringAttr(), ValueRange(),
                                builder.getStringAttr(promise));
  }

  /// Constrains the rank of a tensor whose type has none.
  void writeRank(const Party &party) {
    if (party.getType().hasRank())
      return;
    Value rank = loom::RankOp::create(builder, party.loc, getShape(party));
    int64_t declared = party.extents.getRank();
    std::string axes =
        std::to_string(declared) + (declared == 1 ? " axis" : " axes");
    constrain(party.loc, arith::CmpIPredicate::eq, rank,
              getConstant(party.loc, declared),
              "the rank of " + party.what + " is {0}, but loom.extents has " +
                  axes,
              rank, party.what + " has " + axes);
  }

  void writeAxis(const Party &party, int64_t axis) {
    AffineExpr formula = party.extents.getExtent(axis);
    if (!formula)
      return;
    auto name = party.extents.getName(axis);
    if (name) {
      const Site &site = names.find(party.extents.getNames()[*name])->second;
      if (site.party == &party && site.axis == axis)
        return;
    }
    auto number = dyn_cast<AffineConstantExpr>(formula);
    // The type already declares this extent.
    if (number && party.getType().hasRank() &&
        number.getValue() == party.getType().getDimSize(axis))
      return;
    Value is = getExtent(party, axis);
    Value should = compute(party.loc, formula, party.extents);
    std::string text = quote(party.extents.getText(axis));
    SmallVector<Value> values = {is};
    std::string message =
        party.what + ", axis " + std::to_string(axis) + " has extent {0}, but ";
    std::string promise = describe(party, axis) + " is ";
    if (number) {
      message += std::to_string(number.getValue()) + " is declared";
      promise += std::to_string(number.getValue());
    } else if (name) {
      const Site &site = getSite(party.extents.getNames()[*name]);
      message +=
          text + " is {1}, the extent of " + describe(*site.party, site.axis);
      promise += text + ", as is " + describe(*site.party, site.axis);
      values.push_back(should);
    } else {
      message += text + " is {1}";
      promise += text;
      values.push_back(should);
      addNames(party.extents, formula, message, values);
    }
    constrain(party.loc, arith::CmpIPredicate::eq, is, should, message, values,
              promise);
  }

  /// Adds the meaning of each name in a formula.
  void addNames(ExtentsAttr extents, AffineExpr formula, std::string &message,
                SmallVectorImpl<Value> &values) {
    const char *before = " with ";
    for (auto [i, name] : llvm::enumerate(extents.getNames())) {
      if (!formula.isFunctionOfSymbol(i))
        continue;
      const Site &site = getSite(name);
      message += before + quote(name) + " = {" + std::to_string(values.size()) +
                 "}, the extent of " + describe(*site.party, site.axis);
      values.push_back(site.extent);
      before = ", and ";
    }
  }

  void writeRange(Location loc, StringAttr name, const loom::NameRange &range) {
    if (range == loom::NameRange())
      return;
    const Site site = getSite(name);
    std::string message = site.party->what + ", axis " +
                          std::to_string(site.axis) + " has extent {0}, but ";
    auto require = [&](arith::CmpIPredicate predicate, Value value,
                       int64_t bound, const std::string &what) {
      std::string promise = quote(name) + " is " + what;
      constrain(loc, predicate, value, getConstant(loc, bound),
                message + promise, site.extent, promise);
    };
    using Predicate = arith::CmpIPredicate;
    if (range.least > 0)
      require(Predicate::sge, site.extent, range.least,
              "at least " + std::to_string(range.least));
    if (range.hasMost())
      require(Predicate::sle, site.extent, range.most,
              "at most " + std::to_string(range.most));
    if (range.step == 1)
      return;
    int64_t rest = range.least % range.step;
    Value step = getConstant(loc, range.step);
    Value remainder = arith::RemUIOp::create(builder, loc, site.extent, step);
    require(Predicate::eq, remainder, rest,
            (rest ? std::to_string(rest) + " plus a multiple of "
                  : "a multiple of ") +
                std::to_string(range.step));
  }

  OpBuilder &builder;
  StringRef origin;
  std::string assumed;
  std::map<StringAttr, Site, bool (*)(StringAttr, StringAttr)> names{
      [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); }};
};

//===----------------------------------------------------------------------===//
// Functions and calls
//===----------------------------------------------------------------------===//

/// `argument 'img'`. A function without a body has no names.
std::string getText(func::FuncOp func, unsigned index) {
  return func.isExternal() ? argumentText(index)
                           : loom::getArgumentText(func.getArgument(index));
}

/// The arguments whose extents have names, with the values that a call or the
/// function has for them.
std::vector<Party> getArguments(func::FuncOp func, ValueRange values,
                                const std::string &of,
                                llvm::function_ref<Location(Value)> getLoc) {
  std::vector<Party> parties;
  for (auto [i, value] : llvm::enumerate(values))
    if (auto extents = func.getArgAttrOfType<ExtentsAttr>(i, ExtentsAttr::kKey))
      parties.push_back({extents, value, getText(func, i) + of, getLoc(value)});
  return parties;
}

/// The point after the guards that the program already has at its entry: their
/// conditions are facts and are not checked again (rt-8).
Operation *findStart(Block &entry) {
  Operation *start = &entry.front();
  for (Operation &op : entry.without_terminator()) {
    if (isa<loom::RequireOp>(op))
      start = op.getNextNode();
    else if (!isMemoryEffectFree(&op))
      break;
  }
  return start;
}

class ExtentConstraints {
public:
  explicit ExtentConstraints(ModuleOp module) : module(module) {}

  void run() {
    // Most programs have no such attribute, so that no walk over their
    // operations is needed.
    auto functions = module.getOps<func::FuncOp>();
    if (llvm::none_of(functions, saysSomething))
      return;
    findCallers();
    module.walk([&](func::FuncOp func) {
      if (!func.isExternal())
        writeFunction(func);
    });
    for (auto [call, callee] : calls)
      writeCall(call, callee);
  }

private:
  static bool saysSomething(func::FuncOp func) {
    auto hasExtents = [](Attribute attributes) {
      return cast<DictionaryAttr>(attributes).contains(ExtentsAttr::kKey);
    };
    ArrayAttr arguments = func.getArgAttrsAttr(),
              results = func.getResAttrsAttr();
    return (arguments && llvm::any_of(arguments, hasExtents)) ||
           (results && llvm::any_of(results, hasExtents));
  }

  /// Collects the calls of the program. An operation other than a call that
  /// names a function may call it with any arguments.
  void findCallers() {
    SymbolTableCollection tables;
    module.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        if (auto callee = tables.lookupNearestSymbolFrom<func::FuncOp>(
                call, call.getCalleeAttr()))
          calls.push_back({call, callee});
        return;
      }
      if (isa<func::FuncOp>(op))
        return;
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        if (auto func =
                tables.lookupNearestSymbolFrom<func::FuncOp>(op, symbol))
          named.insert(func);
      });
    });
  }

  void writeFunction(func::FuncOp func) {
    // Bytecode has no locations of arguments; the function's location stands in
    // for them.
    std::vector<Party> arguments = getArguments(
        func, func.getArguments(), "", [&](Value value) -> Location {
          return FusedLoc::get(func.getContext(),
                               {value.getLoc(), func.getLoc()});
        });
    bool isOpen = func.isPublic() || named.contains(func);
    OpBuilder builder(findStart(func.getBody().front()));
    ExtentWriter writer(builder, "func.func",
                        isOpen ? ""
                               : "which is checked where '" +
                                     func.getName().str() + "' is called");
    writer.define(arguments);
    writer.write(arguments);
    func.walk([&](func::ReturnOp op) { writeResults(func, arguments, op); });
  }

  void writeResults(func::FuncOp func, ArrayRef<Party> arguments,
                    func::ReturnOp op) {
    std::vector<Party> results;
    for (auto [i, value] : llvm::enumerate(op.getOperands()))
      if (auto extents =
              func.getResultAttrOfType<ExtentsAttr>(i, ExtentsAttr::kKey))
        results.push_back(
            {extents, value, "result " + std::to_string(i), op.getLoc()});
    if (results.empty())
      return;
    OpBuilder builder(op);
    ExtentWriter writer(builder, "func.return");
    writer.define(arguments);
    writer.define(results);
    writer.write(results);
  }

  void writeCall(func::CallOp call, func::FuncOp callee) {
    std::vector<Party> operands = getArguments(
        callee, call.getOperands(), " of '" + callee.getName().str() + "'",
        [&](Value) -> Location { return call.getLoc(); });
    OpBuilder builder(call);
    ExtentWriter writer(builder, "func.call");
    writer.define(operands);
    writer.write(operands);
  }

  ModuleOp module;
  std::vector<std::pair<func::CallOp, func::FuncOp>> calls;
  llvm::DenseSet<Operation *> named;
};

struct LoomConstrainExtentsPass
    : infer::impl::LoomConstrainExtentsBase<LoomConstrainExtentsPass> {
  void runOnOperation() override { ExtentConstraints(getOperation()).run(); }
};

} // namespace
