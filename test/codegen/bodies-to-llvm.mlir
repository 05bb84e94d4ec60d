// What of a function needs nothing of the module becomes LLVM's; the function, its calls and
// globals stay.
// RUN: broadloom-opt %s --pass-pipeline='builtin.module(func.func(loom-bodies-to-llvm))' | FileCheck %s

memref.global "private" constant @table : memref<2xf64> = dense<[1.0, 2.0]>

func.func private @other(f64) -> f64

// CHECK-LABEL: func.func @body(
// CHECK: llvm.fadd
// CHECK: llvm.select
// CHECK: memref.get_global @table
// CHECK: call @other(
// CHECK: return
func.func @body(%x: f64, %y: f64, %takes: i1) -> f64 {
  %sum = arith.addf %x, %y : f64
  %chosen = arith.select %takes, %sum, %x : f64
  %table = memref.get_global @table : memref<2xf64>
  %z = call @other(%chosen) : (f64) -> f64
  return %z : f64
}
