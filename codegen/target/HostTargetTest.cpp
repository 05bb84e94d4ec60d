//===- HostTargetTest.cpp - this machine as a target of LLVM --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/target/HostTarget.h"
#include "runtime/abi/Processor.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

// What is compiled for this machine runs on it.
TEST(HostTarget, InstructionSetsAreThoseOfATargetMachine) {
  auto target = makeTargetMachine();
  ASSERT_TRUE(bool(target)) << toString(target.takeError());
  uint64_t sets = 0;
  SmallVector<StringRef> features;
  (*target)->getTargetFeatureString().split(features, ',');
  for (StringRef feature : features)
    if (feature.consume_front("+"))
      sets |= instructionSetBit(feature);
  EXPECT_EQ(getInstructionSets(), sets);
  EXPECT_EQ(missingInstructionSets(sets), "");
}

// Threads change the level of optimisation of theirs.
TEST(HostTarget, EachPartHasATargetMachineOfItsOwn) {
  auto one = makeTargetMachine(), other = makeTargetMachine();
  ASSERT_TRUE(bool(one) && bool(other));
  EXPECT_NE(one->get(), other->get());
}
