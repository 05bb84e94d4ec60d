// A function over tensors has loops in functions of their own (loom-outline-loops).
// What a long function over memory is split into has other names (decision 76).

// RUN: broadloom-opt %s --loom-split-functions="longest=12 piece=7" | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK:         call @[[PIECE:loom_loop_0_[0-9]+]](%{{.*}}) : (memref<4xf32>, memref<?xf32>, index) -> ()
// CHECK:         call @loom_loop_1(
// CHECK:       func.func private @loom_loop_1(
// CHECK:       func.func private @[[PIECE]](
// CHECK:         call @main_tensors(
// CHECK:         scf.for
// CHECK:       func.func private @main_tensors(
// CHECK:         call @loom_loop_0(%{{.*}}, %{{.*}}) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK:       func.func private @loom_loop_0(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>)
func.func @main(%a: memref<?xf32>, %t: memref<4xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  call @main_tensors(%t) : (memref<4xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%c0] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
  }
  return
}

func.func private @main_tensors(%t: memref<4xf32>) {
  call @loom_loop_0(%t, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func private @loom_loop_0(%a: memref<4xf32>, %b: memref<4xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  return
}
