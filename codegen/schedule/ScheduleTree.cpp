//===- ScheduleTree.cpp - loops as a schedule tree ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ScheduleTree.h"

#include "codegen/SymbolNames.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/NamedLoops.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/LoopReport.h"
#include "legalize/memory/NestReport.h"
#include "poly/FormVariables.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::NestReader;

/// Parts of a domain that are printed.
static constexpr size_t kMostParts = 8;

namespace {

class Tree {
public:
  Tree(func::FuncOp func, llvm::raw_ostream &os)
      : func(func), os(os), roots(func) {}

  void print() {
    os << "schedule @" << getProgramName(func.getName()) << " {\n";
    func.walk([&](Operation *op) {
      if (op->hasAttr(loom::kFindsFailure))
        return WalkResult::skip();
      std::optional<int64_t> number = getStatementNumber(op);
      if (number && (isCopy(op) || !isEdited(op)))
        printDomain(op, *number);
      return WalkResult::advance();
    });
    printRegion(func.getBody(), 1);
    os << "}\n";
  }

private:
  /// Whether the operation is in a nest that has an unedited copy.
  static bool isEdited(Operation *op) {
    for (Operation *parent = op; parent; parent = parent->getParentOp()) {
      auto version = dyn_cast_or_null<scf::IfOp>(parent->getParentOp());
      if (version && version->hasAttr(kEdited) &&
          parent->getBlock() == version.thenBlock())
        return true;
    }
    return false;
  }

  /// Whether the store is one of an edit, which only the edited nest has.
  static bool isCopy(Operation *op) {
    return op->getParentOp()->hasAttr(loom::kCopies);
  }

  /// `#S1 = (i, j) : i >= 0, ...`.
  void printDomain(Operation *op, int64_t number) {
    SmallVector<scf::ForOp> loops = getLoopsAround(op);
    SmallVector<std::string> names = nameDimensions(loops);
    os << "  #S" << number << " = (";
    llvm::interleaveComma(names, os);
    os << ')';
    for (legalize::NestNumbers::Sizes sizes :
         legalize::NestNumbers::kAllSizes) {
      NestReader reader(loops.front(), sizes, roots);
      if (!legalize::MemoryAccess::isAccess(op) || !reader.read(op))
        continue;
      std::optional<std::vector<poly::Rows>> parts =
          reader.getDomain().getParts(kMostParts);
      if (!parts)
        continue;
      poly::Space space = reader.getDomain().getSpace();
      for (auto [variable, symbol] : reader.getSymbols())
        space.setName(variable, legalize::describe(symbol));
      for (auto [name, read] : llvm::zip(names, reader.getDomain().getLoops()))
        if (poly::isVariable(read.value))
          space.setName(poly::getVariable(read.value), name);
      os << " : ";
      llvm::interleave(
          *parts, os,
          [&](const poly::Rows &rows) {
            llvm::interleaveComma(rows, os, [&](const poly::Row &row) {
              os << space.print(row);
            });
          },
          " or ");
      break;
    }
    os << "  // " << legalize::describeAccess(op) << '\n';
  }

  void printFilter(ArrayRef<int64_t> filter) {
    os << '{';
    llvm::interleave(
        filter, os, [&](int64_t number) { os << 'S' << number; }, ",");
    os << '}';
  }

  void printRegion(Region &region, unsigned depth) {
    SmallVector<Operation *> parts;
    for (Block &block : region)
      for (Operation &op : block)
        if (!op.hasAttr(loom::kFindsFailure) &&
            !getStatementNumbers(&op).empty())
          parts.push_back(&op);
    bool isSequence = parts.size() > 1;
    if (isSequence) {
      os.indent(2 * depth++) << "sequence {\n";
    }
    for (Operation *op : parts)
      printPart(*op, depth);
    if (isSequence)
      os.indent(2 * --depth) << "}\n";
  }

  void printPart(Operation &op, unsigned depth) {
    if (std::optional<int64_t> number = getStatementNumber(&op)) {
      os.indent(2 * depth) << 'S' << *number << '\n';
      return;
    }
    // What is no statement of the program is an extension of its domains.
    bool isExtension =
        op.hasAttr(loom::kCopies) && !op.getParentOp()->hasAttr(loom::kCopies);
    if (isExtension)
      os.indent(2 * depth++) << "extension {\n";
    os.indent(2 * depth);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      printBand(loop);
    else if (op.hasAttr(kEdited))
      os << "mark \"edited\" {\n";
    else {
      os << "filter ";
      printFilter(getStatementNumbers(&op));
      os << " {\n";
    }
    if (op.hasAttr(kEdited))
      printRegion(cast<scf::IfOp>(op).getThenRegion(), depth + 1);
    else
      for (Region &inner : op.getRegions())
        printRegion(inner, depth + 1);
    os.indent(2 * depth) << "}\n";
    if (isExtension)
      os.indent(2 * --depth) << "}\n";
  }

  /// `mldim %t1 : {S1,S2} floordiv (i, 32)`; of loops that are fused
  /// `{S1} i, {S2} j`.
  void printBand(scf::ForOp loop) {
    os << "mldim %t" << ++numBands << " : ";
    llvm::MapVector<StringRef, SmallVector<int64_t>> filters;
    LoopParts parts = getParts(loop);
    for (int64_t number : getStatementNumbers(loop))
      filters[parts.get(number)].push_back(number);
    llvm::interleaveComma(filters, os, [&](const auto &filter) {
      printFilter(filter.second);
      os << ' ' << filter.first;
    });
    os << " {\n";
  }

  func::FuncOp func;
  llvm::raw_ostream &os;
  legalize::ExtentRoots roots;
  unsigned numBands = 0;
};

} // namespace

void codegen::printSchedule(func::FuncOp func, llvm::raw_ostream &os) {
  bool hasLoops = false;
  visitScheduled(func.getBody(), [&](Operation &op) {
    hasLoops |= isa<scf::ForOp>(op);
    return hasLoops;
  });
  if (hasLoops)
    Tree(func, os).print();
}
