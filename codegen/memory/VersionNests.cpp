//===- VersionNests.cpp - loop nests for memory that does not overlap -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments may share memory (mem-1), so that LLVM must load again what a store
// may have changed, and checks for each run of an innermost loop whether it can
// be vectorised. One check in front of the nest picks a second version, whose
// accesses say which other ones they do not overlap with.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMVERSIONNESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Operations of a nest that has a second version, and of all in a function;
/// memrefs of a nest.
static constexpr size_t kMostOperations = 256, kMostOperationsTogether = 1024;
static constexpr size_t kMostBases = 6;

/// A memref that has all elements of `memory`. Other views than these may have
/// elements that their operand does not have.
static Value getBase(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::SubViewOp>(op))
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

static Value getMemory(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getMemRef();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getMemRef();
  return nullptr;
}

namespace {

/// What is accessed in a loop.
struct NestMemory {
  /// By their bases; whether the loop writes there.
  llvm::MapVector<Value, bool> bases;
  size_t numOperations = 0;

  /// Nothing if the loop has operations other than arithmetic, control flow,
  /// loads and stores, or if it makes memory.
  static std::optional<NestMemory> get(scf::ForOp loop) {
    NestMemory memory;
    WalkResult result = loop.walk([&](Operation *op) {
      ++memory.numOperations;
      if (Value accessed = getMemory(op)) {
        Value base = getBase(accessed);
        if (loop->isAncestor(base.getParentRegion()->getParentOp()))
          return WalkResult::interrupt();
        memory.bases[base] |= isa<memref::StoreOp>(op);
        return WalkResult::advance();
      }
      return isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) ||
                     isMemoryEffectFree(op)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return std::nullopt;
    return memory;
  }
};

/// Gives one nest its second version.
class NestVersion {
public:
  NestVersion(scf::ForOp nest, const NestMemory &memory)
      : nest(nest), memory(memory), b(nest), loc(nest.getLoc()) {}

  void insert() {
    Value apart = areApart();
    auto branch = scf::IfOp::create(b, loc, nest.getResultTypes(), apart,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    nest.replaceAllUsesWith(branch.getResults());
    auto fill = [&](Block *block, Operation *loop) {
      block->clear();
      b.setInsertionPointToStart(block);
      b.insert(loop);
      scf::YieldOp::create(b, loc, loop->getResults());
    };
    Operation *second = nest->clone();
    fill(branch.thenBlock(), second);
    nest->remove();
    fill(branch.elseBlock(), nest);
    mark(second);
  }

private:
  struct Range {
    Value begin, end;
  };

  Value getIndex(OpFoldResult number) {
    if (auto value = dyn_cast<Value>(number))
      return value;
    return arith::ConstantIndexOp::create(b, loc, *getConstantIntValue(number));
  }
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(b, loc, x, y);
  }

