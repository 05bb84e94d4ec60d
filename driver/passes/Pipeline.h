//===- Pipeline.h - the order of the passes ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where passes are ordered. A stage is a list of passes that
// takes a program from one printable form to the next. A pipeline is the list
// of stages to one goal. The compiler runs pipelines; `broadloom-opt` has each
// stage and each goal under its name.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_PIPELINE_H
#define BROADLOOM_DRIVER_PASSES_PIPELINE_H

#include "driver/CompileOptions.h"
#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"

#include "mlir/Pass/PassManager.h"

namespace broadloom {

/// The options of the passes of a pipeline.
struct PipelineOptions {
  Strategy strategy = Strategy::Default;
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  infer::SharedLibraries libraries = std::make_shared<infer::ShapeLibraries>();
  /// Whether constraints are made, and checked at run time.
  bool constraints = true;
  /// Whether the known extents of results are written to the functions (abi-1).
  bool nameExtents = false;
  /// Whether users' operations without a reference implementation are replaced
  /// by tensors of the right shapes.
  bool standIns = false;
  /// Whether maps are fused. If not, each map belongs to one operation of the
  /// program.
  bool fusesMaps = true;
  /// Whether the program has values of arguments as constants, of which the
  /// conditions of guards are computed.
  bool foldsElements = false;
  /// Whether the code measures time for a profile (loom-mark-sites).
  bool marksSites = false;
  /// Whether functions of other libraries are held to the effects that they
  /// declare (ffi-3).
  bool watchesEffects = false;
  /// The file of a schedule; none if empty.
  std::string schedule;
  /// The machine that code is made for, as LLVM names its triple and its
  /// processor; empty for this one.
  std::string target, cpu;
  /// Whether functions and other operations of the module that have no tensors,
  /// and cannot be compiled, are left as they are (LeaveOthers.h): the stages
  /// are part of a pipeline that does something else with them. Else they are
  /// an error.
  bool leavesOthers = false;
  /// Whether functions over memory are checked then and none is left: one that
  /// cannot be compiled is an error.
  bool checksMemory = false;
  /// Whether each of these gets a remark.
  bool verbose = false;
  /// The report that CollectReport gives to its passes; null where there is
  /// none.
  infer::GuardReport *report = nullptr;
};

enum class Stage {
  /// Starts the report: later passes record what becomes of each constraint.
  CollectReport,
  /// Replaces users' operations by their reference implementations (sf-5),
  /// checks the program (decision 70), and converts element-wise TOSA to
  /// `loom.map`, or
  /// with strategy rfc to the RFC's linalg.
  Legalize,
  /// Applies shape functions (sf-1), fuses maps (decision 64), and makes guards
  /// of
  /// constraints (decision 66).
  Guard,
  /// Converts convolutions and products of matrices to contractions. Except
  /// with strategy rfc, then fuses contractions with the maps that read them,
  /// and reductions with the maps around them.
  FuseReductions,
  /// Lowers the rest of TOSA to linalg and tensor, and makes the shape query of
  /// each function (abi-2).
  QueryShapes,
  /// After Guard: converts to upstream's dialects, for users' own pipelines.
  /// Maps become linalg, guards cf.assert.
  ToLinalg,
  /// After QueryShapes: makes buffers, kernels and calls, and converts to the
  /// LLVM dialect.
  ToLLVM,
  /// Converts a module of shape queries alone to the LLVM dialect.
  QueriesToLLVM,
};

/// The passes of the stage Legalize that check the program and bring it to the
/// form that the conversion of element-wise TOSA takes.
void addPreparation(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Adds the part of the stage ToLLVM in front of the schedule, which edits the
/// loops that it leaves.
void addLoopsToSchedule(mlir::OpPassManager &pm,
                        const PipelineOptions &options);

/// Such as "legalize": its pipeline is `broadloom-legalize`.
llvm::StringRef getName(Stage stage);

void addStage(mlir::OpPassManager &pm, Stage stage,
              const PipelineOptions &options);

/// The purpose for which a program goes through the stages.
enum class Goal {
  /// To know which constraints hold.
  Check,
  /// To query the shapes of results alone.
  Shapes,
  /// To write down the shape functions of reference implementations.
  ShapeLibrary,
  Loom,
  Linalg,
  /// Also for machine code, which is made from the LLVM dialect.
  LLVM,
};

/// The stages to a goal, in their order, and the options that they share.
struct Pipeline {
  PipelineOptions options;
  std::vector<Stage> stages;
};

Pipeline makePipeline(Goal goal, PipelineOptions options);

/// Registers each stage and each goal as a pipeline `broadloom-…`, and
/// `broadloom-prepare`.
void registerPipelines();

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_PIPELINE_H
