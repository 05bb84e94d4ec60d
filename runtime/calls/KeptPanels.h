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
// Invariant: panels that a call finds or keeps stay where they are until it
// leaves. Any thread may call any function at any time; none throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_KEPTPANELS_H
#define BROADLOOM_RUNTIME_CALLS_KEPTPANELS_H

#include <cstdint>
#include <mutex>

namespace broadloom {

class KeptPanels {
public:
  KeptPanels() = default;
  KeptPanels(const KeptPanels &) = delete;
  KeptPanels &operator=(const KeptPanels &) = delete;
  ~KeptPanels();

  /// A weight of `taps` times `tapDepth` steps of `channels` elements, which
  /// are `parts` equal parts, and its layout.
  struct Key {
    const char *weight;
    int64_t elementBytes, taps, tapDepth, channels, parts;
    int64_t stepStride, channelStride, width, together;
    uint64_t padding;

    bool operator==(const Key &other) const;
  };

  /// Begins a call that reads panels. Returns the number of times that all
  /// panels were forgotten.
  uint64_t enter() noexcept;
  /// Ends such a call.
  void leave() noexcept;
  /// Forgets all panels, since weights have changed: no call finds them that
  /// begins after this. They are freed when no call reads panels.
  void forget() noexcept;

  /// The panels of a weight for a call that began at `time`, or null.
  const char *find(const Key &key, uint64_t time) noexcept;
  /// Memory for `bytes` bytes of panels, for `keep`; null if there is not
  /// enough.
  static char *make(int64_t bytes) noexcept;
  /// Frees what `make` has given and nobody keeps.
  static void discard(char *panels) noexcept;
  /// Keeps panels that `make` has given, of a call that began at `time`.
  /// Returns them, or those that another thread has kept before.
  const char *keep(const Key &key, char *panels, uint64_t time) noexcept;

private:
  struct Entry;
  Entry *search(const Key &key, uint64_t time) const noexcept;
  static void releaseAll(Entry *&list) noexcept;

  std::mutex mutex;
  Entry *first = nullptr;
  /// What is forgotten, until no call reads panels.
  Entry *forgotten = nullptr;
  uint64_t now = 0;
  int64_t readers = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_KEPTPANELS_H
