//===- UnsupportedOperations.cpp - what cannot be compiled ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/UnsupportedOperations.h"

#include "dialect/LoomBoundary.h"
#include "dialect/LoomShapeOps.h"
#include "dialect/MemoryFunction.h"
#include "infer/analysis/RefineRanks.h"
#include "infer/constraints/DeclaredResults.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "legalize/OperationNotes.h"
#include "legalize/UnsupportedElements.h"
#include "legalize/memory/OperationTypes.h"
#include "legalize/memory/UnsupportedMemory.h"
#include "legalize/memory/Vectors.h"
#include "scalar/AffineExpansion.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

namespace {

struct Entry {
  StringLiteral name;
  StringLiteral hint;
};

} // namespace

// No pattern of upstream's tosa-to-{linalg,linalg-named,tensor,arith,scf}
// matches these.
static constexpr StringLiteral passState =
    "pass the variable as an argument and return its new value";
static constexpr StringLiteral useFloats =
    "block-scaled types have no lowering; use plain floats";
static constexpr StringLiteral useTosa =
    "write it with operations of 'tosa', or as a 'linalg.generic'";
static constexpr StringLiteral useTensors =
    "nothing checks what it reads and writes; use tensors";
static constexpr StringLiteral useNumbers =
    "it has values that are neither tensors nor numbers; use tensors";
static constexpr StringLiteral callByName =
    "functions are no values; call the function by its name";
static constexpr StringLiteral useFunctions =
    "functions are those of 'func'; use 'func.func'";
static constexpr Entry entries[] = {
    {"tosa.cast_from_block_scaled", useFloats},
    {"tosa.cast_to_block_scaled", useFloats},
    {"tosa.matmul_t_block_scaled", useFloats},
};

/// The operations that pass tensors without reading them.
static bool takesAnyRank(Operation *op) {
  return isa<tosa::IfOp, tosa::WhileOp, tosa::YieldOp, tosa::IdentityOp>(op);
}

static bool isUnranked(Type type) { return isa<UnrankedTensorType>(type); }

// Operations of other dialects that have no lowering from tensors.
static constexpr Entry upstream[] = {
    {"builtin.unrealized_conversion_cast",
     "nothing says how its value is converted; use 'tosa.cast'"},
    {"func.call_indirect", callByName},
    {"func.constant", callByName},
    {"ml_program.func", useFunctions},
    {"ml_program.global_load_const", "use 'ml_program.global_load'"},
    {"ml_program.global_load_graph", passState},
    {"ml_program.global_store", passState},
    {"ml_program.global_store_graph", passState},
    {"ml_program.subgraph", useFunctions},
    {"ml_program.token", passState},
    {"tensor.bitcast", "use 'tosa.cast' or a 'loom.map' with 'arith.bitcast'"},
    {"tensor.gather", "use 'tosa.gather'"},
    {"tensor.pack", useTosa},
    {"tensor.scatter", "use 'tosa.scatter'"},
};

/// The hint for an operation in a sorted table; empty if it has none.
static StringRef lookUp(ArrayRef<Entry> table, StringRef name) {
  const Entry *entry =
      llvm::lower_bound(table, name, [](const Entry &entry, StringRef name) {
        return entry.name < name;
      });
  return entry == table.end() || entry->name != name ? StringRef()
                                                     : StringRef(entry->hint);
}

