//===- Record.h - constant structs of the interface -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant of each struct of runtime/abi/Abi.def, made field by field:
//
//   SlotRecord().rank(2).where(8)
//
// Invariant: each field takes a value of its own type, and has one before the
// record is used.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_LAYOUT_RECORD_H
#define BROADLOOM_CODEGEN_LAYOUT_RECORD_H

#include "codegen/layout/AbiTypes.h"

namespace broadloom::codegen {

/// The value of a field of `type`: a number, or the symbol of a global or
/// function, null for the address 0.
template <abi::Type type> struct FieldValue {};
template <> struct FieldValue<abi::I32> {
  using Type = int64_t;
};
template <> struct FieldValue<abi::I64> {
  using Type = uint64_t;
};
template <> struct FieldValue<abi::Pointer> {
  using Type = mlir::FlatSymbolRefAttr;
};
/// A field whose struct cannot be a constant.
struct NoValue {
  NoValue() = delete;
};
template <> struct FieldValue<abi::Extents> {
  using Type = NoValue;
};
template <> struct FieldValue<abi::Dims> {
  using Type = NoValue;
};

class Record {
public:
  llvm::ArrayRef<abi::FieldInfo> fields() const { return description; }
  mlir::LLVM::LLVMStructType getType(mlir::MLIRContext *context) const {
    return getAbiStruct(context, description);
  }
  /// Emits the constant at the insertion point.
  mlir::Value build(mlir::OpBuilder &b, mlir::Location loc) const;

protected:
  explicit Record(llvm::ArrayRef<abi::FieldInfo> description)
      : description(description), values(description.size()) {}

  void set(size_t field, int64_t number);
  void set(size_t field, uint64_t number) {
    at(field).number = int64_t(number);
  }
  void set(size_t field, mlir::FlatSymbolRefAttr symbol) {
    at(field).symbol = symbol;
  }
  void set(size_t field, NoValue) {}

private:
  struct Value {
    bool isSet = false;
    int64_t number = 0;
    mlir::FlatSymbolRefAttr symbol;
  };
  Value &at(size_t field);

  llvm::ArrayRef<abi::FieldInfo> description;
  llvm::SmallVector<Value, 8> values;
};

#define BROADLOOM_STRUCT(NAME)                                                 \
  class NAME##Record : public Record {                                         \
  public:                                                                      \
    NAME##Record() : Record(abi::NAME::kFields) {}
#define BROADLOOM_FIELD(NAME, FIELD, TYPE)                                     \
  NAME##Record &FIELD(FieldValue<abi::TYPE>::Type value) {                     \
    set(abi::NAME::FIELD, value);                                              \
    return *this;                                                              \
  }
#define BROADLOOM_STRUCT_END(NAME)                                             \
  }                                                                            \
  ;
#include "runtime/abi/Abi.def"

/// The address of a global or function alone, for tables of addresses.
class AddressRecord : public Record {
public:
  explicit AddressRecord(mlir::FlatSymbolRefAttr symbol) : Record(kField) {
    set(0, symbol);
  }

private:
  static constexpr abi::FieldInfo kField[] = {{"address", abi::Pointer, 0}};
};

/// Appends the fields of `value`, which are all numbers of 32 bits.
template <typename Described>
void appendNumbers(llvm::SmallVectorImpl<int32_t> &numbers,
                   const typename Described::Struct &value) {
  for (const abi::FieldInfo &field : Described::kFields) {
    assert(field.type == abi::I32 && "appends numbers of 32 bits only");
    int32_t number;
    std::memcpy(&number, reinterpret_cast<const char *>(&value) + field.offset,
                sizeof(number));
    numbers.push_back(number);
  }
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_LAYOUT_RECORD_H
