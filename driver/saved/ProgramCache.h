//===- ProgramCache.h - compiled programs from earlier ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// Saved programs in a folder of the user's, by the content of what they were
// compiled from: BROADLOOM_CACHE in the environment, or `broadloom` in
// XDG_CACHE_HOME or ~/.cache. There is no cache where BROADLOOM_CACHE is 0.
//
// Invariant: a folder that others may write to is not used, since code from it
// would be run. On any error, programs are compiled as without a cache.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SAVED_PROGRAMCACHE_H
#define BROADLOOM_DRIVER_SAVED_PROGRAMCACHE_H

#include "driver/saved/SavedProgram.h"

namespace broadloom {

/// The most bytes that files in the cache have together. It can be larger for a
/// short time, because it is not measured after each entry.
inline constexpr uint64_t kCacheBytes = uint64_t(256) << 20;

class ProgramCache {
public:
  /// Opens the folder that the environment names; null if there is none.
  static std::unique_ptr<ProgramCache> open();

  /// The code of `program`, of which all is known but the code, from an earlier
  /// compilation by this very library. Nothing where there is none. Sets
  /// `givenDigests` of `program`, so that put() and a file need not hash again.
  std::optional<SavedProgram> get(SavedProgram &program) const;

  /// Keeps the code of `program`, and removes the least recently used entries
  /// if the cache is measured and found too large.
  void put(const SavedProgram &program, uint64_t mostBytes = kCacheBytes) const;

private:
  explicit ProgramCache(std::string folder) : folder(std::move(folder)) {}
  std::string getPath(const SavedProgram &program) const;
  void dropOldest(uint64_t mostBytes) const;

  std::string folder;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SAVED_PROGRAMCACHE_H
