//===- LoomDialect.h - the loom dialect -------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the dialect in LoomDialect.td and LoomOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMDIALECT_H
#define BROADLOOM_DIALECT_LOOMDIALECT_H

#include "dialect/LoomTraits.h"
#include "runtime/abi/ContractionKind.h"
#include "runtime/abi/LinearAlgebraKind.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <limits>
#include <optional>

namespace broadloom::poly {
class Relation;
struct PackedSet;
} // namespace broadloom::poly

namespace broadloom::loom {

/// The resource that a guard writes: the outcome of the call.
struct FailureResource
    : public mlir::SideEffects::Resource::Base<FailureResource> {
  llvm::StringRef getName() final { return "loom.failure"; }
};

/// The values that a named extent may have: `least`, `least + step`, ... up to
/// `most`.
struct NameRange {
  static constexpr int64_t kNoMost = std::numeric_limits<int64_t>::max();

  int64_t least = 0;
  int64_t most = kNoMost;
  int64_t step = 1;

  bool hasMost() const { return most != kNoMost; }
  bool operator==(const NameRange &other) const {
    return least == other.least && most == other.most && step == other.step;
  }
  bool operator!=(const NameRange &other) const { return !(*this == other); }
};
llvm::hash_code hash_value(const NameRange &range);

/// A number that a function gets: an integer argument, or the extent of one
/// that is memory.
struct ScalarReference {
  unsigned argument = 0;
  /// -1 for the argument itself.
  int64_t axis = -1;

  bool isExtent() const { return axis >= 0; }
  bool operator==(const ScalarReference &other) const {
    return argument == other.argument && axis == other.axis;
  }
};
inline llvm::hash_code hash_value(const ScalarReference &scalar) {
  return llvm::hash_combine(scalar.argument, scalar.axis);
}

namespace detail {
struct SetShapeAttrStorage;
} // namespace detail

} // namespace broadloom::loom

namespace broadloom {
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &out,
                                     ContractionKind kind) {
  return out << getKindName(kind);
}
} // namespace broadloom

namespace mlir {
/// A kind in the text of an attribute.
template <> struct FieldParser<broadloom::ContractionKind> {
  static FailureOr<broadloom::ContractionKind> parse(AsmParser &parser);
};
} // namespace mlir

#include "dialect/LoomDialect.h.inc"
#include "dialect/LoomEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/LoomAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/LoomTypes.h.inc"
#define GET_OP_CLASSES
#include "dialect/LoomOps.h.inc"

#endif // BROADLOOM_DIALECT_LOOMDIALECT_H
