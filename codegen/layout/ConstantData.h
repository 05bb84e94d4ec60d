//===- ConstantData.h - constant arrays and structs of a module -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that compiled code passes to the runtime, as globals of the LLVM
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
  /// Globals are added at the end of `module`; their names begin with `prefix`
  /// unless they are given.
  ConstantData(mlir::ModuleOp module, llvm::StringRef prefix)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())), prefix(prefix) {
  }

  /// A zero-terminated string.
  mlir::FlatSymbolRefAttr string(mlir::Location loc, llvm::StringRef text);

  /// An array of 32-bit or 64-bit numbers. Without `values`, the array has one
  /// element, 0.
  mlir::FlatSymbolRefAttr numbers(mlir::Location loc,
                                  llvm::ArrayRef<int32_t> values);
  mlir::FlatSymbolRefAttr bigNumbers(mlir::Location loc,
                                     llvm::ArrayRef<int64_t> values);

  /// A struct, named `name` if that is given.
  mlir::FlatSymbolRefAttr record(mlir::Location loc, const Record &record,
                                 llvm::StringRef name = {});
  /// A struct that is visible outside the module.
  mlir::FlatSymbolRefAttr publicRecord(mlir::Location loc, const Record &record,
                                       llvm::StringRef name);

  /// An array of structs of one kind; without any, an arbitrary global. The
  /// time is practically linear in their number.
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
  /// The symbol of an equal array if there is one, else that of a new global.
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
