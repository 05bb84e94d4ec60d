//===- ProgramTest.cpp - calling a program through its table --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program as an object file has it, called from C: what does not fit its
// table is an error before any of its code runs.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Processor.h"
#include "runtime/calls/Invoke.h"

#include <gtest/gtest.h>

#include <string>

using namespace broadloom;

namespace {

/// Returns its first argument.
int32_t identity(BroadloomCall *call, const BroadloomView *args) {
  return broadloomReturn(call, 0, 4, &args[0]);
}

int32_t identityShape(BroadloomCall *call, const BroadloomView *args,
                      BroadloomShape *results) {
  return broadloomStoreShape(call, &args[0], &results[0]);
}

const int32_t kF32[] = {BROADLOOM_F32, BROADLOOM_F32};
const int32_t kI32[] = {BROADLOOM_I32 + BROADLOOM_SIGNLESS};
const int32_t kU32[] = {BROADLOOM_U32};

const BroadloomFunction kFunctions[] = {
    {"main", identity, identityShape, nullptr, 2, 1, kF32, kF32, 0},
    {"either", identity, nullptr, "data decides it", 1, 1, kI32, kU32, 0},
    {"unsigned", identity, nullptr, "data decides it", 1, 1, kU32, kU32, 0},
};
const BroadloomFunctions kProgram = {BROADLOOM_ABI_VERSION, 3, kFunctions,
                                     &BROADLOOM_ABI_SYMBOL, 0};

class Program : public testing::Test {
protected:
  Program() : call(broadloomCallCreate()) {
    int64_t extents[] = {3, 2};
    broadloomTensorBorrow(BROADLOOM_F32, 2, extents, nullptr, data, &tensor);
  }
  ~Program() override { broadloomCallDestroy(call); }

  void choose(const char *name) {
    ASSERT_EQ(broadloomCallSetFunction(call, &kProgram, name), BROADLOOM_OK)
        << broadloomCallMessage(call);
  }
  void expectRejected(int32_t status, const char *message) {
    EXPECT_EQ(status, BROADLOOM_INVALID_ARGUMENT);
    EXPECT_STREQ(broadloomCallMessage(call), message);
  }
  int32_t run(std::initializer_list<const BroadloomTensor *> arguments) {
    return broadloomCallRun(call, arguments.begin(), int32_t(arguments.size()));
  }

