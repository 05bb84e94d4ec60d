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

// Beside tensors, it is about functions, and those that call them.
// CHECK: func.func @both(%{{.*}}: memref<?xf32>, %{{.*}}: tensor<?xf32>) attributes {loom.memory} {
func.func @both(%a: memref<?xf32>, %b: tensor<?xf32>) {
  return
}
// CHECK: func.func @inside() attributes {loom.memory} {
func.func @inside() {
  %m = memref.alloca() : memref<f32>
  return
}
// CHECK: func.func @calls(%{{.*}}: tensor<?xf32>) attributes {loom.memory} {
func.func @calls(%a: tensor<?xf32>) {
  call @inside() : () -> ()
  return
}
// CHECK: func.func @tensors(%{{.*}}: tensor<?xf32>) {
func.func @tensors(%a: tensor<?xf32>) attributes {loom.memory} {
  call @numbers() : () -> ()
  return
}
// CHECK: func.func @numbers() {
func.func @numbers() {
  return
}

// -----

// Nor is one without memory.
// CHECK: func.func @scalars(%{{.*}}: f32) -> f32 {
func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}
