//===- BindExternals.cpp - functions of other libraries -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function without a body tells what it reads and writes by a function that
// has one (ffi-1), or by sets, of which loops are made (ffi-4). The accesses
// become checks, assertions preconditions, and behind them stands the call. A
// function with a body is compared with the sets that it declares.
//
//===----------------------------------------------------------------------===//

#include "dialect/DeclaredEffects.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "dialect/MemoryViews.h"
#include "infer/analysis/TensorMemory.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/BodyEffects.h"
#include "legalize/memory/CompareEffects.h"
#include "legalize/memory/EffectNests.h"
#include "legalize/memory/MemoryAccess.h"
#include "legalize/memory/RepeatedCalls.h"
#include "legalize/memory/UnusedSummaries.h"
#include "legalize/memory/WatchEffects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMBINDEXTERNALS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Whether C has an argument or a result of the type that both sides pass in
/// the same way.
static bool isScalar(Type type) {
  return type.isInteger(32) || type.isInteger(64) || type.isIndex() ||
         type.isF32() || type.isF64();
}

/// Whether the elements follow one another in the order of their indices, so
/// that an address tells where each is.
static bool isRowMajor(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  int64_t expected = 1;
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (stride != expected || ShapedType::isDynamic(expected))
      return false;
    expected = ShapedType::isDynamic(extent) ? extent : stride * extent;
  }
  return true;
}

static bool isArgument(Type type, bool descriptors) {
  auto memory = dyn_cast<MemRefType>(type);
  if (!memory)
    return isScalar(type);
  Type element = memory.getElementType();
  bool hasBytes =
      element.isIndex() || (element.isIntOrFloat() && !element.isInteger(1));
  return hasBytes && memory.isStrided() && (descriptors || isRowMajor(memory));
}

/// Whether it is an identifier of C that compiled programs have no use for.
static bool isSymbol(StringRef name) {
  return !name.empty() && !name.starts_with("broadloom") &&
         !name.starts_with("loom_") && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

namespace {

/// Turns the body of a function into checks of what it reads and writes.
class AccessChecks {
public:
  explicit AccessChecks(func::FuncOp func) : func(func) {
    func.walk([&](Operation *op) {
      if (MemoryAccess::isAccess(op))
        accesses.push_back(op);
    });
  }

  /// The arguments that the body writes. `watch`, which may be null, is told of
  /// the accesses; fails, with an error, where it cannot watch one.
  FailureOr<SmallVector<int64_t>> run(WatchEffects *watch) {
    // A store is checked as a load.
    for (Operation *access : accesses) {
      if (watch && failed(watch->mark(access)))
        return failure();
      if (MemoryAccess::isWrite(access))
        replaceStore(access);
    }
    eraseUnused();
    func.walk([&](Operation *op) {
      if (isa<memref::LoadOp, affine::AffineLoadOp>(op) && op->use_empty())
        op->setAttr(loom::kCheckOnly, UnitAttr::get(op->getContext()));
    });
    return SmallVector<int64_t>(written.begin(), written.end());
  }

private:
  void replaceStore(Operation *op) {
    MemoryAccess access = MemoryAccess::get(op);
    auto argument = cast<BlockArgument>(loom::getRoot(access.memory));
    written.insert(argument.getArgNumber());
    OpBuilder b(op);
    Operation *made =
        isa<memref::StoreOp>(op)
            ? memref::LoadOp::create(b, op->getLoc(), access.memory,
                                     access.operands)
                  .getOperation()
            : affine::AffineLoadOp::create(b, op->getLoc(), access.memory,
                                           access.map, access.operands)
                  .getOperation();
    infer::takeOrigin(made, op);
    op->erase();
  }

  /// Erases what only computed the values of stores.
  void eraseUnused() {
    func.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (isPure(op) && op->use_empty() &&
          !op->hasTrait<OpTrait::IsTerminator>())
        op->erase();
    });
  }

  func::FuncOp func;
  SmallVector<Operation *> accesses;
  llvm::SetVector<int64_t> written;
};

