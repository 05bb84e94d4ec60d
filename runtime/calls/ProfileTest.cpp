//===- ProfileTest.cpp - where the time of a call goes --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Profile.h"

#include "runtime/threads/ParallelFor.h"
#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <set>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// A function that launches a program of two operands and one result as
/// compiled code does, as often as `numbers` say.
struct Function {
  static TestProgram &program() {
    static TestProgram mix(2);
    if (mix.resultValues().empty())
      mix.result(mix.stage(Op::Mix, {0, 1}));
    return mix;
  }
  static inline std::vector<int32_t> numbers;
  static inline int32_t count = 0;

  static void clear() {
    numbers.clear();
    count = 0;
  }
  /// Appends a struct of numbers of 32 bits.
  template <typename T> static void append(const T &part) {
    int32_t words[sizeof(T) / sizeof(int32_t)];
    memcpy(words, &part, sizeof(T));
    numbers.insert(numbers.end(), std::begin(words), std::end(words));
  }
  static void addSite(int32_t site) {
    append(BroadloomSiteStep{BROADLOOM_STEP_SITE, site, 0});
    ++count;
  }
  /// A site that also reads argument 0.
  static void addReadingSite(int32_t site) {
    append(BroadloomSiteStep{BROADLOOM_STEP_SITE, site, 1});
    append(
        BroadloomSiteTensor{4, BROADLOOM_RANK_OF_VIEW, BROADLOOM_IN_ARGUMENTS});
    ++count;
  }
  static void addLaunch() {
    int32_t second = int32_t(sizeof(BroadloomView)) | BROADLOOM_IN_ARGUMENTS;
    append(BroadloomLaunchStep{BROADLOOM_STEP_LAUNCH, 0, 0, 0,
                               BROADLOOM_NO_MEMORY});
    numbers.push_back(-1);
    append(BroadloomSlot{BROADLOOM_RANK_OF_VIEW, BROADLOOM_IN_ARGUMENTS});
    append(BroadloomSlot{BROADLOOM_RANK_OF_VIEW, second});
    append(BroadloomSlot{2, BROADLOOM_IN_FRAME});
    ++count;
  }

  static int32_t enter(BroadloomCall *call, const BroadloomView *args) {
    int64_t frame[3 + 4];
    const BroadloomProgram *programs[] = {&program().get()};
    if (int32_t status = broadloomLaunchAll(call, count, frame, args, nullptr,
                                            programs, numbers.data(), ""))
      return status;
    BroadloomView result{2, frame};
    return broadloomReturn(call, 0, 4, &result);
  }

  static int32_t run(CallContext &call, const Buffer &a, const Buffer &b) {
    declareResults(call, program());
    const BroadloomTensor *args[] = {a.tensor(), b.tensor()};
    return call.run(enter, args, 2);
  }
};

double sum(const Profile &profile) {
  double all = profile.site(Profile::kOutside).nanoseconds;
  for (int32_t i = 0; i < profile.numSites(); ++i)
    all += profile.site(i).nanoseconds;
  return all;
}

TEST(Profile, sitesGetTheirLaunches) {
  Buffer a({40, 50}, 4), b({1, 50}, 4);
  Function::clear();
  Function::addSite(1);
  Function::addLaunch();
  Function::addSite(1);
  Function::addLaunch();
  Function::addSite(-1);
  Function::addReadingSite(0);
  Function::addSite(-1);
  Function::addLaunch();
  CallContext call;
  Profile profile(3);
  call.setProfile(&profile);
  ASSERT_EQ(Function::run(call, a, b), BROADLOOM_OK);
  EXPECT_EQ(profile.site(0).visits, 1);
  EXPECT_EQ(profile.site(1).visits, 2);
  EXPECT_EQ(profile.site(2).visits, 0);
  EXPECT_EQ(profile.site(0).work.bytes, 40 * 50 * 4);
  EXPECT_EQ(profile.site(1).work.bytes, 2 * (2 * 40 * 50 + 50) * 4);
  // The launch without a site is outside.
  EXPECT_EQ(profile.site(-1).work.bytes, (2 * 40 * 50 + 50) * 4);
  EXPECT_EQ(profile.site(1).work.operations,
            2 * profile.site(-1).work.operations);
  EXPECT_EQ(3 * profile.site(-1).work.operations, call.operations());
  EXPECT_NEAR(sum(profile), profile.nanoseconds(), 1e-3);
  EXPECT_LE(profile.site(1).shortest, profile.site(1).longest);
  EXPECT_NEAR(profile.site(1).shortest + profile.site(1).longest,
              profile.site(1).nanoseconds, 1e-3);
}

