// Floats that are none of el-10 are refused where they stand, in bodies as well.
// RUN: not broadloom run %s 2>&1 | FileCheck %s
// RUN: not broadloom check %s 2>&1 | FileCheck %s
// CHECK: error: the program has 5 operations that cannot be compiled
// CHECK: [[#@LINE+6]]:8: note: arith.truncf: floats are f8E4M3FN, f8E5M2, bf16, f16, f32 or f64; use one of these
// CHECK: note: arith.extf: floats are
// CHECK: note: arith.truncf: floats are
// CHECK: note: arith.extf: floats are
// CHECK: note: arith.constant: floats are
func.func @main(%a: f32) -> f32 {
  %x = arith.truncf %a : f32 to f8E4M3FNUZ
  %z = arith.extf %x : f8E4M3FNUZ to f32
  return %z : f32
}
func.func @body(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %y = arith.truncf %x : f32 to tf32
    %z = arith.extf %y : tf32 to f64
    %w = arith.truncf %z : f64 to f32
    loom.yield %w : f32
  }
  return %r : tensor<?xf32>
}
func.func @constant() -> f32 {
  %z = arith.constant 1.0 : f128
  %r = arith.constant 2.0 : f32
  return %r : f32
}
