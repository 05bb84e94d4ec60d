//===- MapLaunch.h - one run of a program over its operands -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one broadloomLaunch: all extents, memory for the results, and
// the levels of the program. MapSpace.cpp computes the iteration space,
// MapValues.cpp analyses the values, MapLaunch.cpp runs the levels,
// MapStrip.cpp runs launches that fit a single strip, and MapGaps.cpp says when
// a result is written to memory with gaps between its rows.
//
// Invariant: a level reads values of levels that vary along fewer axes, and
// operands; these are in memory before it runs.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MAPS_MAPLAUNCH_H
#define BROADLOOM_RUNTIME_MAPS_MAPLAUNCH_H

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Tables.h"
#include "runtime/maps/Level.h"
#include "runtime/memory/ArrayLayout.h"
#include "runtime/memory/Space.h"

namespace broadloom {

/// Set of axes of the launch's space, which has at most kMaxAxes of them.
using AxisSet = uint64_t;

/// The extents of an operand, offset so that they can be indexed by the axes of
/// the result from `first` on; its strides follow `rank` elements later.
struct OperandShape {
  const int64_t *extents;
  int64_t rank;
  int64_t first;
};

/// A value of the program.
struct Value {
  /// The axes along which it varies.
  AxisSet axes;
  /// Its elements, if the whole value is in memory; else null.
  char *data;
  /// Whether the whole value must be in memory.
  bool stored;
  /// Number of the last level that has it as an input.
  int32_t lastLevel;
};

/// The tables of axes, values and stages.
struct MapTables {
  /// Strides have space for all axes of the result, before any are merged.
  struct Counts {
    const BroadloomProgram &program;
    int64_t axes;
  };

  MapTables() = default;
  MapTables(const Counts &counts, ArrayLayout &layout);

  /// The broadcast of all operands, and the extents of the iteration space.
  int64_t *extents, *spaceExtents;
  /// Strides of every value over the space; valid where the value is stored.
  int64_t *strides;
  /// Those of the destination, if rows may have gaps there.
  int64_t *gapStrides;
  OperandShape *shapes;
  Value *values;
  AxisSet *stageAxes;
  char **resultData;
  int32_t *firstOutputs;
  bool *stageDone;
};

class MapLaunch : private MapTables {
public:
  MapLaunch(BroadloomCall &call, const BroadloomProgram &program,
            const BroadloomView *operands)
      : call(call), arena(call.arena()), program(program), operands(operands) {}

  int32_t run(BroadloomView *results, const int32_t *slots);

private:
  bool makeTables();
  void alignOperands();
  bool takeSameAxes();
  int32_t walkAxes();
  int32_t failBroadcast();
  int32_t makeResults(BroadloomView *results, const int32_t *slots);
  int32_t makeResult(BroadloomView &result, int32_t slot, int32_t bytes,
                     char *&data);
  bool takeGaps(BroadloomDescriptor &descriptor, int32_t bytes);
  char *findOwnMemory(int32_t slot, int32_t bytes);
  bool isOperand(const char *data) const;
  /// Results of more elements than this are planned.
  static constexpr int64_t kMostUnplanned = 4 * BROADLOOM_STRIP_MULTIPLE;
  int32_t runStrip();
  void describeOperands();
  void describeStages();
  int32_t storeEarlyValues();
  int32_t runLevels();
  int32_t runLevel(AxisSet axes);
  void addStage(Level &level, int32_t stage);
  bool setAxes(Level &level, AxisSet axes);
  int32_t copyResults();

  int64_t *stridesOf(int32_t value) {
    return strides + int64_t(value) * space.pitch;
  }
  AxisSet allAxes() const { return (AxisSet(1) << space.rank) - 1; }
  /// The address of operand `i`'s elements.
  char *operandData(int32_t i) const {
    return elementsOf(operands[i], program.valueBytes[i]);
  }

  BroadloomCall &call;
  Arena &arena;
  const BroadloomProgram &program;
  const BroadloomView *operands;
  Tables tables;

  /// Of the broadcast of all operands.
  int64_t rank = 0;
  int64_t count = 0;
  /// The iteration space, coalesced as far as all operands allow.
  Space space;
  /// The memory of the operand over which the only result is written; else
  /// null.
  char *ownMemory = nullptr;
  /// The destination of the only result, if rows may have gaps there, and
  /// whether it is used.
  const BroadloomView *gaps = nullptr;
  bool hasGaps = false;
  int32_t numLevels = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MAPS_MAPLAUNCH_H
