//===- SiteKind.h - what takes the time at a site ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_PROFILE_SITEKIND_H
#define BROADLOOM_RUNTIME_PROFILE_SITEKIND_H

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace broadloom {

/// Maps, reductions and contractions are kernels; a loop is code of the
/// function itself, sorts and linear algebra are the runtime's, and a copy
/// moves elements.
enum class SiteKind { Map, Reduction, Contraction, Loop, Sort, Algebra, Copy };

/// In the order of SiteKind.
inline constexpr std::array<const char *, 7> kSiteKindNames = {
    "map", "reduction", "contraction", "loop", "sort", "algebra", "copy"};

constexpr const char *getKindName(SiteKind kind) {
  return kSiteKindNames[size_t(kind)];
}

/// Nothing if no kind has the name.
constexpr std::optional<SiteKind> findSiteKind(std::string_view name) {
  for (size_t i = 0; i < kSiteKindNames.size(); ++i)
    if (name == kSiteKindNames[i])
      return SiteKind(i);
  return std::nullopt;
}

/// Whether the runtime counts the operations there: it does not see those of a
/// loop in the function itself, nor those of sorts and linear algebra.
constexpr bool countsOperations(SiteKind kind) {
  return kind != SiteKind::Loop && kind != SiteKind::Sort &&
         kind != SiteKind::Algebra;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_PROFILE_SITEKIND_H
