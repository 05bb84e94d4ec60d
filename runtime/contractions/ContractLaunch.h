//===- ContractLaunch.h - one run of a contraction --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one broadloomLaunch of a contraction: extents from the operands
// (ContractExtents.cpp), memory for the results and for weights in panels, then
// the blocks (ContractLaunch.cpp). The plan stays with the call, and serves the
// next launch if the extents are the same.
//
// Invariant: the order in which the products of a sum are added depends only on
// the extents of the window and the channels, not on the choices made here.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/contractions/Contraction.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/RecordedTiles.h"

namespace broadloom {

/// What a launch has found out from its operands but for their addresses. The
/// arrays, and those of `c`, are in the same block of memory (LaunchPlans).
struct ContractPlan {
  Contraction c;
  /// Whether the plan is complete. It holds for a launch whose operands have
  /// the same extents, and strides where they may have any, with the same limit
  /// of threads.
  bool isValid;
  int32_t threads;
  /// The rank of each operand, and then the extents, and strides, of each.
  int64_t *operands;
  /// Of the results.
  int64_t *extents;
  int64_t count;
  /// Whether the result is written to rows with gaps between them, and the
  /// strides that it has there.
  bool hasGaps;
  int64_t *gapStrides;
  /// Products, or elements that a pool takes.
  int64_t products;
  /// Bytes of memory that each thread needs.
  int64_t threadBytes;
  /// Of a weight that is laid out once: its address, that of its panels, and
  /// when they were found (KeptPanels::enter).
  const char *given;
  const char *panels;
  uint64_t panelTime;
  /// The calls of the kernel, where they are known.
  RecordedTiles tiles;
};

class ContractLaunch {
public:
  /// Runs the launch; as for broadloomLaunch.
  static int32_t run(BroadloomCall &call, const BroadloomProgram &program,
                     const BroadloomView *operands, BroadloomView *results,
                     const int32_t *slots);

private:
  ContractLaunch(BroadloomCall &call, const BroadloomProgram &program,
                 const BroadloomView *operands, ContractPlan &plan)
      : call(call), arena(call.arena()), program(program),
        record(*program.contraction), kind(ContractionKind(record.kind)),
        operands(operands), isGiven(isWeightGiven(program, operands)),
        plan(plan), c(plan.c), rank(operands[0].rank), extents(plan.extents) {}

  static int64_t planBytes(const BroadloomProgram &program,
                           const BroadloomView *operands);
  /// Whether the compiler has left a packed weight as it was given, for the
  /// runtime to lay it out once (abi-9). Not where it is a panel as it is.
  static bool isWeightGiven(const BroadloomProgram &program,
                            const BroadloomView *operands) {
    const BroadloomContraction &record = *program.contraction;
    int64_t rank = operands[1].rank;
    const int64_t *extents = descriptorOf(operands[1]).dims;
    if (!record.packed ||
        isInPanels(extents, rank, record.packed, record.windowRank + 2))
      return false;
    const int64_t *strides = extents + 2 * rank - 2;
    return record.windowRank != 0 || record.together != 1 ||
           record.packed[1] != record.panel || strides[0] != record.panel ||
           strides[1] != 1;
  }
  /// How many of an operand's extents and strides a plan depends on. Operands
  /// of the body have any strides; without a window, image and weight have, and
  /// so has a weight that is laid out once. The extents of one that the
  /// compiler has laid out are the program's.
  static int64_t countDims(const BroadloomProgram &program,
                           const BroadloomView *operands, int32_t operand) {
    const BroadloomContraction &record = *program.contraction;
    if (operand == 1 && record.packed)
      return isWeightGiven(program, operands) ? 2 * operands[1].rank : 0;
    bool hasStrides = operand >= 2 || record.windowRank == 0;
    return operands[operand].rank * (hasStrides ? 2 : 1);
  }
  /// Ranks, and what a plan depends on, of all operands.
  static int64_t countOperandWords(const BroadloomProgram &program,
                                   const BroadloomView *operands);
  /// Takes the arrays of `plan` and its contraction.
  static void placeArrays(ArrayLayout &layout, ContractPlan &plan,
                          const BroadloomProgram &program,
                          const BroadloomView *operands);
  bool isPlanned(int32_t slot) const;
  void noteOperands();
  const BroadloomView *findGaps(int32_t slot) const;
  int32_t run(BroadloomView *results, const int32_t *slots);
  int32_t makeResults(BroadloomView *results, const int32_t *slots);
  void setAddresses(const BroadloomView *results);
  int32_t makePlan();
  int32_t packWeight();
  bool hasEvenSteps() const;
  int32_t copyWeight();
  int32_t keepPanels();
  int32_t layOut(char *panels);
  const char *weightAddress() const {
    return elementsOf(operands[1], program.valueBytes[1]);
  }
  int32_t copyImage();
  int32_t runBlocks(RecordedTiles *record);
  /// Plans and runs.
  int32_t runFirst();
  void countWork();

  // In ContractExtents.cpp:
  int32_t describe();
  int32_t describeWeight(WindowAxis *window);
  int32_t describeWindow(WindowAxis *window);
  int32_t describeImage();
  int32_t describeTensors();
  int32_t addTensor(int32_t value, const int64_t *extents,
                    const int64_t *strides, int64_t rank);
  int32_t copyRowsOf(int32_t tensor, const int64_t *extents, int64_t *strides);

  const int64_t *extentsOf(int32_t operand) const {
    return descriptorOf(operands[operand]).dims;
  }
  const int64_t *stridesOf(int32_t operand) const {
    return extentsOf(operand) + operands[operand].rank;
  }
  int32_t failShape(const char *what) {
    return call.fail(BROADLOOM_INVALID_ARGUMENT, what);
  }

  BroadloomCall &call;
  Arena &arena;
  const BroadloomProgram &program;
  const BroadloomContraction &record;
  const ContractionKind kind;
  const BroadloomView *operands;
  const bool isGiven;
  ContractPlan &plan;
  Contraction &c;
  /// Of the results.
  const int64_t rank;
  int64_t *const &extents;
  /// The destination to which the only result is written, if its rows have gaps
  /// between them; else null.
  const BroadloomView *gaps = nullptr;
  /// Whether an address of `c` is of memory of this launch.
  bool hasCopies = false;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H
