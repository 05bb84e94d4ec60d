//===- RelationTexts.h - relations that have been parsed --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_RELATIONTEXTS_H
#define BROADLOOM_DIALECT_RELATIONTEXTS_H

#include "dialect/LoomDialect.h"
#include "poly/RelationText.h"

#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace broadloom::loom {

/// Parses a text of a relation once for a context, where an attribute is read
/// and where its relation is asked for. The verifier of attributes knows no
/// context, and parses anew. What was parsed is kept as long as the context
/// lives, as attributes are. Several threads may ask at one time.
class RelationTexts : public mlir::DialectInterface::Base<RelationTexts> {
public:
  explicit RelationTexts(mlir::Dialect *dialect) : Base(dialect) {}

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RelationTexts)

  struct Parsed {
    poly::Relation relation;
    /// As it is printed.
    std::string text;
  };
  /// Null, with `error`, whose place points into `text`, if it is none.
  const Parsed *parse(const std::string &text,
                      std::optional<poly::TextError> &error) const;

private:
  mutable std::mutex mutex;
  mutable llvm::StringMap<Parsed> known;
};

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_RELATIONTEXTS_H
