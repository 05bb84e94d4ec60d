//===- Extent.h - the size of one axis --------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extent is a static non-negative integer, `?` (not known statically), a
// symbol (a named `?`: two uses of one symbol are equal), or the scalable
// extent `[n]` of a vector (ext-1, ext-4).
//
// Invariant: the value of a static extent is not negative. A symbol is only a
// number; Symbols has its name and the facts about it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_EXTENT_H
#define BROADLOOM_SHAPE_EXTENT_H

#include <cstdint>

namespace broadloom {

/// Number of a symbol in its table.
using SymbolId = uint32_t;

/// The size of one axis, as far as it is known statically.
class Extent {
public:
  enum class Kind : uint8_t { Dynamic, Fixed, Symbol, Scalable };

  /// `?`
  constexpr Extent() = default;

  /// The static extent `n`. A negative number gives `?`, so that sentinels for
  /// "dynamic" are mapped to it.
  static constexpr Extent fixed(int64_t n) {
    return n < 0 ? Extent() : Extent(Kind::Fixed, n);
  }
  static constexpr Extent dynamic() { return Extent(); }
  static constexpr Extent symbol(SymbolId id) {
    return Extent(Kind::Symbol, static_cast<int64_t>(id));
  }
  /// `[n]`: n times a factor that only the machine knows (ext-4). A negative
  /// number gives `?`.
  static constexpr Extent scalable(int64_t n) {
    return n < 0 ? Extent() : Extent(Kind::Scalable, n);
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool isDynamic() const { return kind_ == Kind::Dynamic; }
  constexpr bool isFixed() const { return kind_ == Kind::Fixed; }
  constexpr bool isFixed(int64_t n) const { return isFixed() && value_ == n; }
  constexpr bool isSymbol() const { return kind_ == Kind::Symbol; }
  constexpr bool isScalable() const { return kind_ == Kind::Scalable; }
  /// Whether the extent is fully known from a type: fixed or scalable.
  constexpr bool isStatic() const { return isFixed() || isScalable(); }

  /// The number n of a fixed or scalable extent; 0 for others.
  constexpr int64_t value() const { return isStatic() ? value_ : 0; }
  /// The symbol's number; only for symbols.
  constexpr SymbolId symbolId() const { return static_cast<SymbolId>(value_); }

  /// Whether two extents have the same form. That does not prove equality: two
  /// `?` have the same form (a Prover decides equality).
  friend constexpr bool operator==(Extent a, Extent b) {
    return a.kind_ == b.kind_ && a.value_ == b.value_;
  }
  friend constexpr bool operator!=(Extent a, Extent b) { return !(a == b); }

private:
  constexpr Extent(Kind kind, int64_t value) : value_(value), kind_(kind) {}

  int64_t value_ = 0;
  Kind kind_ = Kind::Dynamic;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_EXTENT_H
