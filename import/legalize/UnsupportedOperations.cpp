//===- UnsupportedOperations.cpp - what cannot be compiled ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/legalize/UnsupportedOperations.h"

#include "dialect/LoomShapeOps.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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
static constexpr Entry entries[] = {
    {"tosa.cast_from_block_scaled", useFloats},
    {"tosa.cast_to_block_scaled", useFloats},
    {"tosa.matmul_t_block_scaled", useFloats},
};

/// The operations that pass tensors on without a look at them.
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
    {"linalg.pack", useTosa},
    {"linalg.softmax", useTosa},
    {"linalg.unpack", useTosa},
    {"linalg.winograd_filter_transform", useTosa},
    {"linalg.winograd_input_transform", useTosa},
    {"linalg.winograd_output_transform", useTosa},
    {"ml_program.global_store", passState},
    {"tensor.bitcast", "use 'tosa.cast' or a 'loom.map' with 'arith.bitcast'"},
    {"tensor.gather", "use 'tosa.gather'"},
    {"tensor.pack", useTosa},
    {"tensor.scatter", "use 'tosa.scatter'"},
};

/// The hint of a sorted table for an operation; empty where it has none.
static StringRef lookUp(ArrayRef<Entry> table, StringRef name) {
  const Entry *entry =
      llvm::lower_bound(table, name, [](const Entry &entry, StringRef name) {
        return entry.name < name;
      });
  return entry == table.end() || entry->name != name ? StringRef()
                                                     : StringRef(entry->hint);
}

/// Whether some elements end the process.
static bool mayTrap(Operation *op) {
  return scalar::getDivisionKind(op) != scalar::DivisionKind::None;
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

static bool isMemory(Type type) { return isa<BaseMemRefType>(type); }

/// Types of MLIR that are neither tensors nor numbers; what users define stays
/// theirs.
static bool isNeither(Type type) {
  return isa<VectorType, ComplexType, TupleType, NoneType>(type);
}

/// Whether a type of its operands, results, or of the function that it is,
/// has `property`.
static bool hasType(Operation *op, llvm::function_ref<bool(Type)> property) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return llvm::any_of(function.getArgumentTypes(), property) ||
           llvm::any_of(function.getResultTypes(), property);
  return llvm::any_of(op->getOperandTypes(), property) ||
         llvm::any_of(op->getResultTypes(), property);
}

/// The same for operations that are none of TOSA's.
static StringRef findUpstream(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  // Constants and the names of them are no access.
  if (llvm::is_contained({"memref", "llvm", "bufferization", "vector"},
                         dialect) &&
      !name.starts_with("llvm.mlir."))
    return useTensors;
  if (name == "irdl.dialect")
    return "give the text with --shape-library";
  if (dialect == "shape")
    return "use 'tensor.dim' and 'arith'";
  // What later stages write, and what shape functions are made of.
  if (hasType(op, isMemory))
    return useTensors;
  if (isa<loom::ExtentsOp, loom::DimOp, loom::ElementTypeOp, loom::TypeOp,
          loom::SameTypeOp, loom::IsScalarOp, loom::EncodingOp,
          loom::SameEncodingOp, loom::AttributeOp, loom::AttributeIsOp,
          loom::RegionYieldsOp, loom::DataExtentOp, loom::DataOp,
          loom::ConstraintOp, loom::ApplyOp>(op))
    return "it stands in shape functions only";
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op);
      reshape && isUnranked(reshape.getSource().getType()))
    return "give the operand's rank, with '?' for its extents";
  if (llvm::is_contained({"arith", "math"}, dialect) &&
      !op->hasTrait<OpTrait::ConstantLike>() &&
      llvm::any_of(op->getResultTypes(), isTensor) &&
      (!isElementwiseOnTensors(op) || mayTrap(op)) &&
      // A choice between whole tensors.
      !(isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1)))
    return useTosa;
  if (StringRef hint = lookUp(upstream, name); !hint.empty())
    return hint;
  return hasType(op, isNeither) ? StringRef(useNumbers) : StringRef();
}

/// Why TOSA's reductions and pools do not take elements of this type, which
/// upstream's definitions do not forbid; empty where they take it. They order
/// integers as signed ones.
static StringRef findWrongElements(Operation *op) {
  bool isLogical = isa<tosa::ReduceAllOp, tosa::ReduceAnyOp>(op);
  bool isOrdered = isa<tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ArgMaxOp,
                       tosa::MaxPool2dOp, tosa::AvgPool2dOp>(op);
  bool isSum = isa<tosa::ReduceSumOp, tosa::ReduceProductOp>(op);
  if (!isLogical && !isOrdered && !isSum)
    return {};
  Type element = getElementTypeOrSelf(op->getOperand(0));
  if (isLogical)
    return element.isInteger(1) ? ""
                                : "it takes i1; compare with 'tosa.equal' or "
                                  "'tosa.greater' first";
  if (element.isInteger(1))
    return "it takes numbers; convert i1 with 'tosa.cast', or take "
           "'tosa.reduce_any' or 'tosa.reduce_all'";
  if (isOrdered && element.isUnsignedInteger())
    return "it orders integers as signed ones; convert unsigned ones to a "
           "wider "
           "type with 'tosa.cast' first";
  bool isReduction = isSum || isa<tosa::ReduceMaxOp, tosa::ReduceMinOp>(op);
  if (isReduction && isa<FloatType>(element) &&
      element.getIntOrFloatBitWidth() == 8)
    return "nothing reduces floats of 8 bits; convert them with 'tosa.cast'";
  return {};
}

/// Why nothing lowers this operation, and what to do; empty where it is fine.
static StringRef find(Operation *op) {
  if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return findUpstream(op);
  if (!takesAnyRank(op) && (llvm::any_of(op->getOperandTypes(), isUnranked) ||
                            llvm::any_of(op->getResultTypes(), isUnranked)))
    return "only element-wise operations take tensors of unknown rank; give "
           "the rank, with '?' for its extents";
  if (StringRef hint = findWrongElements(op); !hint.empty())
    return hint;
  return lookUp(entries, op->getName().getStringRef());
}

void UnsupportedOperations::note(Operation *op) {
  if (!find(op).empty())
    found.push_back(op);
}

LogicalResult UnsupportedOperations::report() const {
  if (found.empty())
    return success();
  // A note for each up to here; a model may have thousands of one kind.
  constexpr size_t maxNotes = 10;
  InFlightDiagnostic error =
      emitError(found.front()->getLoc())
      << "the program has " << found.size()
      << (found.size() == 1 ? " operation" : " operations")
      << " that cannot be compiled";
  for (Operation *op : ArrayRef(found).take_front(maxNotes))
    error.attachNote(op->getLoc()) << op->getName() << ": " << find(op);
  if (found.size() > maxNotes)
    error.attachNote() << "and " << found.size() - maxNotes << " more";
  return error;
}
