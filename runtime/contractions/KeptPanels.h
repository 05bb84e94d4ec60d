//===- KeptPanels.h - weights that are laid out once ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The panels of weights that the caller of a program promises not to change
// (loom.constant). Whoever owns the compiled program owns them, and all calls
// of it share them.
//
// Invariant: panels stay where they are until the object is destroyed. Any
// thread may call any function at any time; none throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_KEPTPANELS_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_KEPTPANELS_H

#include <cstdint>
#include <mutex>

namespace broadloom {

class KeptPanels {
public:
  KeptPanels() = default;
  KeptPanels(const KeptPanels &) = delete;
  KeptPanels &operator=(const KeptPanels &) = delete;
  ~KeptPanels();

  /// A weight of `steps` times `channels` elements, and its layout.
  struct Key {
    const char *weight;
    int64_t elementBytes, steps, channels, stepStride, channelStride;
    int64_t width, together;
    uint64_t padding;

    bool operator==(const Key &other) const;
  };

  /// The panels of a weight, or null.
  const char *find(const Key &key) noexcept;
  /// Memory for `bytes` bytes of panels, for `keep`; null if there is not
  /// enough.
  static char *make(int64_t bytes) noexcept;
  /// Keeps panels that `make` has given. Returns them, or those that another
  /// thread has kept before.
  const char *keep(const Key &key, char *panels) noexcept;

private:
  struct Entry;
  Entry *search(const Key &key) const noexcept;

  std::mutex mutex;
  Entry *first = nullptr;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_KEPTPANELS_H
