// RUN: broadloom-opt %s --split-input-file --loom-mark-memory-functions | FileCheck %s

// A mark of a later pass in the text is removed: nobody has checked the access.
// CHECK: func.func @access(%{{.*}}: memref<?xf32>, %{{.*}}: index) -> f32 attributes {loom.memory} {
// CHECK-NEXT: memref.load %{{.*}}[%{{.*}}] : memref<?xf32>
func.func @access(%a: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] {loom.checked} : memref<?xf32>
  return %x : f32
}

// The mark is about the module: its functions call each other.
// CHECK: func.func private @numbers(%{{.*}}: index) -> index attributes {loom.memory}
func.func private @numbers(%n: index) -> index {
  return %n : index
}

// -----

// A program with tensors is none over memory.
// CHECK: func.func @both(%{{.*}}: memref<?xf32>, %{{.*}}: tensor<?xf32>) {
func.func @both(%a: memref<?xf32>, %b: tensor<?xf32>) attributes {loom.memory} {
  return
}

// -----

// Nor is one without memory.
// CHECK: func.func @scalars(%{{.*}}: f32) -> f32 {
func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}
