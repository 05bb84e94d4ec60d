//===- ScheduleTree.cpp - loops as a schedule tree ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ScheduleTree.h"

#include "codegen/SymbolNames.h"
#include "codegen/schedule/NamedLoops.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/LoopReport.h"
#include "legalize/memory/NestReport.h"
#include "poly/FormVariables.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::NestReader;

/// Parts of a domain that are printed.
static constexpr size_t kMostParts = 8;
/// Of a store or a call in loops: the number of the statement, which its copies
/// have too.
static constexpr llvm::StringLiteral kStatement = "loom.statement";
/// Of their function: the greatest number.
static constexpr llvm::StringLiteral kStatements = "loom.statements";

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
      std::optional<size_t> number = getNumber(op);
      if (number && (isCopy(op) || !isEdited(op)))
        printDomain(op, *number);
      return WalkResult::advance();
    });
    printRegion(func.getBody(), 1);
    os << "}\n";
  }

private:
  static std::optional<size_t> getNumber(Operation *op) {
    auto number = op->getAttrOfType<IntegerAttr>(kStatement);
    return number ? std::optional<size_t>(number.getInt()) : std::nullopt;
  }

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
  void printDomain(Operation *op, size_t number) {
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

  /// The numbers of the statements in `op`, as the filter of its loop.
  SmallVector<size_t> getFilter(Operation &op) {
    SmallVector<size_t> filter;
    op.walk([&](Operation *inner) {
      if (std::optional<size_t> number = getNumber(inner))
        filter.push_back(*number);
    });
    llvm::sort(filter);
    filter.erase(llvm::unique(filter), filter.end());
    return filter;
  }

  void printFilter(ArrayRef<size_t> filter) {
    os << '{';
    llvm::interleave(
        filter, os, [&](size_t number) { os << 'S' << number; }, ",");
    os << '}';
  }

  void printRegion(Region &region, unsigned depth) {
    SmallVector<Operation *> parts;
    for (Block &block : region)
      for (Operation &op : block)
        if (!op.hasAttr(loom::kFindsFailure) && !getFilter(op).empty())
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
    SmallVector<size_t> filter = getFilter(op);
    if (getNumber(&op)) {
      os.indent(2 * depth) << 'S' << filter.front() << '\n';
      return;
    }
    // What is no statement of the program is an extension of its domains.
    bool isExtension =
        op.hasAttr(loom::kCopies) && !op.getParentOp()->hasAttr(loom::kCopies);
    if (isExtension)
      os.indent(2 * depth++) << "extension {\n";
    os.indent(2 * depth);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      printBand(loop, filter);
    else if (op.hasAttr(kEdited))
      os << "mark \"edited\" {\n";
    else {
      os << "filter ";
      printFilter(filter);
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

  /// `mldim %t1 : {S1,S2} floordiv (i, 32)`.
  void printBand(scf::ForOp loop, ArrayRef<size_t> filter) {
    os << "mldim %t" << ++numBands << " : ";
    printFilter(filter);
    os << ' ' << describePart(loop) << " {\n";
  }

  func::FuncOp func;
  llvm::raw_ostream &os;
  legalize::ExtentRoots roots;
  unsigned numBands = 0;
};

} // namespace

void codegen::numberStatements(func::FuncOp func) {
  int64_t number = 0;
  Builder b(func.getContext());
  visitScheduled(func.getBody(), [&](Operation &op) {
    if (isa<memref::StoreOp, func::CallOp>(op) &&
        !NestReader::getLoopsAround(&op).empty())
      op.setAttr(kStatement, b.getI64IntegerAttr(++number));
    return false;
  });
  func->setAttr(kStatements, b.getI64IntegerAttr(number));
}

void codegen::numberStatement(Operation *store) {
  auto func = store->getParentOfType<func::FuncOp>();
  auto greatest = func->getAttrOfType<IntegerAttr>(kStatements);
  if (!greatest)
    return;
  auto next =
      Builder(store->getContext()).getI64IntegerAttr(greatest.getInt() + 1);
  store->setAttr(kStatement, next);
  func->setAttr(kStatements, next);
}

void codegen::eraseNumbers(func::FuncOp func) {
  func->removeAttr(kStatements);
  func.walk([](Operation *op) { op->removeAttr(kStatement); });
}

void codegen::printSchedule(func::FuncOp func, llvm::raw_ostream &os) {
  bool hasLoops = false;
  visitScheduled(func.getBody(), [&](Operation &op) {
    hasLoops |= isa<scf::ForOp>(op);
    return hasLoops;
  });
  if (hasLoops)
    Tree(func, os).print();
}
