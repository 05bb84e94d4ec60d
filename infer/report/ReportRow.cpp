//===- ReportRow.cpp - a row about one operation --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/report/ReportRow.h"

#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"
#include "infer/report/OperationNumber.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void GuardReport::finish() {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(rows[a].operationNumber, a) <
           std::pair(rows[b].operationNumber, b);
  });
  std::vector<Row> sorted;
  for (size_t i : order) {
    int64_t number = rows[i].operationNumber;
    if (rows[i].status != GuardStatus::Refuted && !rows[i].isOfLoops &&
        checkedInFront.count(number))
      continue;
    if (auto why = notInFront.find(number);
        why != notInFront.end() && rows[i].status == GuardStatus::RunTime)
      rows[i].reason += "; no loop has one check in front: " + why->second;
    Row &row = sorted.emplace_back(std::move(rows[i]));
    row.isStatic &= row.status == GuardStatus::Proved;
    if (row.status == GuardStatus::Proved && !row.whereProved.empty())
      row.constraint = row.whereProved;
  }
  rows = std::move(sorted);
}

GuardReport::Row infer::makeRow(Operation *op, StringRef name) {
  GuardReport::Row row;
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    row.function = function.getName().str();
  row.operation = name.str();
  // For an operation without a location, the row shows its text.
  if (!isNumberedLocation(op->getLoc()))
    row.location = getFileLocationText(op->getLoc());
  row.names = getNamesText(op->getLoc());
  row.operationNumber = getOperationNumber(op->getLoc());
  return row;
}

static constexpr llvm::StringLiteral kRow = "broadloom.row";

void infer::setRow(Operation *constraint, size_t index) {
  auto type = IntegerType::get(constraint->getContext(), 64);
  constraint->setDiscardableAttr(
      kRow, IntegerAttr::get(type, static_cast<int64_t>(index)));
}

GuardReport::Row *infer::findRow(GuardReport &report, Operation *constraint) {
  auto index = constraint->getDiscardableAttr(kRow);
  auto number = dyn_cast_or_null<IntegerAttr>(index);
  if (!number || number.getValue().uge(report.rows.size()))
    return nullptr;
  return &report.rows[number.getInt()];
}

static constexpr llvm::StringLiteral kOwnGuard = "broadloom.own_guard";

void infer::markOwnGuards(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<loom::RequireOp, loom::RequireBroadcastOp, loom::RequireFunctionOp>(
            op))
      op->setDiscardableAttr(kOwnGuard, UnitAttr::get(op->getContext()));
  });
}

bool infer::isOwnGuard(Operation *guard) { return guard->hasAttr(kOwnGuard); }
