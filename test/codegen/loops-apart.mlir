// RUN: broadloom-opt %s --loom-linalg-to-loops --split-input-file | FileCheck %s

// What does not change in the inner loop, a guard too, is in front of it.
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x?xf32>, %[[ROWS:[^:]*]]: memref<?xi64>, %[[OUT:[^:]*]]: memref<?x?xf32>, %[[END:[^:]*]]: index)
// CHECK-COUNT-3: llvm.intr.experimental.noalias.scope.decl
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[ROW:.*]] = memref.load %[[ROWS]][%[[I]]] {loom.alias_scopes = [{{.*}}], loom.noalias = [{{.*}}]}
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[ROW]]
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %[[END]]
// CHECK-NEXT:      loom.require %[[INSIDE]]
// CHECK-NEXT:      scf.for %[[J:.*]] =
// CHECK-NEXT:        memref.load %[[X]][%[[AT]], %[[J]]]
// CHECK-NEXT:        memref.store {{.*}}, %[[OUT]][%[[I]], %[[J]]] {loom.alias_scopes = [{{.*}}], loom.noalias = [{{.*}}]}
func.func @gather(%x: memref<?x?xf32>, %rows: memref<?xi64>, %out: memref<?x?xf32>, %end: index) {
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<?xi64>) outs(%out : memref<?x?xf32>) attrs = {loom.writes_apart} {
  ^bb0(%row: i64, %old: f32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %row : i64 to index
    %inside = arith.cmpi ult, %at, %end : index
    loom.require %inside, "gather", "index {0} is outside"(%at : index)
    %value = memref.load %x[%at, %j] : memref<?x?xf32>
    linalg.yield %value : f32
  }
  return
}

// -----

// Behind a guard that stays, nothing moves: the first one that fails is told,
// and what is behind it relies on it.
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @second_guard(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NEXT:        arith.cmpi
// CHECK-NEXT:        loom.require {{.*}} "first"
// CHECK-NEXT:        arith.cmpi
// CHECK-NEXT:        loom.require {{.*}} "second"
// CHECK-NEXT:        memref.load
func.func @second_guard(%x: memref<?xf32>, %rows: memref<?xindex>, %out: memref<?x?xf32>, %end: index) {
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<?xindex>) outs(%out : memref<?x?xf32>) attrs = {loom.writes_apart} {
  ^bb0(%row: index, %old: f32):
    %j = linalg.index 1 : index
    %first = arith.cmpi ult, %j, %end : index
    loom.require %first, "first", "column {0}"(%j : index)
    %second = arith.cmpi ult, %row, %end : index
    loom.require %second, "second", "row {0}"(%row : index)
    %value = memref.load %x[%row] : memref<?xf32>
    linalg.yield %value : f32
  }
  return
}

// -----

// A loop without iterations checks nothing.
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @empty(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             loom.require
func.func @empty(%rows: memref<?xindex>, %out: memref<?x0xindex>, %end: index) {
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<?xindex>) outs(%out : memref<?x0xindex>) attrs = {loom.writes_apart} {
  ^bb0(%row: index, %old: index):
    %inside = arith.cmpi ult, %row, %end : index
    loom.require %inside, "row", "row {0}"(%row : index)
    linalg.yield %row : index
  }
  return
}

// -----

// Nothing moves and nothing is told where memory may overlap, and memory that
// is written is read where it was.
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @may_overlap(
// CHECK-NOT:     noalias
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load
func.func @may_overlap(%rows: memref<?xindex>, %out: memref<?x?xindex>) {
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<?xindex>) outs(%out : memref<?x?xindex>) {
  ^bb0(%row: index, %old: index):
    linalg.yield %row : index
  }
  return
}

// CHECK-LABEL: func.func @sums(
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:             memref.load %[[OUT:.*]][%{{[^,]*}}] {
// CHECK:             memref.store %{{.*}}, %[[OUT]][%{{[^,]*}}] {
func.func @sums(%x: memref<?x?xf32>, %out: memref<?xf32>) {
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%out : memref<?xf32>) attrs = {loom.writes_apart} {
  ^bb0(%value: f32, %sum: f32):
    %next = arith.addf %sum, %value : f32
    linalg.yield %next : f32
  }
  return
}
