//===- Record.cpp - constant structs of the interface ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/Record.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

Record::Value &Record::at(size_t field) {
  Value &value = values[field];
  assert(!value.isSet && "a field has one value");
  value.isSet = true;
  return value;
}

void Record::set(size_t field, int64_t number) {
  assert(number == int32_t(number) && "the number has more than 32 bits");
  at(field).number = number;
}

mlir::Value Record::build(OpBuilder &b, Location loc) const {
  mlir::Value record = LLVM::UndefOp::create(b, loc, getType(b.getContext()));
  for (auto [i, value] : llvm::enumerate(values)) {
    assert(value.isSet && "a field has no value");
    Type type = getAbiType(b.getContext(), description[i].type);
    mlir::Value made;
    if (description[i].type != abi::Pointer)
      made = LLVM::ConstantOp::create(b, loc, type,
                                      b.getIntegerAttr(type, value.number));
    else if (value.symbol)
      made = LLVM::AddressOfOp::create(b, loc, type, value.symbol);
    else
      made = LLVM::ZeroOp::create(b, loc, type);
    record = LLVM::InsertValueOp::create(b, loc, record, made,
                                         ArrayRef<int64_t>{int64_t(i)});
  }
  return record;
}