class Binder {
public:
  Binder(ModuleOp module, bool watches) : symbols(module), watches(watches) {}

  LogicalResult bind(func::FuncOp func) {
    Attribute effects = func->getAttr(loom::kEffects);
    if (!effects) {
      // Nothing is known of it; calls are refused later (checkCalls).
      func->removeAttr(loom::kMemoryFunction);
      return success();
    }
    std::optional<bool> descriptors = readConvention(func);
    if (!descriptors || failed(checkTypes(func, *descriptors)))
      return failure();
    if (failed(loom::verifyDeclaredSets(func)) ||
        (!loom::declaresSets(func) && failed(takeSummary(func, effects))))
      return failure();
    if (loom::declaresSets(func) && failed(buildEffectNests(func)))
      return failure();
    AccessChecks checks(func);
    std::optional<WatchEffects> watch;
    if (watches)
      watch.emplace(func, loom::getPromises(func).isDeterministic);
    WatchEffects *watching = watch ? &*watch : nullptr;
    FailureOr<SmallVector<int64_t>> writes = checks.run(watching);
    if (failed(writes))
      return failure();
    if (failed(checkWrites(func, *writes)))
      return failure();
    call(func, *writes, *descriptors, watching);
    if (writes->empty() && loom::getPromises(func).isDeterministic && !watches)
      readers.insert(func.getNameAttr());
    func->setAttr(loom::kMemoryFunction, UnitAttr::get(func.getContext()));
    func->removeAttr(loom::kEffects);
    func->removeAttr(loom::kConvention);
    return success();
  }

  /// ffi-7
  void eraseRepeated(ModuleOp module) const {
    if (readers.empty())
      return;
    for (auto func : module.getOps<func::FuncOp>())
      eraseRepeatedCalls(func, [&](func::CallOp call) {
        return readers.contains(call.getCalleeAttr().getAttr());
      });
  }

  ArrayRef<func::FuncOp> getSummaries() const {
    return summaries.getArrayRef();
  }

private:
  /// Takes the body of the function that `effects` names.
  LogicalResult takeSummary(func::FuncOp func, Attribute effects) {
    func::FuncOp summary = getSummary(func, effects);
    if (!summary)
      return failure();
    summaries.insert(summary);
    IRMapping mapping;
    summary.getBody().cloneInto(&func.getBody(), mapping);
    if (!func.getAllArgAttrs())
      if (ArrayAttr attributes = summary.getAllArgAttrs())
        func.setAllArgAttrs(attributes);
    if (failed(inlineCalls(func, summary)) || failed(checkBody(func, summary)))
      return failure();
    for (auto [argument, type] : llvm::zip_equal(
             func.getArguments(), func.getFunctionType().getInputs()))
      argument.setType(type);
    func.walk([](memref::ExtractAlignedPointerAsIndexOp op) { addOffset(op); });
    if (summary->hasAttr(loom::kKnownEffects))
      nameOrigins(func);
    if (watches && loom::getPromises(func).isExact)
      markSure(func);
    return success();
  }

  /// Marks the stores of a body without calls whose elements are known, so that
  /// an exact summary says that they are written (ffi-7).
  static void markSure(func::FuncOp func) {
    size_t moreSets = 0;
    FunctionEffects effects = readBodyEffects(
        func, moreSets,
        [](func::CallOp) -> const FunctionEffects * { return nullptr; });
    for (const EffectSet &set : effects.getSets())
      if (set.kind.isWrite && set.kind.isSure && set.op)
        set.op->setAttr(kIsSure, UnitAttr::get(func.getContext()));
  }

  /// An address in a summary is that of the first element, which a library
  /// gets.
  static void addOffset(memref::ExtractAlignedPointerAsIndexOp op) {
    auto type = cast<MemRefType>(op.getSource().getType());
    if (type.getStridesAndOffset().second == 0)
      return;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
    Value bytes = arith::ConstantIndexOp::create(
        b, loc, infer::getLeastBytes(type.getElementType()));
    Value distance = arith::MulIOp::create(b, loc, metadata.getOffset(), bytes);
    auto first = arith::AddIOp::create(b, loc, op, distance);
    op->getResult(0).replaceAllUsesExcept(first, first);
  }

