// What computes tensors in a function over memory becomes a function over tensors;
// what is taken from memory is a copy of it (mem-9).

// RUN: broadloom-opt %s --loom-separate-tensors | FileCheck %s

// CHECK-LABEL: func.func @straight(
// CHECK-SAME: %[[M:.*]]: memref<?xf32>, %[[T:.*]]: tensor<?xf32>, %[[X:.*]]: f32)
// CHECK-SAME: loom.tensor_arguments = array<i64: 1>
// CHECK: %[[GIVEN:.*]] = bufferization.to_buffer %[[T]] read_only
// CHECK: %[[COPY0:.*]] = loom.alloc
// CHECK: memref.copy %[[GIVEN]], %[[COPY0]]
// CHECK: %[[T1:.*]] = bufferization.to_tensor %[[COPY0]] restrict
// CHECK: %[[COPY:.*]] = loom.alloc
// CHECK: memref.copy %[[M]], %[[COPY]]
// CHECK: %[[A:.*]] = bufferization.to_tensor %[[COPY]] restrict
// CHECK: memref.store %[[X]], %[[M]]
// CHECK: %[[R:.*]] = call @straight_tensors(%[[A]], %[[T1]]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[B:.*]] = bufferization.to_buffer %[[R]] read_only
// CHECK: memref.copy %[[B]], %[[M]]
// CHECK: %[[C:.*]] = bufferization.to_buffer %[[R]] read_only
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[C]], %[[NEW]]
// CHECK-DAG: loom.release %[[COPY]]
// CHECK-DAG: loom.release %[[COPY0]]
// CHECK: return %[[NEW]]
func.func @straight(%m: memref<?xf32>, %t: tensor<?xf32>, %x: f32) -> memref<?xf32> attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %s = arith.addf %a, %t : tensor<?xf32>
  %p = arith.mulf %s, %s : tensor<?xf32>
  bufferization.materialize_in_destination %p in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  %b = bufferization.to_buffer %p : tensor<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}

// Constants are made where they are used, and numbers of tensors come back.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: %[[N:.*]] = func.call @loop_tensors(%{{.*}}) : (tensor<4xf32>) -> f32
// CHECK-NEXT: memref.store %[[N]]
func.func @loop(%m: memref<4xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    %s = arith.addf %a, %w : tensor<4xf32>
    %x = tensor.extract %s[%c1] : tensor<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func private @straight_tensors(
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @loop_tensors(
// CHECK: arith.constant dense
// CHECK: arith.addf
// CHECK: tensor.extract
// CHECK: return %{{.*}} : f32