  BroadloomCall *call;
  float data[6] = {1, 2, 3, 4, 5, 6};
  BroadloomTensor tensor;
};

TEST_F(Program, runsAndTellsShapes) {
  choose(nullptr);
  ASSERT_EQ(run({&tensor, &tensor}), BROADLOOM_OK);
  EXPECT_STREQ(broadloomCallMessage(call), "");
  BroadloomTensor result;
  ASSERT_EQ(broadloomCallTakeResult(call, 0, &result), BROADLOOM_OK);
  EXPECT_EQ(static_cast<float *>(result.data)[5], 6.0f);
  broadloomTensorRelease(&result);
  expectRejected(broadloomCallTakeResult(call, 0, &result),
                 "result 0 is not there: no call has succeeded since it was "
                 "taken, or the function has fewer results");
  const BroadloomTensor *arguments[] = {&tensor, &tensor};
  BroadloomShape shape;
  ASSERT_EQ(broadloomCallShapes(call, arguments, 2, &shape), BROADLOOM_OK);
  EXPECT_EQ(shape.rank, 2);
  EXPECT_EQ(shape.extents[0], 3);
}

TEST_F(Program, checksItsArguments) {
  choose("main");
  expectRejected(run({&tensor}),
                 "1 argument is given, but 'main' takes 2 arguments: f32, f32");
  expectRejected(run({&tensor, nullptr}), "argument 1 is null");
  BroadloomTensor bytes = tensor;
  bytes.elementType = BROADLOOM_I8;
  expectRejected(run({&bytes, &tensor}),
                 "argument 0 has element type i8 but the function takes f32");
  bytes.elementType = BroadloomElementType(99);
  expectRejected(
      run({&tensor, &bytes}),
      "argument 1 has element type unknown but the function takes f32");
  BroadloomTensor odd = tensor;
  odd.rank = 33;
  expectRejected(run({&odd, &tensor}),
                 "argument 0 has rank 33, a tensor has 0 to 32 axes");
  odd.rank = 2;
  odd.dims[1] = -2;
  expectRejected(run({&odd, &tensor}), "argument 0 has extent -2 along axis 1");
  odd.dims[1] = 2;
  odd.data = nullptr;
  expectRejected(run({&tensor, &odd}),
                 "argument 1 has elements but its data pointer is null");
  // Shapes need no memory, and an empty tensor has none.
  const BroadloomTensor *arguments[] = {&odd, &odd};
  BroadloomShape shape;
  EXPECT_EQ(broadloomCallShapes(call, arguments, 2, &shape), BROADLOOM_OK);
  odd.dims[0] = 0;
  EXPECT_EQ(run({&odd, &tensor}), BROADLOOM_OK);
}

TEST_F(Program, nullIsAnErrorWhereverItIsGiven) {
  choose("main");
  expectRejected(broadloomCallRun(call, nullptr, 2),
                 "the array of 2 arguments is null");
  BroadloomShape shape;
  expectRejected(broadloomCallShapes(call, nullptr, 2, &shape),
                 "the array of 2 arguments is null");
  const BroadloomTensor *arguments[] = {&tensor, &tensor};
  expectRejected(broadloomCallShapes(call, arguments, 2, nullptr),
                 "the array for the results' shapes is null");
  expectRejected(broadloomCallTakeResult(call, 0, nullptr),
                 "there is no tensor to take result 0 into: it is null");
  EXPECT_EQ(broadloomCallRun(call, arguments, 2), BROADLOOM_OK);
  expectRejected(broadloomCallSetFunction(call, nullptr, "main"),
                 "there is no program: it is null");
  expectRejected(broadloomCallRun(call, arguments, 2),
                 "no function has been chosen for this call");
}

TEST(NoCall, isAnError) {
  BroadloomTensor tensor;
  const BroadloomTensor *arguments[] = {&tensor};
  BroadloomShape shape;
  for (int32_t status : {broadloomCallSetFunction(nullptr, &kProgram, "main"),
                         broadloomCallSetOutput(nullptr, 0, &tensor),
                         broadloomCallRun(nullptr, arguments, 1),
                         broadloomCallShapes(nullptr, arguments, 1, &shape),
                         broadloomCallTakeResult(nullptr, 0, &tensor)})
    EXPECT_EQ(status, BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomCallMessage(nullptr), "there is no call: it is null");
  broadloomCallSetThreads(nullptr, 1);
  broadloomCallCancel(nullptr);
  broadloomCallDestroy(nullptr);
}

TEST_F(Program, signlessIntegersTakeBothSigns) {
  tensor.elementType = BROADLOOM_U32;
  choose("either");
  EXPECT_EQ(run({&tensor}), BROADLOOM_OK);
  tensor.elementType = BROADLOOM_I32;
  EXPECT_EQ(run({&tensor}), BROADLOOM_OK);
  choose("unsigned");
  expectRejected(run({&tensor}),
                 "argument 0 has element type i32 but the function takes ui32");
}

TEST_F(Program, functionsAreChosenByName) {
  expectRejected(run({&tensor}), "no function has been chosen for this call");
  expectRejected(broadloomCallSetFunction(call, &kProgram, "f"),
                 "the program has no function 'f'; it has: main, either, "
                 "unsigned");
  BroadloomFunctions noMain = kProgram;
  noMain.functions = kFunctions + 1;
  noMain.numFunctions = 2;
  expectRejected(broadloomCallSetFunction(call, &noMain, nullptr),
                 "the program has several functions and none is 'main'; name "
                 "one of them: either, unsigned");
  noMain.numFunctions = 0;
  expectRejected(broadloomCallSetFunction(call, &noMain, nullptr),
                 "the program has no functions");
  // What was chosen before is not chosen any more.
  choose("main");
  (void)broadloomCallSetFunction(call, &kProgram, "f");
  expectRejected(run({&tensor, &tensor}),
                 "no function has been chosen for this call");
  choose("either");
  BroadloomShape shape;
  const BroadloomTensor *arguments[] = {&tensor};
  expectRejected(broadloomCallShapes(call, arguments, 1, &shape),
                 "the result shapes of 'either' are known only when it has "
                 "run: data decides it");
}

TEST_F(Program, programsOfAnotherVersionOrProcessorAreRefused) {
  BroadloomFunctions other = kProgram;
  other.abiVersion = 4;
  expectRejected(broadloomCallSetFunction(call, &other, "main"),
                 ("the program was compiled for version 4 of the runtime's "
                  "interface but this runtime has version " +
                  std::to_string(BROADLOOM_ABI_VERSION) +
                  "; compile the program again")
                     .c_str());
  // No processor has both of these.
  other = kProgram;
  other.instructionSets =
      instructionSetBit("xop") | instructionSetBit("avx512fp16");
  ASSERT_NE(missingInstructionSets(other.instructionSets), "");
  EXPECT_EQ(broadloomCallSetFunction(call, &other, "main"),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_NE(std::string(broadloomCallMessage(call))
                .find("xop, which this one does not have; compile it on this "
                      "machine"),
            std::string::npos)
      << broadloomCallMessage(call);
}

TEST(Processor, instructionSetsHaveBitsOfTheirOwn) {
  EXPECT_EQ(instructionSetBit("sse3"), 1u);
  EXPECT_EQ(instructionSetBit("avx512f"), uint64_t(1) << 16);
  EXPECT_EQ(instructionSetBit("no such set"), 0u);
  EXPECT_EQ(missingInstructionSets(0), "");
}

} // namespace
