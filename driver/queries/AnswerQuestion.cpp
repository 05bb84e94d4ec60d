//===- AnswerQuestion.cpp - answering a question about shapes -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/AnswerQuestion.h"

#include "driver/queries/GivenValues.h"
#include "driver/queries/PromisedExtents.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"
#include "infer/queries/EvaluateQuery.h"
#include "infer/queries/QueryArithmetic.h"
#include "runtime/calls/ElementTypes.h"
#include "shape/Message.h"
#include "shape/TakesText.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace broadloom;
using infer::Certainty;
using infer::Number;
using infer::Numbers;
using infer::QueryExtent;

std::string ShapeQueryResult::Result::text() const {
  if (!isRanked)
    return "*";
  std::vector<std::string> texts;
  for (const ExtentAnswer &extent : extents)
    texts.push_back(extent.text);
  return joinExtents(texts);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An argument as it was written.
struct GivenArgument {
  Shape shape;
  std::optional<BroadloomElementType> elementType;
};

/// Says how to write a scalar in a question.
static std::string adviseOnScalar(BroadloomElementType type) {
  std::string name = broadloomElementTypeName(type);
  return "write " + name +
         (type <= BROADLOOM_I64 ? ", or " + name + "=4 where its value is known"
                                : std::string());
}

namespace {

/// One shape query over extents that may be symbols.
class SymbolicQuery {
public:
  SymbolicQuery(ModuleOp module, const FunctionSignature &function)
      : module(module), function(function), numbers(symbols) {
    answer.function = function.name;
  }

  ShapeQueryResult run(const std::vector<std::string> &arguments) {
    std::vector<Shape> shapes;
    if (!readArguments(arguments, shapes))
      return answer;
    userSymbols = symbols.size();
    if (auto func = module.lookupSymbol<func::FuncOp>(function.name))
      usePromisedExtents(func, shapes, numbers);
    for (const VariableSignature &variable : function.variables)
      shapes.push_back(variable.type.shape);
    func::FuncOp query = findShapeQuery();
    if (!query) {
      if (!checkArguments(shapes))
        return answer;
      answer.whyOnlyTypes = function.whyNoShapes;
      answerByTypes();
      return answer;
    }
    std::vector<std::string> names = argumentNames(function);
    infer::QueryShapes found =
        infer::evaluateQuery(query, shapes, numbers, names);
    answer.status = found.status;
    answer.message = found.message;
    if (found.isOpen)
      answer.whyOpen =
          "it has loops that are too long to be followed here, and "
          "not all that they require is proved";
    if (found.status == BROADLOOM_OK)
      answerBy(found);
    return answer;
  }

private:
  bool reject(const std::string &text) {
    answer.status = BROADLOOM_INVALID_ARGUMENT;
    answer.message = text;
    return false;
  }

  /// The function's names of its arguments' extents replace the extents that
  /// the question leaves open.
  void useNames(const TensorSignature &argument, Shape &shape) {
    // The number of names is the rank.
    if (!shape.isRanked() && !argument.names.empty())
      shape = Shape(std::vector<Extent>(argument.names.size()).data(),
                    argument.names.size());
    if (!shape.isRanked() || shape.rank() != argument.names.size())
      return;
    for (size_t axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis].isDynamic() && !argument.names[axis].empty())
        shape[axis] = symbols.named(argument.names[axis]);
  }

  bool readArguments(const std::vector<std::string> &arguments,
                     std::vector<Shape> &shapes) {
    for (const TensorSignature &argument : function.arguments)
      for (const std::string &name : argument.names)
        if (!name.empty())
          symbols.named(name);
    if (arguments.empty()) {
      for (const TensorSignature &argument : function.arguments) {
        shapes.push_back(argument.shape);
        useNames(argument, shapes.back());
      }
      return true;
    }
    if (arguments.size() != function.arguments.size())
      return reject(wrongCountText(arguments.size(), function.name,
                                   argumentTexts(function)));
    for (auto [i, text] : llvm::enumerate(arguments)) {
      const TensorSignature &argument = function.arguments[i];
      std::string who = argumentText(i, argument.name);
      StringRef rest = text;
      auto elementType = takeElementType(rest);
      std::optional<Shape> shape = parseShape(rest, &symbols);
      if (!shape || llvm::any_of(*shape, [](Extent extent) {
            return extent.isScalable();
          }))
        return reject(who + ": '" + text +
                      "' is no shape; write it as 4x?x3, BxTx64 or *");
      if (shape->rank() > BROADLOOM_MAX_RANK)
        return reject(who + " has " + std::to_string(shape->rank()) +
                      " axes; at most " + std::to_string(BROADLOOM_MAX_RANK) +
                      " are possible");
      if (!elementType && shape->rank() == 1 && argument.shape.isRanked() &&
          argument.shape.rank() == 0)
        return reject(who + ": '" + text +
                      "' is a shape of 1 axis, but the argument is a scalar; " +
                      adviseOnScalar(argument.elementType));
      BroadloomElementType declared = argument.elementType;
      if (elementType && *elementType != declared &&
          (!argument.signless || withoutSign(*elementType) != declared))
        return reject(wrongTypeText(who, broadloomElementTypeName(*elementType),
                                    broadloomElementTypeName(declared)) +
                      "; " + takesText(function.name, argumentTexts(function)));
      useNames(argument, *shape);
      shapes.push_back(std::move(*shape));
    }
    return true;
  }

  /// Checks ranks, fixed extents and equal names of arguments, for a function
  /// without a shape query (abi-1).
  bool checkArguments(llvm::ArrayRef<Shape> shapes) {
    struct Named {
      int64_t extent;
      std::string origin;
    };
    std::map<std::string, Named> named;
    for (auto [i, argument] : llvm::enumerate(function.arguments)) {
      const Shape &given = shapes[i], &declared = argument.shape;
      std::string who = argumentText(i, argument.name);
      if (!given.isRanked() || !declared.isRanked())
        continue;
      bool differs = given.rank() != declared.rank();
      for (size_t axis = 0; !differs && axis < given.rank(); ++axis)
        differs = given[axis].isFixed() && declared[axis].isFixed() &&
                  given[axis].value() != declared[axis].value();
      if (differs)
        return reject(describeArgument(who, given, declared, &symbols));
      for (auto [axis, name] : llvm::enumerate(argument.names)) {
        if (name.empty() || axis >= given.rank() || !given[axis].isFixed())
          continue;
        Named own{given[axis].value(), ofAxis(axis, who)};
        const Named &other = named.insert({name, own}).first->second;
        if (other.extent != own.extent)
          return reject(describeNamedExtent(
              name, std::to_string(other.extent), other.origin,
              std::to_string(own.extent), own.origin));
      }
    }
    return true;
  }

  func::FuncOp findShapeQuery() {
    for (auto func : module.getOps<func::FuncOp>())
      if (auto info = infer::readQueryOfShapes(func);
          info && info->of == function.name)
        return func;
    return nullptr;
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  void answerByTypes() {
    for (const TensorSignature &result : function.results) {
      auto &made = answer.results.emplace_back();
      made.elementType = result.elementType;
      made.isRanked = result.shape.isRanked();
      for (Extent extent : result.shape)
        made.extents.push_back(extent.isFixed()
                                   ? makeNumber(extent.value())
                                   : ExtentAnswer{"?", std::nullopt, false});
    }
  }

  static ExtentAnswer makeNumber(int64_t n) {
    return {std::to_string(n), n, false};
  }

  void answerBy(const infer::QueryShapes &found) {
    // The variables follow the results.
    for (auto [result, shape] :
         llvm::zip_first(function.results, found.results)) {
      auto &made = answer.results.emplace_back();
      made.elementType = result.elementType;
      made.isRanked = shape.isRanked;
      for (const QueryExtent &extent : shape.extents)
        made.extents.push_back(describe(extent));
    }
    nameRepeated();
  }

  /// The extent's number or name. If it has neither, `?`, and the extent is
  /// noted in `open`.
  ExtentAnswer describe(const QueryExtent &extent) {
    if (extent.certainty == Certainty::Unknown)
      return {"?", std::nullopt, false};
    infer::Bounds bounds = boundsOf(numbers, extent.number);
    bool isBound = extent.certainty == Certainty::Bound;
    if (!isBound && bounds.lo == bounds.hi)
      return makeNumber(bounds.lo);
    if (isBound && bounds.lo == bounds.hi)
      return {"<=" + std::to_string(bounds.hi), bounds.hi, true};
    if (std::string name = getName(extent.number); !name.empty())
      return {(isBound ? "<=" : "") + name, std::nullopt, isBound};
    if (!isBound)
      open.push_back({answer.results.size() - 1,
                      answer.results.back().extents.size(), extent.number});
    return {"?", std::nullopt, false};
  }

  bool areEqual(const Number &a, const Number &b) {
    return a == b || decide(numbers, equal(numbers, a, b)).isProved();
  }

  /// The name of an equal symbol, or a short formula over names; else nothing.
  std::string getName(const Number &number) {
    for (SymbolId id = 0; id < userSymbols; ++id)
      if (areEqual(number, numberOf(numbers, Extent::symbol(id))))
        return symbols.name(id);
    std::string text = infer::nameOf(numbers, number, userSymbols);
    if (StringRef(text).contains('?'))
      return "";
    llvm::erase(text, ' ');
    bool isFormula = !llvm::all_of(
        text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    return isFormula ? "(" + text + ")" : text;
  }

  /// Extents without a name that are known to be equal get one.
  void nameRepeated() {
    std::set<std::string> taken;
    for (SymbolId id = 0; id < userSymbols; ++id)
      taken.insert(symbols.name(id));
    unsigned next = 0;
    auto textOf = [&](const Open &at) -> std::string & {
      return answer.results[at.result].extents[at.axis].text;
    };
    for (size_t i = 0; i < open.size(); ++i) {
      if (textOf(open[i]) != "?")
        continue;
      std::string name;
      for (size_t j = i + 1; j < open.size(); ++j) {
        if (!areEqual(open[i].number, open[j].number))
          continue;
        while (name.empty() || taken.count(name))
          name = "s" + std::to_string(next++);
        textOf(open[j]) = name;
      }
      if (!name.empty()) {
        textOf(open[i]) = name;
        taken.insert(name);
      }
    }
  }

  struct Open {
    size_t result, axis;
    Number number;
  };

  ModuleOp module;
  const FunctionSignature &function;
  Symbols symbols;
  Numbers numbers;
  /// The first symbols are those with names.
  SymbolId userSymbols = 0;
  ShapeQueryResult answer;
  std::vector<Open> open;
};

} // namespace

ShapeQueryResult
broadloom::answerQuestion(ModuleOp module, const FunctionSignature &function,
                          const std::vector<std::string> &arguments) {
  return SymbolicQuery(module, function).run(arguments);
}
