//===- Prover.h - questions about extents -----------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface for queries about extents, and its two small implementations:
// on types alone, and on a symbol table. A solver for affine facts lives above
// this library, behind the same interface.
//
// Invariant: a prover is sound, not complete. It answers proved or refuted only
// if that is true for every value that the facts allow.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_PROVER_H
#define BROADLOOM_SHAPE_PROVER_H

#include "shape/Answer.h"
#include "shape/Extent.h"

#include <string>

namespace broadloom {

class Symbols;

class Prover {
public:
  virtual ~Prover();

  /// Are the two extents equal?
  virtual Answer equal(Extent a, Extent b) const = 0;
  /// Is the extent 1?
  virtual Answer isOne(Extent extent) const = 0;
  /// Is the extent different from 1?
  Answer isNotOne(Extent extent) const { return isOne(extent).negated(); }
  /// Do they broadcast: are they equal, or is one of them 1? The default
  /// follows from the questions above.
  virtual Answer compatible(Extent a, Extent b) const;
  /// The shortest name for the extent: its number if that is known, else one
  /// symbol for all that are proved equal. `?` stays `?`.
  virtual Extent resolve(Extent extent) const { return extent; }
  /// The answer's full reason, with the origin of its fact.
  virtual std::string explain(const Answer &answer) const;
};

/// A prover that knows only types, and that a symbol equals itself (ext-1,
/// ext-3, ext-4).
class StaticProver final : public Prover {
public:
  Answer equal(Extent a, Extent b) const override;
  Answer isOne(Extent extent) const override;
  Answer compatible(Extent a, Extent b) const override;
};

/// The prover that knows only types, for callers without facts.
const Prover &staticProver();

/// A prover that uses a symbol table, which may grow in the meantime.
class SymbolProver final : public Prover {
public:
  explicit SymbolProver(const Symbols &symbols) : symbols_(symbols) {}

  Answer equal(Extent a, Extent b) const override;
  Answer isOne(Extent extent) const override;
  Answer compatible(Extent a, Extent b) const override;
  Extent resolve(Extent extent) const override;
  std::string explain(const Answer &answer) const override;

private:
  const Symbols &symbols_;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_PROVER_H