TEST(Profile, everyCallBeginsAnew) {
  Buffer a({4, 5}, 4), b({4, 5}, 4);
  Function::clear();
  Function::addSite(0);
  Function::addLaunch();
  CallContext call;
  Profile profile(1);
  call.setProfile(&profile);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(Function::run(call, a, b), BROADLOOM_OK);
    EXPECT_EQ(profile.site(0).visits, 1);
    EXPECT_EQ(profile.site(0).work.bytes, 3 * 4 * 5 * 4);
  }
}

TEST(Profile, withoutOneSitesDoNothing) {
  Buffer a({4, 5}, 4), b({4, 5}, 4);
  Function::clear();
  Function::addReadingSite(0);
  Function::addLaunch();
  CallContext call;
  EXPECT_EQ(Function::run(call, a, b), BROADLOOM_OK);
  EXPECT_EQ(call.work().bytes, 0);
}

TEST(Profile, elementsThatRepeatAreReadOnce) {
  Buffer a({40, 50}, 4, Layout::Zero), b({40, 50}, 4);
  Function::clear();
  Function::addSite(0);
  Function::addLaunch();
  CallContext call;
  Profile profile(1);
  call.setProfile(&profile);
  ASSERT_EQ(Function::run(call, a, b), BROADLOOM_OK);
  int64_t own = 4;
  for (int64_t axis = 0; axis < 2; ++axis)
    own *= a.tensor()->dims[2 + axis] ? a.tensor()->dims[axis] : 1;
  EXPECT_LT(own, 40 * 50 * 4);
  EXPECT_EQ(profile.site(0).work.bytes, own + 2 * 40 * 50 * 4);

  // The same tensor twice.
  ASSERT_EQ(Function::run(call, b, b), BROADLOOM_OK);
  EXPECT_EQ(profile.site(0).work.bytes, 2 * 40 * 50 * 4);
}

TEST(Profile, aFailedCallEnds) {
  Buffer a({4, 5}, 4), b({3, 5}, 4);
  Function::clear();
  Function::addSite(0);
  Function::addLaunch();
  CallContext call;
  Profile profile(1);
  call.setProfile(&profile);
  EXPECT_EQ(Function::run(call, a, b), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(profile.site(0).visits, 1);
  EXPECT_EQ(Profile::active(), nullptr);
  EXPECT_NEAR(sum(profile), profile.nanoseconds(), 1e-3);
}

TEST(Profile, spansAreKeptUpToALimit) {
  Profile profile(2, 3);
  profile.begin();
  for (int i = 0; i < 5; ++i) {
    profile.enter(i % 2, Work());
    profile.enter(Profile::kOutside, Work());
  }
  profile.end(Work());
  EXPECT_EQ(profile.numSpans(), 3);
  EXPECT_EQ(profile.numLostSpans(), 2);
  EXPECT_EQ(profile.span(1).site, 1);
  EXPECT_EQ(profile.span(1).thread, 0);
  EXPECT_LE(profile.span(1).begin, profile.span(1).end);
  EXPECT_LE(profile.span(0).end, profile.span(1).begin);
  EXPECT_EQ(Profile(2).numLostSpans(), 0);
}

TEST(Profile, otherThreadsAreToldApart) {
  Profile profile(1, 1000);
  profile.begin();
  profile.enter(0, Work());
  // Another thread may come too late for a share, but not every time.
  std::set<int32_t> threads;
  for (int i = 0; i < 100 && threads.size() < 2; ++i) {
    parallelFor(2, 1000, [&](int32_t, int64_t begin, int64_t end) {
      volatile int64_t all = 0;
      for (int64_t k = begin * 1000; k < end * 1000; ++k)
        all = all + k;
    });
    for (int64_t k = 0; k < profile.numSpans(); ++k)
      threads.insert(profile.span(k).thread);
    threads.insert(0);
  }
  profile.enter(Profile::kOutside, Work());
  profile.end(Work());
  EXPECT_EQ(threads, (std::set<int32_t>{0, 1}));
  EXPECT_GT(profile.site(0).otherThreads, 0);
}

} // namespace
