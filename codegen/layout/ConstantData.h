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

#ifndef BROADLOOM_CODEGEN_LAYOUT_CONSTANTDATA_H
#define BROADLOOM_CODEGEN_LAYOUT_CONSTANTDATA_H

#include "codegen/layout/Record.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace broadloom::codegen {

class ConstantData {
public:
  /// Globals go to the end of `module`, and have names that begin with
  /// `prefix` unless they are given one.
  ConstantData(mlir::ModuleOp module, llvm::StringRef prefix)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())), prefix(prefix) {
  }

  /// A zero-terminated string.
  mlir::FlatSymbolRefAttr string(mlir::Location loc, llvm::StringRef text);

  /// An array of 32-bit or 64-bit numbers. An array has at least one element: a
  /// 0 where there are no `values`.
  mlir::FlatSymbolRefAttr numbers(mlir::Location loc,
                                  llvm::ArrayRef<int32_t> values);
  mlir::FlatSymbolRefAttr bigNumbers(mlir::Location loc,
                                     llvm::ArrayRef<int64_t> values);

  /// A struct, named `name` where that is given.
  mlir::FlatSymbolRefAttr record(mlir::Location loc, const Record &record,
                                 llvm::StringRef name = {});
  /// One that others outside the module see.
  mlir::FlatSymbolRefAttr publicRecord(mlir::Location loc, const Record &record,
                                       llvm::StringRef name);

  /// An array of structs, which are all of one kind; something else where there
  /// are none. Takes time linear in their number, as far as matters.
  template <typename Kind>
  mlir::FlatSymbolRefAttr table(mlir::Location loc,
                                const llvm::SmallVectorImpl<Kind> &records,
                                llvm::StringRef name = {}) {
    return tableOf(
        loc,
        llvm::SmallVector<const Record *>(llvm::make_pointer_range(records)),
        name);
  }

private:
  mlir::FlatSymbolRefAttr tableOf(mlir::Location loc,
                                  llvm::ArrayRef<const Record *> records,
                                  llvm::StringRef name);
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

#endif // BROADLOOM_CODEGEN_LAYOUT_CONSTANTDATA_H
