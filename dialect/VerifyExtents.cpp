//===- VerifyExtents.cpp - named extents of a function --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ConstantArgument.h"
#include "dialect/LoomExtents.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace broadloom::loom;

/// Whether the ranges have a number in common.
static bool canMeet(const NameRange &a, const NameRange &b) {
  return std::max(a.least, b.least) <= std::min(a.most, b.most) &&
         (a.least - b.least) % std::gcd(a.step, b.step) == 0;
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

namespace {

/// The names in all attributes of a function.
class Names {
public:
  /// `extents` is the attribute of an argument or result, or null.
  void define(ExtentsAttr extents) {
    if (!extents)
      return;
    for (int64_t axis : llvm::seq<int64_t>(0, extents.getRank()))
      if (std::optional<unsigned> index = extents.getName(axis))
        defined.insert(extents.getNames()[*index]);
  }

  /// Checks that all names of `extents` are defined, and that their ranges are
  /// compatible with those of earlier attributes. Succeeds for null.
  LogicalResult verify(EmitError emitError, ExtentsAttr extents,
                       bool isArgument) {
    if (!extents)
      return success();
    for (auto [name, range] :
         llvm::zip_equal(extents.getNames(), extents.getRanges())) {
      if (!defined.contains(name))
        return emitError() << "'" << name.getValue()
                           << "' is the extent of no axis of an argument"
                           << (isArgument ? "" : " or result")
                           << " by itself, so that it has no value";
      if (failed(addRange(emitError, name, range)))
        return failure();
    }
    return success();
  }

private:
  LogicalResult addRange(EmitError emitError, StringAttr name,
                         const NameRange &range) {
    if (range == NameRange())
      return success();
    // Keeps each range once, because most attributes repeat those of others.
    SmallVector<NameRange, 1> &before = ranges[name];
    if (llvm::is_contained(before, range))
      return success();
    for (const NameRange &other : before)
      if (!canMeet(other, range))
        return emitError() << "no extent is both in " << toText(other)
                           << " and in " << toText(range) << ", the ranges of '"
                           << name.getValue() << "'";
    before.push_back(range);
    return success();
  }

  llvm::DenseSet<StringAttr> defined;
  llvm::DenseMap<StringAttr, SmallVector<NameRange, 1>> ranges;
};

} // namespace

static ExtentsAttr getExtents(FunctionOpInterface func, unsigned index,
                              bool isArgument) {
  return isArgument
             ? func.getArgAttrOfType<ExtentsAttr>(index, ExtentsAttr::kKey)
             : func.getResultAttrOfType<ExtentsAttr>(index, ExtentsAttr::kKey);
}

/// Begins an error about an argument or result.
static InFlightDiagnostic emitErrorAt(FunctionOpInterface func, unsigned index,
                                      bool isArgument) {
  return std::move(func.emitError()
                   << (isArgument ? "argument " : "result ") << index << ": ");
}

/// Checks the names in the attributes of all arguments, or of all results
/// together with them: each one needs all others.
static LogicalResult verifyNames(FunctionOpInterface func, bool isArgument) {
  unsigned arguments = func.getNumArguments(), results = func.getNumResults();
  Names names;
  for (unsigned i : llvm::seq(arguments))
    names.define(getExtents(func, i, /*isArgument=*/true));
  if (!isArgument)
    for (unsigned i : llvm::seq(results))
      names.define(getExtents(func, i, /*isArgument=*/false));
  auto verifyAll = [&](unsigned count, bool ofArguments) {
    return success(llvm::all_of(llvm::seq(count), [&](unsigned i) {
      auto emitError = [&] { return emitErrorAt(func, i, ofArguments); };
      return succeeded(names.verify(emitError, getExtents(func, i, ofArguments),
                                    isArgument));
    }));
  };
  return failure(
      failed(verifyAll(arguments, /*ofArguments=*/true)) ||
      (!isArgument && failed(verifyAll(results, /*ofArguments=*/false))));
}

/// Checks the `loom.extents` of one argument or result.
static LogicalResult verifyOne(EmitError emitError, Type type,
                               NamedAttribute attribute) {
  auto extents = dyn_cast<ExtentsAttr>(attribute.getValue());
  if (!extents)
    return emitError() << ExtentsAttr::kKey << " is " << attribute.getValue()
                       << "; write it as #loom.extents<[n, 4, ?]>";
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return emitError() << "type " << type << " has no extents to name";
  // For an unranked type, the attribute has the number of axes.
  if (!shaped.hasRank())
    return success();
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
  return success();
}

/// Called for each argument or result with attributes, in order.
static LogicalResult verifyExtents(Operation *op, unsigned index,
                                   NamedAttribute attribute, bool isArgument) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (attribute.getName() != ExtentsAttr::kKey || !func)
    return success();
  ArrayRef<Type> types =
      isArgument ? func.getArgumentTypes() : func.getResultTypes();
  auto emitError = [&] { return emitErrorAt(func, index, isArgument); };
  if (failed(verifyOne(emitError, types[index], attribute)))
    return failure();
  // The check of all names runs at the last one.
  auto isNamed = [&](unsigned i) {
    return bool(isArgument ? func.getArgAttr(i, ExtentsAttr::kKey)
                           : func.getResultAttr(i, ExtentsAttr::kKey));
  };
  if (llvm::any_of(llvm::seq<unsigned>(index + 1, types.size()), isNamed))
    return success();
  return verifyNames(func, isArgument);
}

/// Checks a `loom.constant` of an argument or a result.
static LogicalResult verifyConstant(Operation *op, unsigned index,
                                    NamedAttribute attribute, bool isArgument) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (attribute.getName() != kConstantArgument || !func)
    return success();
  auto emitError = [&] { return emitErrorAt(func, index, isArgument); };
  if (!isArgument)
    return emitError() << kConstantArgument
                       << " is a promise about arguments; remove it";
  if (!isa<UnitAttr>(attribute.getValue()))
    return emitError() << kConstantArgument << " is " << attribute.getValue()
                       << "; write it without a value";
  Type type = func.getArgumentTypes()[index];
  // A tensor becomes a buffer.
  if (!type.isIntOrIndexOrFloat())
    return success();
  return emitError() << kConstantArgument
                     << " is a promise about elements of a tensor, and stands "
                        "on an argument of type "
                     << type << "; remove it";
}

LogicalResult LoomDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned index,
                                                    NamedAttribute attribute) {
  if (failed(verifyConstant(op, index, attribute, /*isArgument=*/true)))
    return failure();
  return verifyExtents(op, index, attribute, /*isArgument=*/true);
}

LogicalResult LoomDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  if (failed(verifyConstant(op, index, attribute, /*isArgument=*/false)))
    return failure();
  return verifyExtents(op, index, attribute, /*isArgument=*/false);
}
