//===- PromisedExtents.cpp - formulas of arguments' extents ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/PromisedExtents.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/LoomDialect.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using infer::Number;
using infer::Numbers;

namespace {

class PromisedExtents {
public:
  PromisedExtents(func::FuncOp function, std::vector<Shape> &shapes,
                  Numbers &numbers)
      : function(function), shapes(shapes), numbers(numbers) {}

  void run() {
    forEachAxis([&](loom::ExtentsAttr extents, unsigned axis, Extent &extent) {
      if (std::optional<unsigned> name = extents.getName(axis))
        names.try_emplace(extents.getNames()[*name].getValue(),
                          numberOf(numbers, extent));
    });
    forEachAxis([&](loom::ExtentsAttr extents, unsigned axis, Extent &extent) {
      AffineExpr formula = extents.getExtent(axis);
      if (!formula || !extent.isDynamic())
        return;
      std::optional<Number> number = evaluate(extents, formula);
      if (number)
        extent = extentOf(numbers, *number);
    });
  }

private:
  template <typename Visit> void forEachAxis(Visit visit) {
    for (auto [i, shape] : llvm::enumerate(shapes)) {
      if (i >= function.getNumArguments())
        return;
      auto extents = function.getArgAttrOfType<loom::ExtentsAttr>(
          i, loom::ExtentsAttr::kKey);
      if (!extents || !shape.isRanked() ||
          static_cast<int64_t>(shape.rank()) != extents.getRank())
        continue;
      for (unsigned axis = 0; axis < shape.rank(); ++axis)
        visit(extents, axis, shape[axis]);
    }
  }

  std::optional<Number> evaluate(loom::ExtentsAttr extents,
                                 AffineExpr formula) {
    if (auto constant = dyn_cast<AffineConstantExpr>(formula))
      return Number(constant.getValue());
    if (auto symbol = dyn_cast<AffineSymbolExpr>(formula)) {
      auto it = names.find(extents.getNames()[symbol.getPosition()].getValue());
      return it == names.end() ? std::nullopt : std::optional(it->second);
    }
    auto parts = dyn_cast<AffineBinaryOpExpr>(formula);
    std::optional<Number> a, b;
    if (parts) {
      a = evaluate(extents, parts.getLHS());
      b = evaluate(extents, parts.getRHS());
    }
    if (!a || !b)
      return std::nullopt;
    switch (formula.getKind()) {
    case AffineExprKind::Add:
      return add(numbers, *a, *b);
    case AffineExprKind::Mul:
      return multiply(numbers, *a, *b);
    case AffineExprKind::FloorDiv:
      return divide(numbers, *a, *b);
    case AffineExprKind::CeilDiv:
      return divideUp(*a, *b);
    case AffineExprKind::Mod:
      return remainder(numbers, *a, *b);
    default:
      return std::nullopt;
    }
  }

  /// a / b, rounded up.
  std::optional<Number> divideUp(const Number &a, const Number &b) {
    std::optional<Number> dividend =
        add(numbers, a, subtract(numbers, b, Number(1)));
    return dividend ? std::optional(divide(numbers, *dividend, b))
                    : std::nullopt;
  }

  func::FuncOp function;
  std::vector<Shape> &shapes;
  Numbers &numbers;
  std::map<StringRef, Number> names;
};

} // namespace

void broadloom::usePromisedExtents(func::FuncOp function,
                                   std::vector<Shape> &shapes,
                                   Numbers &numbers) {
  PromisedExtents(function, shapes, numbers).run();
}
