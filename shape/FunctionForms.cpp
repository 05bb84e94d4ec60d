//===- FunctionForms.cpp - what instructions consist of -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionForms.h"

using namespace broadloom;

using Code = FunctionCode;

static constexpr int64_t kMany = INT64_MAX;

FunctionForm broadloom::getForm(Code code) {
  switch (code) {
  case Code::Yield:
    return {{0, kMany}, {0, 0}, {0, 0}};
  case Code::Number:
  case Code::Condition:
  case Code::Text:
  case Code::Unknown:
    return {{0, 0}, {1, 1}, {1, 1}};
  case Code::List:
  case Code::Operand:
    return {{0, 0}, {1, 1}, {0, kMany}};
  case Code::ShapeOf:
  case Code::ElementsOf:
  case Code::TypeOf:
  case Code::EncodingOf:
  case Code::IsScalar:
  case Code::Copy:
  case Code::Rank:
  case Code::Count:
    return {{1, 1}, {1, 1}, {0, 0}};
  case Code::Extents:
    return {{1, 1}, {0, kMany}, {1, 1}};
  case Code::And:
  case Code::Or:
  case Code::Xor:
  case Code::Equal:
  case Code::NotEqual:
    return {{2, 2}, {1, 1}, {0, 1}};
  case Code::Select:
    return {{3, 3}, {1, 1}, {0, 0}};
  case Code::All:
  case Code::MakeList:
  case Code::MakeOperands:
    return {{0, kMany}, {1, 1}, {0, 0}};
  case Code::Split:
    return {{2, 2}, {2, 2}, {0, 0}};
  case Code::Same:
    return {{0, kMany}, {1, 1}, {0, 1}};
  case Code::Broadcasts:
  case Code::Broadcast:
    return {{0, kMany}, {1, 1}, {1, 2}};
  case Code::Meet:
    return {{2, 2}, {1, 1}, {1, 1}};
  case Code::Any:
    return {{1, kMany}, {1, 1}, {0, 0}};
  case Code::Constrain:
    return {{1, kMany}, {0, 0}, {1, 1}};
  case Code::Fail:
    return {{0, 0}, {0, 0}, {1, 1}};
  case Code::DataExtent:
    return {{1, 2}, {1, 1}, {0, 0}};
  case Code::If:
    return {{1, 1}, {0, kMany}, {2, 2}};
  case Code::For:
    return {{3, kMany}, {0, kMany}, {2, kMany}};
  case Code::Reduce:
    return {{1, kMany}, {0, kMany}, {3, kMany}};
  case Code::Call:
    return {{0, kMany}, {0, kMany}, {1, kMany}};
  case Code::Result:
    return {{1, 1}, {0, 0}, {2, 3}};
  case Code::WithShape:
  case Code::Dim:
  case Code::Add:
  case Code::Sub:
  case Code::Mul:
  case Code::Div:
  case Code::CeilDiv:
  case Code::FloorDiv:
  case Code::Rem:
  case Code::Max:
  case Code::Min:
  case Code::ShiftLeft:
  case Code::ShiftRight:
  case Code::Less:
  case Code::AtMost:
  case Code::Greater:
  case Code::AtLeast:
  case Code::Extent:
  case Code::Concat:
  case Code::Length:
  case Code::Element:
    return {{2, 2}, {1, 1}, {0, 0}};
  }
  return {};
}

bool broadloom::isFunctionCode(int64_t word) {
  bool isUnsigned = word >= kUnsignedCode;
  auto code = Code(isUnsigned ? word - kUnsignedCode : word);
  return isUnsigned ? code >= Code::Add && code <= Code::AtLeast
                    : code >= Code::Yield && code <= Code::Result;
}