  func::FuncOp getSummary(func::FuncOp func, Attribute effects) {
    FlatSymbolRefAttr symbol = loom::getSummary(func);
    auto summary = symbol ? symbols.lookup<func::FuncOp>(symbol.getAttr())
                          : func::FuncOp();
    if (summary && !summary.isExternal() && loom::fitsEffects(func, summary))
      return summary;
    InFlightDiagnostic error = func.emitError("function '@")
                               << func.getName() << "' has '" << loom::kEffects
                               << "' = " << effects;
    if (!symbol)
      error << "; it is the name of a function, such as @effects_of_"
            << func.getName() << ", or sets, such as {reads = []}";
    else if (!summary || summary.isExternal())
      error << ", but there is no function of that name with a body";
    else
      error << ", a function of type " << summary.getFunctionType()
            << "; it must have the arguments, and the results, of '@"
            << func.getName() << "', " << func.getFunctionType();
    return {};
  }

  static LogicalResult checkTypes(func::FuncOp func, bool descriptors) {
    auto refuse = [&](StringRef what, size_t index, Type type) {
      InFlightDiagnostic error = func.emitError(what)
                                 << " " << index << " of '@" << func.getName()
                                 << "' is of type " << type
                                 << ", which cannot be handed to another "
                                    "library";
      if (what == "argument" && isArgument(type, /*descriptors=*/true))
        error << " as an address; make it row-major, or say "
              << loom::kConvention << " = \"descriptors\"";
      else
        error << "; there are i32, i64, index, f32, f64 and, for arguments, "
                 "memory of numbers";
      return LogicalResult(error);
    };
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (!isArgument(type, descriptors))
        return refuse("argument", i, type);
    if (!isSymbol(func.getName()))
      return func.emitError("function '@")
             << func.getName()
             << "' has no name that a library can have; it is an identifier of "
                "C, and does not begin with 'broadloom' or 'loom_'";
    if (func.getNumResults() > 1)
      return func.emitError("function '@")
             << func.getName() << "' has " << func.getNumResults()
             << " results; a function of another library has one at most";
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (!isScalar(type))
        return refuse("result", i, type);
    return success();
  }

  /// mem-17
  static LogicalResult checkWrites(func::FuncOp func,
                                   ArrayRef<int64_t> writes) {
    for (int64_t argument : writes)
      if (std::optional<loom::SharedPlace> shared = loom::findSharedPlace(
              cast<MemRefType>(func.getArgument(argument).getType())))
        return func.emitError("argument ")
               << argument << " of '@" << func.getName()
               << "' is read-only, because " << loom::describeShared(*shared)
               << ", but '" << loom::kEffects
               << "' declares that it is written; give it another layout";
    return success();
  }