/// Whether the operation traps for some elements.
static bool mayTrap(Operation *op) {
  return scalar::getDivisionKind(op) != scalar::DivisionKind::None;
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

static bool isMemory(Type type) { return isa<BaseMemRefType>(type); }

/// Whether the type is a type of MLIR that is neither a tensor nor a number.
/// Types of users are allowed.
static bool isNeither(Type type) {
  return isa<VectorType, ComplexType, TupleType, NoneType>(type);
}

/// Whether upstream's bufferization supports the global, which it does not
/// check.
static bool isDense(ml_program::GlobalOp global) {
  auto value = dyn_cast_or_null<DenseElementsAttr>(global.getValueAttr());
  return value && value.getType() == global.getType();
}

/// Whether `op` is in a body without checks of elements: only maps have such
/// checks.
static bool isInUncheckedBody(Operation *op) {
  return op->getParentOfType<loom::FusedReductionOp>() ||
         op->getParentOfType<loom::ContractOp>();
}

/// Whether a loop in such a body has a step that may be 0 or negative, so that
/// it would not end.
static bool hasUncheckedStep(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<SmallVector<OpFoldResult>> steps =
      loop && isInUncheckedBody(op) ? loop.getLoopSteps() : std::nullopt;
  return steps && !llvm::all_of(*steps, [](OpFoldResult step) {
           return getConstantIntValue(step).value_or(0) > 0;
         });
}

/// Whether an operation in such a body may divide by 0.
static bool isUncheckedDivision(Operation *op) {
  if (!isInUncheckedBody(op))
    return false;
  bool isOpen = false;
  auto find = [&](AffineMap map) {
    for (AffineExpr expression : map.getResults())
      scalar::forEachOpenDivision(expression,
                                  [&](AffineBinaryOpExpr) { isOpen = true; });
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto it) { find(it.getAffineMap()); })
      .Case([&](affine::AffineDelinearizeIndexOp it) {
        isOpen = !it.getDynamicBasis().empty();
      });
  return isOpen || (mayTrap(op) && !scalar::hasSafeDivisor(op) &&
                    op->getResult(0).getType().isIntOrIndex());
}

/// Whether the operation rounds in another way than el-7 says.
static bool roundsOtherwise(Operation *op) {
  auto own = dyn_cast<arith::ArithRoundingModeInterface>(op);
  auto mode = own ? own.getRoundingModeAttr() : arith::RoundingModeAttr();
  return mode && mode.getValue() != arith::RoundingMode::to_nearest_even;
}

/// Whether `op` is a loop whose result begins with no number.
static bool assignsInParallel(Operation *op) {
  auto loop = dyn_cast<affine::AffineParallelOp>(op);
  return loop && llvm::any_of(loop.getReductions(), [](Attribute reduction) {
           auto kind = dyn_cast<arith::AtomicRMWKindAttr>(reduction);
           return kind && kind.getValue() == arith::AtomicRMWKind::assign;
         });
}

/// Whether `op` declares memory of a program over memory.
static bool isGlobalOfMemory(Operation *op) {
  if (!isa<memref::GlobalOp>(op))
    return false;
  auto functions = op->getParentRegion()->getOps<func::FuncOp>();
  return llvm::any_of(
      functions, [](func::FuncOp func) { return loom::isOverMemory(func); });
}

