// The names of extents are an attribute that other tools do not have.
// RUN: broadloom-opt %s --loom-erase-extents | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<?x4xf32>, %arg1: tensor<?xf32> {my.note}) -> tensor<?x4xf32>
func.func @main(%a: tensor<?x4xf32> {loom.extents = #loom.extents<[B, 4]>}, %b: tensor<?xf32> {my.note, loom.extents = #loom.extents<[B]>}) -> (tensor<?x4xf32> {loom.extents = #loom.extents<[B, 4]>}) {
  return %a : tensor<?x4xf32>
}
