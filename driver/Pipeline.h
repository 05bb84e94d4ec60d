//===- Pipeline.h - the order of the passes ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where passes are ordered. A stage takes a program from one form
// that can be looked at to the next; a pipeline is all stages to one goal. The
// compiler runs them, and `broadloom-opt` has each under its name.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PIPELINE_H
#define BROADLOOM_DRIVER_PIPELINE_H

#include "driver/Compiler.h"
#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"

#include "mlir/Pass/PassManager.h"

namespace broadloom {

/// What the passes of a pipeline are told.
struct PipelineOptions {
  Strategy strategy = Strategy::Default;
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  infer::SharedLibraries libraries = std::make_shared<infer::ShapeLibraries>();
  /// Whether what must hold at run time is recorded, and checked.
  bool constraints = true;
  /// Whether what is known of results is written to the functions (abi-1).
  bool nameExtents = false;
  /// Whether tensors of the right shapes take the place of users' operations
  /// that nothing computes.
  bool standIns = false;
  /// Whether maps are fused. Without it each is found under the operation that
  /// it came from.
  bool fusesMaps = true;
  /// Whether the code says where the time of a call goes (loom-mark-sites).
  bool marksSites = false;
  /// The machine that code is made for, as LLVM names its triple and its
  /// processor; empty for this one.
  std::string target, cpu;
  /// The report that CollectReport gives to its passes; null where there is
  /// none.
  infer::GuardReport *report = nullptr;
};

enum class Stage {
  /// From here on passes record what becomes of each constraint.
  CollectReport,
  /// Users' operations by their reference implementations (sf-5), and then
  /// verified `loom` and what is left of TOSA (D8a); with strategy rfc, the
  /// RFC's linalg in place of maps.
  Legalize,
  /// What the shape functions say (sf-1), and then fused maps with their guards
  /// (D3, D5).
  Guard,
  /// Convolutions and products of matrices as contractions; then, but not with
  /// strategy rfc, these and the maps behind them, and reductions and the maps
  /// around them, as one operation each.
  FuseReductions,
  /// What is not element-wise as linalg and tensor, and beside each function
  /// its shape query (abi-2).
  QueryShapes,
  /// From fused maps with guards to upstream's dialects, for users' own
  /// pipelines: maps as linalg, guards as cf.assert.
  ToLinalg,
  /// Behind QueryShapes: buffers, kernels, calls, the LLVM dialect.
  ToLLVM,
  /// From shape queries, and nothing else, to the LLVM dialect.
  QueriesToLLVM,
};

/// Such as "legalize": its pipeline is `broadloom-legalize`.
llvm::StringRef getName(Stage stage);

void addStage(mlir::OpPassManager &pm, Stage stage,
              const PipelineOptions &options);

/// What a program is taken through the stages for.
enum class Goal {
  /// To know which constraints hold.
  Check,
  /// To query the shapes of results alone.
  Shapes,
  /// To write down the shape functions of reference implementations.
  ShapeLibrary,
  Loom,
  Linalg,
  /// For machine code as well, which is made of the LLVM dialect.
  LLVM,
};

/// The stages to a goal, in their order, and what is the same for all of them.
struct Pipeline {
  PipelineOptions options;
  std::vector<Stage> stages;
};

Pipeline makePipeline(Goal goal, PipelineOptions options);

/// Registers each stage and each goal as a pipeline `broadloom-…`.
void registerPipelines();

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PIPELINE_H