  /// The addresses of the elements. If there are none, any addresses will do.
  Range getRange(Value base) {
    auto type = cast<MemRefType>(base.getType());
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, base);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0),
          one = arith::ConstantIndexOp::create(b, loc, 1);
    Value first = getIndex(metadata.getConstifiedMixedOffset()), last = first;
    SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
    for (auto [extent, stride] :
         llvm::zip_equal(metadata.getConstifiedMixedSizes(), strides)) {
      Value distance = make<arith::MulIOp>(
          make<arith::SubIOp>(getIndex(extent), one), getIndex(stride));
      std::optional<int64_t> known = getConstantIntValue(stride);
      if (type.getLayout().isIdentity() || (known && *known >= 0)) {
        last = make<arith::AddIOp>(last, distance);
        continue;
      }
      first = make<arith::AddIOp>(first, make<arith::MinSIOp>(distance, zero));
      last = make<arith::AddIOp>(last, make<arith::MaxSIOp>(distance, zero));
    }
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, base);
    Value bytes = arith::ConstantIndexOp::create(
        b, loc, getStorageBytes(type.getElementType()));
    auto getAddress = [&](Value element) {
      return make<arith::AddIOp>(address, make<arith::MulIOp>(element, bytes));
    };
    return {getAddress(first), getAddress(make<arith::AddIOp>(last, one))};
  }

  /// Whether no memory that is written shares an element with any other.
  Value areApart() {
    SmallVector<Range> ranges;
    for (auto &[base, isWritten] : memory.bases)
      ranges.push_back(getRange(base));
    auto isUpTo = [&](Value x, Value y) {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, x, y);
    };
    Value all;
    for (size_t i = 0; i < ranges.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (isWritten(i) || isWritten(j)) {
          Value apart =
              make<arith::OrIOp>(isUpTo(ranges[i].end, ranges[j].begin),
                                 isUpTo(ranges[j].end, ranges[i].begin));
          all = all ? make<arith::AndIOp>(all, apart) : apart;
        }
    return all;
  }

  bool isWritten(size_t number) const {
    return memory.bases.begin()[number].second;
  }

  /// Each memref has a scope of its own, which is declared in front of the
  /// nest: what does not overlap in one run of the nest may overlap in the
  /// next.
  void mark(Operation *second) {
    b.setInsertionPoint(second);
    MLIRContext *context = b.getContext();
    auto domain = LLVM::AliasScopeDomainAttr::get(context);
    SmallVector<Attribute> scopes;
    llvm::DenseMap<Value, size_t> numbers;
    for (auto &[base, isWritten] : memory.bases) {
      numbers[base] = scopes.size();
      auto scope = LLVM::AliasScopeAttr::get(domain);
      LLVM::NoAliasScopeDeclOp::create(b, loc, scope);
      scopes.push_back(scope);
    }
    second->walk([&](Operation *op) {
      Value accessed = getMemory(op);
      if (!accessed)
        return;
      size_t number = numbers[getBase(accessed)];
      SmallVector<Attribute> others;
      for (size_t i = 0; i < scopes.size(); ++i)
        if (i != number && (isWritten(i) || isWritten(number)))
          others.push_back(scopes[i]);
      op->setAttr(kAliasScopes, ArrayAttr::get(context, scopes[number]));
      op->setAttr(kNoAlias, ArrayAttr::get(context, others));
    });
  }

  scf::ForOp nest;
  const NestMemory &memory;
  OpBuilder b;
  Location loc;
};

class Versioner {
public:
  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        if (auto loop = dyn_cast<scf::ForOp>(op); !loop || !tryVersion(loop))
          for (Region &inner : op.getRegions())
            visit(inner);
  }

private:
  /// Whether nothing in the loop needs to be looked at.
  bool tryVersion(scf::ForOp loop) {
    std::optional<NestMemory> memory = NestMemory::get(loop);
    if (!memory)
      return false;
    bool isWritten =
        llvm::any_of(memory->bases, [](auto &entry) { return entry.second; });
    if (!isWritten || memory->bases.size() < 2 || !pays(loop))
      return true;
    if (memory->bases.size() > kMostBases ||
        memory->numOperations > kMostOperations ||
        numOperations + memory->numOperations > kMostOperationsTogether)
      return false;
    numOperations += memory->numOperations;
    NestVersion(loop, *memory).insert();
    return true;
  }

  /// LLVM itself makes a check in front of a single loop, unless an access is
  /// the same in all iterations, which it would have to keep in a register.
  static bool pays(scf::ForOp loop) {
    return loop
        .walk([&](Operation *op) {
          bool isReason = isa<scf::ForOp>(op) && op != loop;
          if (getMemory(op))
            isReason |= llvm::all_of(op->getOperands(), [&](Value operand) {
              return isa<BaseMemRefType>(operand.getType()) ||
                     !operand.getType().isIndex() ||
                     loop.isDefinedOutsideOfLoop(operand);
            });
          return isReason ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  size_t numOperations = 0;
};

struct LoomVersionNestsPass
    : codegen::impl::LoomVersionNestsBase<LoomVersionNestsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        Versioner().visit(func.getBody());
  }
};

} // namespace
