// The conversions need the steps of legalization before them.

// RUN: not broadloom-opt %s --convert-tosa-to-loom 2>&1 | FileCheck %s
// CHECK: error: 'convert-tosa-to-loom' needs 'loom-expand-sparse-constants' before it, with only steps of legalization between them; run the pipeline 'broadloom-legalize', or 'broadloom-prepare' before this pass
// RUN: not broadloom-opt %s --convert-tosa-to-linalg-rfc 2>&1 | FileCheck %s --check-prefix=RFC
// RFC: error: 'convert-tosa-to-linalg-rfc' needs 'loom-expand-sparse-constants' before it

// One is missing.
// RUN: not broadloom-opt %s --loom-expand-sparse-constants --loom-mark-memory-functions --loom-normalize-memory --loom-lift-state --loom-erase-identities --loom-cast-calls --loom-locate-bodies --loom-check-program --convert-tosa-to-loom 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: 'convert-tosa-to-loom' needs 'loom-clear-arithmetic-flags' before it

// A pass that changes the program may undo what the steps have done.
// RUN: not broadloom-opt %s --broadloom-prepare --inline --convert-tosa-to-loom 2>&1 | FileCheck %s

// All of them, one by one.
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom -o %t.one.mlir
// RUN: broadloom-opt %s --loom-check-structure --loom-expand-sparse-constants --loom-mark-memory-functions --loom-normalize-memory --loom-lift-state --loom-erase-identities --loom-cast-calls --loom-clear-arithmetic-flags --loom-locate-bodies --loom-check-program --loom-normalize-blocks --loom-lower-parallel-loops --loom-decompose-linalg --loom-lower-buffers --loom-lower-vectors --loom-bind-externals --loom-guard-nests --loom-lower-affine-accesses --loom-normalize-indices --loom-generalize-maps --loom-isolate-padding --loom-match-extents --loom-widen-elements --loom-constrain-assertions --convert-tosa-to-loom | diff - %t.one.mlir
// RUN: broadloom-opt %s --broadloom-legalize | diff - %t.one.mlir

// Each is timed.
// RUN: broadloom-opt %s --broadloom-legalize --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING-DAG: LoomCheckProgram
// TIMING-DAG: LoomNormalizeBlocks
// TIMING-DAG: ConvertTosaToLoom

func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
