//===- VerifyExtents.cpp - named extents of a function --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomExtents.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace broadloom::loom;

/// A name that is the extent of an axis of one of the values by itself.
static bool isDefined(StringAttr name, ArrayRef<ExtentsAttr> attributes) {
  return llvm::any_of(attributes, [&](ExtentsAttr attribute) {
    return attribute &&
           llvm::any_of(llvm::seq<int64_t>(0, attribute.getRank()),
                        [&](int64_t axis) {
                          auto index = attribute.getName(axis);
                          return index && attribute.getNames()[*index] == name;
                        });
  });
}

/// Whether some number is in both.
static bool canMeet(const NameRange &a, const NameRange &b) {
  return std::max(a.least, b.least) <= std::min(a.most, b.most) &&
         (a.least - b.least) % std::gcd(a.step, b.step) == 0;
}

/// Whether the ranges that two attributes give `name` exclude each other.
static LogicalResult verifyRanges(function_ref<InFlightDiagnostic()> emitError,
                                  StringAttr name, ExtentsAttr before,
                                  ExtentsAttr extents) {
  auto getRange = [&](ExtentsAttr attribute) {
    auto names = attribute ? attribute.getNames() : ArrayRef<StringAttr>();
    auto *it = llvm::find(names, name);
    return it == names.end() ? NameRange()
                             : attribute.getRanges()[it - names.begin()];
  };
  NameRange a = getRange(before), b = getRange(extents);
  if (canMeet(a, b))
    return success();
  return emitError() << "no extent is both in " << toText(a) << " and in "
                     << toText(b) << ", the ranges of '" << name.getValue()
                     << "'";
}

/// What `loom.extents` says of one argument or result, which `what` names.
static LogicalResult verifyExtents(FunctionOpInterface func, Type type,
                                   NamedAttribute attribute,
                                   const std::string &what, bool isArgument) {
  auto emitError = [&]() -> InFlightDiagnostic {
    return std::move(func.emitError() << what << ": ");
  };
  auto extents = dyn_cast<ExtentsAttr>(attribute.getValue());
  if (!extents)
    return emitError() << ExtentsAttr::kKey << " is " << attribute.getValue()
                       << "; write it as #loom.extents<[n, 4, ?]>";
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return emitError() << "type " << type << " has no extents to name";
  if (!shaped.hasRank())
    return emitError() << "the rank of " << type
                       << " is not known, so that its extents have no names";
  if (shaped.getRank() != extents.getRank())
    return emitError() << type << " has " << shaped.getRank()
                       << " axes but loom.extents has " << extents.getRank();
  for (auto [axis, declared] : llvm::enumerate(shaped.getShape())) {
    AffineExpr extent = extents.getExtent(axis);
    auto number = dyn_cast_if_present<AffineConstantExpr>(extent);
    if (number && !ShapedType::isDynamic(declared) &&
        number.getValue() != declared)
      return emitError() << "axis " << axis << " of " << type << " is "
                         << declared << " but loom.extents says "
                         << number.getValue();
  }
  SmallVector<ExtentsAttr> all;
  for (unsigned i : llvm::seq(func.getNumArguments()))
    all.push_back(func.getArgAttrOfType<ExtentsAttr>(i, ExtentsAttr::kKey));
  if (!isArgument)
    for (unsigned i : llvm::seq(func.getNumResults()))
      all.push_back(
          func.getResultAttrOfType<ExtentsAttr>(i, ExtentsAttr::kKey));
  for (StringAttr name : extents.getNames()) {
    if (!isDefined(name, all))
      return emitError() << "'" << name.getValue()
                         << "' is the extent of no axis of an argument"
                         << (isArgument ? "" : " or result")
                         << " by itself, so that it has no value";
    for (ExtentsAttr other : all) {
      if (other == extents)
        break;
      if (failed(verifyRanges(emitError, name, other, extents)))
        return failure();
    }
  }
  return success();
}

LogicalResult LoomDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned index,
                                                    NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (attribute.getName() != ExtentsAttr::kKey || !func)
    return success();
  return verifyExtents(func, func.getArgumentTypes()[index], attribute,
                       "argument " + std::to_string(index),
                       /*isArgument=*/true);
}

LogicalResult LoomDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (attribute.getName() != ExtentsAttr::kKey || !func)
    return success();
  return verifyExtents(func, func.getResultTypes()[index], attribute,
                       "result " + std::to_string(index),
                       /*isArgument=*/false);
}