  /// Replaces calls by the bodies of what they call.
  LogicalResult inlineCalls(func::FuncOp func, func::FuncOp summary) {
    constexpr size_t kMostCalls = 1000;
    SmallVector<func::CallOp> calls;
    auto find = [&](Operation *in) {
      in->walk([&](func::CallOp call) { calls.push_back(call); });
    };
    find(func);
    for (size_t i = 0; i < calls.size(); ++i) {
      func::CallOp call = calls[i];
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee.getBody().hasOneBlock() ||
          call.getNumResults() != 0 || i == kMostCalls)
        return refuse(call, func, summary);
      OpBuilder b(call);
      IRMapping mapping;
      mapping.map(callee.getArguments(), call.getOperands());
      for (Operation &op : callee.getBody().front().without_terminator())
        find(b.clone(op, mapping));
      call.erase();
    }
    return success();
  }

  static LogicalResult refuse(Operation *op, func::FuncOp func,
                              func::FuncOp summary) {
    return op->emitError("'")
           << op->getName() << "' cannot stand in '@" << summary.getName()
           << "', which tells what '@" << func.getName()
           << "' reads and writes; use loops, branches, loads, stores, "
              "'cf.assert', and calls of functions of one block without "
              "results";
  }

  static bool isOfArgument(Operation *access, func::FuncOp func) {
    auto root = dyn_cast<BlockArgument>(
        loom::getRoot(MemoryAccess::get(access).memory));
    return root && root.getOwner() == &func.getBody().front();
  }

  /// A summary has what checks can be made of.
  static LogicalResult checkBody(func::FuncOp func, func::FuncOp summary) {
    auto found = func.walk([&](Operation *op) {
      if (MemoryAccess::isAccess(op) && !isOfArgument(op, func)) {
        op->emitError("'")
            << op->getName() << "' in '@" << summary.getName()
            << "' is about memory that is no argument, or that a branch or a "
               "loop chooses; load and store arguments of '@"
            << func.getName() << "', or views of them";
        return WalkResult::interrupt();
      }
      if (isPure(op) || op == func || op->hasTrait<OpTrait::IsTerminator>() ||
          isa<affine::AffineForOp, affine::AffineIfOp, scf::ForOp, scf::IfOp,
              memref::LoadOp, memref::StoreOp, affine::AffineLoadOp,
              affine::AffineStoreOp, cf::AssertOp, loom::RequireOp>(op))
        return WalkResult::advance();
      (void)refuse(op, func, summary);
      return WalkResult::interrupt();
    });
    return failure(found.wasInterrupted());
  }

  /// The text of a well-known function is not the user's, and neither are the
  /// names of its values.
  static void nameOrigins(func::FuncOp func) {
    func.walk([&](Operation *op) {
      if (op == func)
        return;
      infer::setOrigin(op, func.getName(), func.getLoc());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setLoc(func.getLoc());
    });
  }

  static std::optional<bool> readConvention(func::FuncOp func) {
    Attribute convention = func->getAttr(loom::kConvention);
    auto word = dyn_cast_or_null<StringAttr>(convention);
    if (!convention || (word && word == "pointers"))
      return false;
    if (word && word == "descriptors")
      return true;
    func.emitError("function '@")
        << func.getName() << "' has '" << loom::kConvention
        << "' = " << convention
        << "; there are \"pointers\" and \"descriptors\"";
    return std::nullopt;
  }

  /// Calls the function wherever the checks end.
  static void call(func::FuncOp func, ArrayRef<int64_t> writes,
                   bool descriptors, WatchEffects *watch) {
    loom::EffectPromises promises = loom::getPromises(func);
    SmallVector<func::ReturnOp> ends;
    func.walk([&](func::ReturnOp end) { ends.push_back(end); });
    for (func::ReturnOp end : ends) {
      OpBuilder b(end);
      auto made = loom::ExternalCallOp::create(
          b, func.getLoc(), func.getResultTypes(), func.getName(),
          func.getArguments(), writes, descriptors, promises.isDeterministic,
          promises.isReentrant, watch ? watch->getNames(b) : ArrayAttr());
      infer::setOrigin(made, func.getName(), func.getLoc());
      end->setOperands(made.getResults());
      if (watch)
        watch->compare(made);
    }
  }

  SymbolTable symbols;
  const bool watches;
  /// Functions that have told the effects of others.
  llvm::SetVector<func::FuncOp> summaries;
  /// Functions that only read, and are deterministic.
  llvm::DenseSet<StringAttr> readers;
};

struct LoomBindExternalsPass
    : legalize::impl::LoomBindExternalsBase<LoomBindExternalsPass> {
  using LoomBindExternalsBase::LoomBindExternalsBase;

  LogicalResult apply(ModuleOp module) override {
    if (failed(compareEffects(module)))
      return failure();
    SmallVector<func::FuncOp> externals = llvm::filter_to_vector(
        module.getOps<func::FuncOp>(),
        [](func::FuncOp func) { return func.isExternal(); });
    if (externals.empty())
      return success();
    Binder binder(module, watchesEffects);
    for (func::FuncOp func : externals)
      if (failed(binder.bind(func)))
        return failure();
    binder.eraseRepeated(module);
    eraseUnusedSummaries(module, binder.getSummaries());
    return success();
  }
};

} // namespace
