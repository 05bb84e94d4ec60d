//===- ConstantData.h - constant arrays and structs of a module -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that compiled code hands to the runtime, as globals of the LLVM
// dialect. Invariant: equal strings and equal arrays of numbers are one global,
// and all are internal constants.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_CONSTANTDATA_H
#define BROADLOOM_CODEGEN_KERNELS_CONSTANTDATA_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace broadloom::codegen {

/// A field of a constant struct: a number of 32 or 64 bits, or the address of a
/// global or function.
class Leaf {
public:
  static Leaf i32(int64_t value) { return Leaf(Kind::I32, value, {}); }
  static Leaf i64(int64_t value) { return Leaf(Kind::I64, value, {}); }
  static Leaf address(mlir::FlatSymbolRefAttr symbol) {
    return Leaf(Kind::Address, 0, symbol);
  }
  static Leaf null() { return address({}); }
  mlir::Type getType(mlir::MLIRContext *context) const;
  mlir::Value build(mlir::OpBuilder &b, mlir::Location loc) const;

private:
  enum class Kind { I32, I64, Address };
  Leaf(Kind kind, int64_t number, mlir::FlatSymbolRefAttr symbol)
      : kind(kind), number(number), symbol(symbol) {}

  Kind kind;
  int64_t number;
  mlir::FlatSymbolRefAttr symbol;
};
using Record = llvm::SmallVector<Leaf, 8>;

class ConstantData {
public:
  /// Globals go to the end of `module`, and have names that begin with
  /// `prefix` unless they are given one.
  ConstantData(mlir::ModuleOp module, llvm::StringRef prefix)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())), prefix(prefix) {
  }

  /// A zero-terminated string.
  mlir::FlatSymbolRefAttr string(mlir::Location loc, llvm::StringRef text);

  /// An array of 32-bit or 64-bit numbers, which is not empty.
  mlir::FlatSymbolRefAttr numbers(mlir::Location loc,
                                  llvm::ArrayRef<int32_t> values);
  mlir::FlatSymbolRefAttr bigNumbers(mlir::Location loc,
                                     llvm::ArrayRef<int64_t> values);

  /// A struct, named `name` where that is given.
  mlir::FlatSymbolRefAttr record(mlir::Location loc, const Record &leaves,
                                 llvm::StringRef name = {});
  /// One that others outside the module see.
  mlir::FlatSymbolRefAttr publicRecord(mlir::Location loc, const Record &leaves,
                                       llvm::StringRef name);

  /// An array of structs, which all have fields of the same types; not empty.
  /// Takes time linear in their number, as far as matters.
  mlir::FlatSymbolRefAttr table(mlir::Location loc,
                                llvm::ArrayRef<Record> records,
                                llvm::StringRef name = {});

private:
  mlir::LLVM::GlobalOp makeGlobal(mlir::Location loc, mlir::Type type,
                                  llvm::StringRef name, mlir::Attribute value);
  /// `symbol`, where an array has one already, else a new global's.
  template <typename Number>
  mlir::FlatSymbolRefAttr array(mlir::Location loc, mlir::Type element,
                                llvm::ArrayRef<Number> values,
                                mlir::FlatSymbolRefAttr &symbol);
  mlir::FlatSymbolRefAttr
  build(mlir::Location loc, mlir::Type type, llvm::StringRef name,
        llvm::function_ref<mlir::Value(mlir::OpBuilder &)> makeValue);

  mlir::OpBuilder builder;
  llvm::StringMap<mlir::FlatSymbolRefAttr> strings;
  std::map<std::vector<int32_t>, mlir::FlatSymbolRefAttr> arrays;
  std::map<std::vector<int64_t>, mlir::FlatSymbolRefAttr> bigArrays;
  std::string prefix;
  unsigned nextName = 0;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_CONSTANTDATA_H