/// The same for operations of other dialects.
static StringRef findUpstream(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  bool isOverMemory = loom::isOverMemory(op) || isGlobalOfMemory(op);
  if (isa_and_nonnull<loom::LoomDialect>(op->getDialect()) &&
      hasType(op, isMemory) &&
      !(isOverMemory && isa<loom::PackedOp, loom::BoundaryOp>(op)))
    return useTensors;
  if (isOverMemory)
    if (StringRef hint = findUnsupportedMemory(op); !hint.empty())
      return hint;
  if (isOverMemory && isAboutVectors(op))
    return {};
  // Constants and their addresses are no memory accesses.
  if (!isOverMemory &&
      llvm::is_contained({"memref", "llvm", "bufferization", "vector"},
                         dialect) &&
      !name.starts_with("llvm.mlir."))
    return useTensors;
  if (name == "irdl.dialect")
    return "give the text with --shape-library";
  if (auto global = dyn_cast<ml_program::GlobalOp>(op);
      global && !isDense(global))
    return "its value must be 'dense<...>' of its own type, with numbers for "
           "all extents";
  if (isa<ModuleOp>(op) && op->getParentOp())
    return "a program is one module, whose functions stand in it directly; "
           "take this one apart";
  if (dialect == "shape")
    return "use 'tensor.dim' and 'arith'";
  // Operations that only later passes create, and those of shape functions.
  if (!isOverMemory && hasType(op, isMemory))
    return useTensors;
  if (op->hasTrait<loom::InShapeFunction>())
    return "it stands in shape functions only";
  // Nothing checks that its permutation matches its types.
  if (isa<loom::TransposedOp>(op))
    return "the compiler makes it where memory is read in another order; use "
           "'linalg.transpose'";
  if (isa<loom::AllocOp, loom::LaunchOp, loom::ReleaseOp, loom::RetainOp,
          loom::RunOp, loom::SiteOp>(op))
    return "the compiler makes it where tensors have become memory; a program "
           "has tensors alone";
  if (auto fused = dyn_cast<loom::FusedReductionOp>(op);
      fused && hasType(op, isUnranked))
    return "give the operands' ranks, with '?' for their extents";
  if (roundsOtherwise(op))
    return "floats are rounded to the nearest, half to even; leave out the "
           "rounding mode";
  if (isUncheckedDivision(op))
    return "the divisor must be a constant; divide in a 'loom.map', whose "
           "elements are checked";
  if (assignsInParallel(op))
    return "its reduction is 'assign', which gives nothing where the loop has "
           "no iteration; give another one";
  if (hasUncheckedStep(op))
    return "the step must be a positive constant; write the loop in a "
           "'loom.map', whose elements are checked";
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
      softmax &&
      (!isa<FloatType>(softmax.getInputOperandType().getElementType()) ||
       hasType(op, isUnranked)))
    return "it takes floats of a known rank; use 'tosa.cast' or 'tensor.cast'";
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op);
      reshape && isUnranked(reshape.getSource().getType()))
    return "give the operand's rank, with '?' for its extents";
  // Upstream's bufferization supports only axes of extent 1.
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    if ((from.getRank() == 0 || to.getRank() == 0) &&
        !(from.hasStaticShape() && to.hasStaticShape()))
      return "beside a tensor without axes, extents must be 1 in the type; put "
             "'tensor.cast' between";
  }
  if (llvm::is_contained({"arith", "math"}, dialect) &&
      !op->hasTrait<OpTrait::ConstantLike>() &&
      llvm::any_of(op->getResultTypes(), isTensor) &&
      (!isElementwiseOnTensors(op) || mayTrap(op)) &&
      // A select between whole tensors.
      !(isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1)))
    return useTosa;
  if (changesSign(op))
    return {};
  if (StringRef hint = lookUp(upstream, name); !hint.empty())
    return hint;
  return hasType(op, isNeither) ? StringRef(useNumbers) : StringRef();
}

/// Why there is no lowering for this operation, and what to do; empty if there
/// is one.
static StringRef find(Operation *op) {
  if (StringRef hint = lookUp(entries, op->getName().getStringRef());
      !hint.empty())
    return hint;
  if (StringRef hint = findUnsupportedElements(op); !hint.empty())
    return hint;
  if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return findUpstream(op);
  if (!takesAnyRank(op) && hasUnknownRank(op))
    return "only element-wise operations take tensors of unknown rank; give "
           "the rank, with '?' for its extents";
  if (isa<tosa::ApplyScaleOp>(op) && hasType(op, isTensor))
    return "it scales one number in a body; use 'tosa.rescale' for tensors";
  return {};
}

bool legalize::isUnsupported(Operation *op) { return !find(op).empty(); }

void UnsupportedOperations::note(Operation *op) {
  if (isUnsupported(op))
    found.push_back(op);
}

bool UnsupportedOperations::dependOnRanks() const {
  return llvm::any_of(found, hasUnknownRank);
}

void UnsupportedOperations::update() {
  llvm::erase_if(found, [](Operation *op) { return !isUnsupported(op); });
}

LogicalResult
UnsupportedOperations::explain(const ShapeLibrary &library) const {
  for (Operation *op : found)
    if (hasUnknownRank(op) && failed(explainRefusal(op, library)))
      return failure();
  return success();
}

LogicalResult UnsupportedOperations::report() const {
  if (found.empty())
    return success();
  InFlightDiagnostic error =
      emitError(found.front()->getLoc())
      << "the program has " << found.size()
      << (found.size() == 1 ? " operation" : " operations")
      << " that cannot be compiled";
  attachNotes(error, found, [&](Operation *op) {
    return (infer::getOrigin(op) + ": " + find(op)).str();
  });
  return error;
}
