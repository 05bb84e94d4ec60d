//===- FixedExtents.cpp - extents that calls cannot choose ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/report/FixedExtents.h"

#include "infer/report/OperationNumber.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The number of an entry under `key`; -1 if there is none or it is negative.
static int64_t getNumber(DictionaryAttr entry, StringRef key) {
  auto number = entry.getAs<IntegerAttr>(key);
  if (!number || !number.getType().isSignlessInteger(64))
    return -1;
  return number.getInt();
}

/// The extent of an argument's axis; nothing if it is open or there is no such
/// axis.
static std::optional<int64_t> getExtent(FunctionOpInterface function,
                                        int64_t argument, int64_t axis) {
  if (argument < 0 || argument >= function.getNumArguments())
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  if (!type || axis < 0 || axis >= type.getRank() || type.isDynamicDim(axis))
    return std::nullopt;
  return type.getDimSize(axis);
}

void infer::addFixedExtents(FunctionOpInterface function, GuardReport &report) {
  auto entries = function->getAttrOfType<ArrayAttr>(kFixedExtents);
  if (!entries)
    return;
  for (auto entry : entries.getAsRange<Attribute>()) {
    auto fixed = dyn_cast<DictionaryAttr>(entry);
    if (!fixed)
      continue;
    int64_t axis = getNumber(fixed, "axis");
    auto extent = getExtent(function, getNumber(fixed, "argument"), axis);
    auto by = fixed.getAs<StringAttr>("by"),
         name = fixed.getAs<StringAttr>("name"),
         because = fixed.getAs<StringAttr>("because"),
         at = fixed.getAs<StringAttr>("at");
    if (!extent || !by || !name || !because)
      continue;
    GuardReport::Row row;
    row.function = function.getName().str();
    row.operation = by.str();
    row.location = at ? at.str() : "";
    row.axis = axis;
    row.constraint = llvm::formatv("axis {0} of argument '{1}' is {2}", axis,
                                   name.getValue(), *extent);
    row.status = GuardStatus::Fixed;
    row.reason = because.str();
    row.operationNumber = getOperationNumber(function->getLoc());
    report.rows.push_back(std::move(row));
  }
}
