//===- LibraryCallTest.cpp - calls of functions of other libraries --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace broadloom;

namespace {

/// Threads that are in a library until they are let go.
struct Waiting {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  bool isOver = false;

  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    ++count;
    changed.notify_all();
    changed.wait(lock, [&] { return isOver; });
  }
  void await(int number) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return count == number; });
  }
  void end() {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    changed.notify_all();
  }
};

} // namespace

/// A call that has not returned is known, however many threads were in a
/// library before it and are meanwhile.
TEST(LibraryCalls, the_one_that_hangs_is_known) {
  static const BroadloomGuardSite site = {"f", "p.mlir:1:1", -1, 0, ""};
  for (int hanging : {1, 3, 20}) {
    CallContext call;
    Waiting waiting;
    std::vector<std::thread> threads;
    for (int i = 0; i < hanging; ++i)
      threads.emplace_back([&] {
        broadloomCallLibrary(
            &call, &site, [](void *it) { static_cast<Waiting *>(it)->wait(); },
            &waiting);
      });
    waiting.await(hanging);
    for (int i = 0; i < 40; ++i) {
      std::thread([&] {
        broadloomCallLibrary(&call, &site, [](void *) {}, nullptr);
      }).join();
      EXPECT_EQ(call.getLibrarySite(), &site);
    }
    waiting.end();
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(call.getLibrarySite(), nullptr);
  }
}
