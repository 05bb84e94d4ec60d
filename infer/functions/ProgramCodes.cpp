//===- ProgramCodes.cpp - operations of shape functions as codes ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramCodes.h"

#include "infer/numbers/IntegerArithmetic.h"
#include "shape/FunctionProgram.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Code = FunctionCode;

static Code getCode(IntegerOperation::Kind kind) {
  using Kind = IntegerOperation::Kind;
  switch (kind) {
  case Kind::Add:
    return Code::Add;
  case Kind::Sub:
    return Code::Sub;
  case Kind::Mul:
    return Code::Mul;
  case Kind::Div:
    return Code::Div;
  case Kind::CeilDiv:
    return Code::CeilDiv;
  case Kind::FloorDiv:
    return Code::FloorDiv;
  case Kind::Rem:
    return Code::Rem;
  case Kind::Max:
    return Code::Max;
  case Kind::Min:
    return Code::Min;
  case Kind::Shl:
    return Code::ShiftLeft;
  case Kind::Shr:
    return Code::ShiftRight;
  case Kind::And:
    return Code::And;
  case Kind::Or:
    return Code::Or;
  case Kind::Xor:
    return Code::Xor;
  }
  llvm_unreachable("all kinds are above");
}

/// The code of an operation whose operands are read with a sign or without.
static int64_t withSign(Code code, bool isUnsigned) {
  return static_cast<int64_t>(code) + (isUnsigned ? kUnsignedCode : 0);
}

std::optional<int64_t> infer::getPlainCode(Operation *op) {
  static const llvm::StringMap<Code> codes = {
      {"shape.shape_of", Code::ShapeOf},
      {"shape.value_as_shape", Code::ElementsOf},
      {"loom.element_type", Code::TypeOf},
      {"loom.encoding", Code::EncodingOf},
      {"loom.is_scalar", Code::IsScalar},
      {"shape.with_shape", Code::WithShape},
      {"loom.dim", Code::Dim},
      {"shape.add", Code::Add},
      {"shape.mul", Code::Mul},
      {"shape.div", Code::FloorDiv},
      {"shape.max", Code::Max},
      {"shape.min", Code::Min},
      {"arith.select", Code::Select},
      {"arith.index_cast", Code::Copy},
      {"tensor.cast", Code::Copy},
      {"shape.index_to_size", Code::Copy},
      {"shape.size_to_index", Code::Copy},
      {"shape.to_extent_tensor", Code::Copy},
      {"shape.from_extent_tensor", Code::Copy},
      {"shape.assuming_all", Code::All},
      {"shape.rank", Code::Rank},
      {"shape.num_elements", Code::Count},
      {"shape.get_extent", Code::Extent},
      {"shape.from_extents", Code::MakeList},
      {"shape.concat", Code::Concat},
      {"shape.split_at", Code::Split},
      {"shape.shape_eq", Code::Same},
      {"loom.same_type", Code::Same},
      {"loom.same_encoding", Code::Same},
      {"shape.any", Code::Any},
      {"tensor.dim", Code::Length},
      {"tensor.extract", Code::Element},
  };
  // Only arithmetic shifts to the right have a code.
  if (std::optional<IntegerOperation> operation = getIntegerOperation(op))
    return withSign(getCode(operation->kind),
                    operation->isUnsigned &&
                        operation->kind != IntegerOperation::Kind::Shr);
  auto it = codes.find(op->getName().getStringRef());
  if (it == codes.end())
    return std::nullopt;
  return static_cast<int64_t>(it->second);
}

static Code getCode(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return Code::Equal;
  case P::ne:
    return Code::NotEqual;
  case P::slt:
  case P::ult:
    return Code::Less;
  case P::sle:
  case P::ule:
    return Code::AtMost;
  case P::sgt:
  case P::ugt:
    return Code::Greater;
  case P::sge:
  case P::uge:
    return Code::AtLeast;
  }
  llvm_unreachable("all predicates are above");
}

int64_t infer::getComparisonCode(arith::CmpIPredicate predicate) {
  return withSign(getCode(predicate), isUnsigned(predicate));
}
