//===- SystemMemory.cpp - how much memory the machine has -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/SystemMemory.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace broadloom;

namespace {

constexpr int64_t kUnknown = int64_t(1) << 62;

/// The number in a file that contains only that, or `otherwise` ("max" means no
/// limit).
int64_t numberIn(const char *path, int64_t otherwise) {
  FILE *file = fopen(path, "re");
  if (!file)
    return otherwise;
  int64_t number = otherwise;
  if (fscanf(file, "%" SCNd64, &number) != 1)
    number = otherwise;
  fclose(file);
  return number;
}

/// The entry `key` of /proc/meminfo, in bytes.
int64_t memoryInfo(const char *key) {
  FILE *file = fopen("/proc/meminfo", "re");
  if (!file)
    return kUnknown;
  char line[128];
  int64_t found = kUnknown;
  size_t length = strlen(key);
  while (fgets(line, sizeof line, file)) {
    int64_t kibibytes;
    if (!strncmp(line, key, length) && line[length] == ':' &&
        sscanf(line + length + 1, "%" SCNd64, &kibibytes) == 1) {
      found = kibibytes * 1024;
      break;
    }
  }
  fclose(file);
  return found;
}

int64_t containerLimit() {
  return std::min(
      numberIn("/sys/fs/cgroup/memory.max", kUnknown),
      numberIn("/sys/fs/cgroup/memory/memory.limit_in_bytes", kUnknown));
}

} // namespace

int64_t broadloom::totalMemory() noexcept {
  return std::min(memoryInfo("MemTotal"), containerLimit());
}

int64_t broadloom::availableMemory() noexcept {
  int64_t available = memoryInfo("MemAvailable");
  int64_t limit = containerLimit();
  if (limit < kUnknown) {
    int64_t current =
        std::max(numberIn("/sys/fs/cgroup/memory.current", 0),
                 numberIn("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0));
    available = std::min(available, limit - current);
  }
  return std::max<int64_t>(available, 0);
}

bool broadloom::isAvailable(int64_t bytes) noexcept {
  constexpr int64_t kCheckFrom = int64_t(256) << 20;
  return bytes < kCheckFrom || bytes <= availableMemory();
}
