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

/// The code of an operation on integers: with kUnsignedCode where its operands
/// are read as unsigned.
static int64_t getIntegerCode(IntegerOperation operation) {
  using Kind = IntegerOperation::Kind;
  auto withSign = [&](Code code) {
    return static_cast<int64_t>(code) +
           (operation.isUnsigned ? kUnsignedCode : 0);
  };
  switch (operation.kind) {
  case Kind::Add:
    return withSign(Code::Add);
  case Kind::Sub:
    return withSign(Code::Sub);
  case Kind::Mul:
    return withSign(Code::Mul);
  case Kind::Div:
    return withSign(Code::Div);
  case Kind::CeilDiv:
    return withSign(Code::CeilDiv);
  case Kind::FloorDiv:
    return withSign(Code::FloorDiv);
  case Kind::Rem:
    return withSign(Code::Rem);
  case Kind::Max:
    return withSign(Code::Max);
  case Kind::Min:
    return withSign(Code::Min);
  case Kind::Shl:
    return withSign(Code::ShiftLeft);
  case Kind::Shr:
    // Only arithmetic shifts to the right have a code.
    return static_cast<int64_t>(Code::ShiftRight);
  case Kind::And:
    return withSign(Code::And);
  case Kind::Or:
    return withSign(Code::Or);
  case Kind::Xor:
    return withSign(Code::Xor);
  }
  llvm_unreachable("all kinds are above");
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
  if (std::optional<IntegerOperation> operation = getIntegerOperation(op))
    return getIntegerCode(*operation);
  auto it = codes.find(op->getName().getStringRef());
  if (it == codes.end())
    return std::nullopt;
  return static_cast<int64_t>(it->second);
}

int64_t infer::getComparisonCode(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  auto withSign = [&](Code code) {
    return static_cast<int64_t>(code) +
           (isUnsigned(predicate) ? kUnsignedCode : 0);
  };
  switch (predicate) {
  case P::eq:
    return withSign(Code::Equal);
  case P::ne:
    return withSign(Code::NotEqual);
  case P::slt:
  case P::ult:
    return withSign(Code::Less);
  case P::sle:
  case P::ule:
    return withSign(Code::AtMost);
  case P::sgt:
  case P::ugt:
    return withSign(Code::Greater);
  case P::sge:
  case P::uge:
    return withSign(Code::AtLeast);
  }
  llvm_unreachable("all predicates are above");
}
