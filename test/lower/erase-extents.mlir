// The names of extents, and notes of those that an importer has fixed, are
// attributes that other tools do not have.
// RUN: broadloom-opt %s --loom-erase-extents | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<?x4xf32>, %arg1: tensor<?xf32> {my.note}) -> tensor<?x4xf32> {
func.func @main(%a: tensor<?x4xf32> {loom.extents = #loom.extents<[B, 4]>}, %b: tensor<?xf32> {my.note, loom.extents = #loom.extents<[B]>}) -> (tensor<?x4xf32> {loom.extents = #loom.extents<[B, 4]>}) attributes {loom.fixed = [{argument = 0, axis = 1, by = "torch.export", name = "a", because = "the example has 4 there"}]} {
  return %a : tensor<?x4xf32>
}
