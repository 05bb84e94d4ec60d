//===- OldDialect.h - operations of any version of TOSA ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_VERSIONS_OLDDIALECT_H
#define BROADLOOM_READ_VERSIONS_OLDDIALECT_H

#include "read/versions/OldText.h"

#include "mlir/IR/Dialect.h"

namespace broadloom::read {

/// The dialect kNamespace. It accepts operations of every name with any
/// attributes, operands and types, in the generic form and in the forms that
/// versions of TOSA print. Enumerators become texts.
class OldDialect : public mlir::Dialect {
public:
  explicit OldDialect(mlir::MLIRContext *context);
  static llvm::StringRef getDialectNamespace() { return kNamespace; }

  std::optional<ParseOpHook>
  getParseOperationHook(llvm::StringRef name) const override;
};

} // namespace broadloom::read

MLIR_DECLARE_EXPLICIT_TYPE_ID(broadloom::read::OldDialect)

#endif // BROADLOOM_READ_VERSIONS_OLDDIALECT_H
