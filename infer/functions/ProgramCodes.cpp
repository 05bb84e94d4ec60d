//===- ProgramCodes.cpp - operations of shape functions as codes ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramCodes.h"

#include "shape/FunctionProgram.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Code = FunctionCode;

// The names of `arith` and `index` differ in the endings.
std::optional<int64_t> infer::getPlainCode(StringRef name) {
  static const llvm::StringMap<Code> codes = {
      {"shape.shape_of", Code::ShapeOf},
      {"shape.value_as_shape", Code::ElementsOf},
      {"loom.element_type", Code::TypeOf},
      {"loom.encoding", Code::EncodingOf},
      {"loom.is_scalar", Code::IsScalar},
      {"shape.with_shape", Code::WithShape},
      {"loom.dim", Code::Dim},
      {"add", Code::Add},
      {"sub", Code::Sub},
      {"mul", Code::Mul},
      {"div", Code::Div},
      {"shape.div", Code::FloorDiv},
      {"ceildiv", Code::CeilDiv},
      {"floordiv", Code::FloorDiv},
      {"rem", Code::Rem},
      {"max", Code::Max},
      {"min", Code::Min},
      {"shl", Code::ShiftLeft},
      {"shr", Code::ShiftRight},
      {"and", Code::And},
      {"or", Code::Or},
      {"xor", Code::Xor},
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
  auto find = [&](StringRef key) -> std::optional<int64_t> {
    auto it = codes.find(key);
    return it == codes.end() ? std::nullopt
                             : std::optional(static_cast<int64_t>(it->second));
  };
  if (auto code = find(name))
    return code;
  auto [dialect, plain] = name.split('.');
  if (dialect != "arith" && dialect != "index" && dialect != "shape")
    return std::nullopt;
  // `addi`, `divsi`, `ceildivui` and `divs`, `ceildivu`: the unsigned ending is
  // removed first, so that `divs` is the same operation as `div`.
  if (dialect == "arith")
    plain.consume_back("i");
  if (auto code = find(plain))
    return code;
  bool isUnsigned = plain.ends_with("u");
  if (!isUnsigned && !plain.ends_with("s"))
    return std::nullopt;
  std::optional<int64_t> code = find(plain.drop_back());
  // Only arithmetic shifts to the right have a code.
  if (code && isUnsigned && *code != static_cast<int64_t>(Code::ShiftRight))
    *code += kUnsignedCode;
  return code;
}

int64_t infer::getComparisonCode(StringRef predicate) {
  auto code = static_cast<int64_t>(llvm::StringSwitch<Code>(predicate)
                                       .Case("eq", Code::Equal)
                                       .Case("ne", Code::NotEqual)
                                       .Cases({"slt", "ult"}, Code::Less)
                                       .Cases({"sle", "ule"}, Code::AtMost)
                                       .Cases({"sgt", "ugt"}, Code::Greater)
                                       .Default(Code::AtLeast));
  return predicate.starts_with("u") ? code + kUnsignedCode : code;
}
