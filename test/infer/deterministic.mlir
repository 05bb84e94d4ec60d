// sf-8: two runs give the same text, also through loops, calls and branches.
// RUN: broadloom-opt %S/loops.mlir --split-input-file --loom-insert-guards -o %t.loops1
// RUN: broadloom-opt %S/loops.mlir --split-input-file --loom-insert-guards -o %t.loops2
// RUN: diff %t.loops1 %t.loops2
// RUN: broadloom-opt %S/branches.mlir --split-input-file --loom-insert-guards -o %t.branches1
// RUN: broadloom-opt %S/branches.mlir --split-input-file --loom-insert-guards -o %t.branches2
// RUN: diff %t.branches1 %t.branches2
// RUN: broadloom-opt %S/calls.mlir --split-input-file --loom-insert-guards -o %t.calls1
// RUN: broadloom-opt %S/calls.mlir --split-input-file --loom-insert-guards -o %t.calls2
// RUN: diff %t.calls1 %t.calls2
