// RUN: broadloom-opt %s --loom-bufferize --split-input-file | FileCheck %s

// Maps read arguments as they are, whatever their strides.
// CHECK-LABEL: func.func @map_reads_strided
// CHECK-SAME: %[[A:.*]]: memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NOT: loom.contiguous
// CHECK: %[[R:.*]] = loom.launch(%[[A]]) slots [-1] : ({{.*}}) -> memref<?x4xf32> {
// CHECK: math.exp
// CHECK: return %[[R]] : memref<?x4xf32>
func.func @map_reads_strided(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = loom.map(%x = %a : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  return %r : tensor<?x4xf32>
}

// -----

// Other operations read row-major memory, copied only if it must be, and never
// write to an argument.
// CHECK-LABEL: func.func @others_read_contiguous
// CHECK: loom.contiguous %{{.*}} : memref<4xf32, strided<[?], offset: ?>> -> memref<4xf32>
// CHECK: memref.alloc
func.func @others_read_contiguous(%a: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %v into %a[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Unranked tensors become unranked buffers (rt-7).
// CHECK-LABEL: func.func @unranked
// CHECK: loom.launch(%{{.*}}) slots [-1] : (memref<*xf32>, memref<*xf32>) -> memref<*xf32>
func.func @unranked(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %r = loom.map(%x = %a : tensor<*xf32>, %y = %b : tensor<*xf32>) -> tensor<*xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %r : tensor<*xf32>
}

// -----

// A function that is called returns what it has, and its caller knows: a copy of
// what the call gives has the extents of that type.
// CHECK-LABEL: func.func private @returns_a_cast
// CHECK-SAME: -> memref<3xf32>
// CHECK-LABEL: func.func private @by_way_of_another
// CHECK-SAME: -> memref<3xf32>
// CHECK-LABEL: func.func @copies_the_result
// CHECK: %[[R:.*]] = call @by_way_of_another(%{{.*}}) : ({{.*}}) -> memref<3xf32>
// CHECK: %[[C:.*]] = memref.cast %[[R]] : memref<3xf32> to memref<?xf32>
// CHECK: scf.for
// CHECK: %[[N:.*]] = memref.dim %[[C]]
// CHECK: memref.alloc(%[[N]]) {{.*}} : memref<?xf32>
func.func private @returns_a_cast(%a: tensor<3xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<3xf32>) -> tensor<3xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %c = tensor.cast %r : tensor<3xf32> to tensor<?xf32>
  return %c : tensor<?xf32>
}
func.func private @by_way_of_another(%a: tensor<3xf32>) -> tensor<?xf32> {
  %r = call @returns_a_cast(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @copies_the_result(%a: tensor<3xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = call @by_way_of_another(%a) : (tensor<3xf32>) -> tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %b, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %e = tensor.extract %b[%i] : tensor<?xf32>
    %w = tensor.insert %e into %y[%i] : tensor<?xf32>
    scf.yield %w, %v : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// What a view of the memory reads is read in front of the write.
// CHECK-LABEL: func.func @reads_a_view_before(
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield
// CHECK-LABEL: func.func @reads_a_view_behind(
// CHECK:         scf.for
// CHECK:         %[[MEMORY:.*]] = memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[MEMORY]]
// CHECK:         scf.yield
func.func @reads_a_view_before(%n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %start = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%x = %start) -> (tensor<?xf32>) {
    %before = arith.subi %i, %c1 : index
    %last = tensor.extract_slice %x[%before] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %unused = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %new = loom.map(%e = %last : tensor<1xf32>) -> tensor<1xf32> {
      %f = math.exp %e : f32
      loom.yield %f : f32
    }
    %w = tensor.insert_slice %new into %x[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @reads_a_view_behind(%n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %start = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%x = %start) -> (tensor<?xf32>) {
    %last = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %new = loom.map(%e = %last : tensor<1xf32>) -> tensor<1xf32> {
      %f = math.exp %e : f32
      loom.yield %f : f32
    }
    %w = tensor.insert_slice %new into %x[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    %again = tensor.insert_slice %last into %w[0] [1] [1] : tensor<1xf32> into tensor<?xf32>
    scf.yield %again : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Callees take row-major memory. A view whose rows lie apart by a number that
// nobody knows is copied where that number is not the extent.
// CHECK-LABEL: func.func @gives_rows(
// CHECK:         %[[ROWS:.*]] = memref.cast %{{.*}} : memref<2x?xf32, strided<[?, 1]>>
// CHECK:         %[[COPY:.*]] = loom.contiguous %[[ROWS]]
// CHECK:         call @takes_rows(%[[COPY]])
func.func private @takes_rows(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @gives_rows(%a: tensor<?x?xf32>, %n: index, %step: index) -> tensor<?xf32> {
  %rows = tensor.extract_slice %a[0, 0] [2, %n] [%step, 1] : tensor<?x?xf32> to tensor<2x?xf32>
  %c = tensor.cast %rows : tensor<2x?xf32> to tensor<?x?xf32>
  %r = call @takes_rows(%c) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Both ways into one block, with other operands each time: both become buffers.
// CHECK-LABEL: func.func @either_way(
// CHECK:         cf.cond_br %{{.*}}, ^[[TO:bb[0-9]+]](%{{.*}} : memref<?xf32{{.*}}>), ^[[BETWEEN:bb[0-9]+]]
// CHECK:       ^[[BETWEEN]]:
// CHECK:         cf.br ^[[TO]](%{{.*}} : memref<?xf32{{.*}}>)
// CHECK:       ^[[TO]](%[[X:.*]]: memref<?xf32{{.*}}>):
// CHECK:         return %[[X]]
func.func @either_way(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^to(%a : tensor<?xf32>), ^to(%b : tensor<?xf32>)
^to(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
}

// CHECK-LABEL: func.func @many_ways(
// CHECK-COUNT-2: cf.br ^{{bb[0-9]+}}(%{{.*}} : memref<?xf32{{.*}}>)
// CHECK-NOT:     tensor<
func.func @many_ways(%i: i32, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  cf.switch %i : i32, [
    default: ^to(%a : tensor<?xf32>),
    1: ^to(%b : tensor<?xf32>),
    2: ^to(%c : tensor<?xf32>)
  ]
^to(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
}

// -----

// Where maps make all tensors nothing is cast, not even for a moment, and
// numbers about tensors are numbers about their buffers.
// CHECK-LABEL: func.func @only_maps
// CHECK-SAME: (%[[A:.*]]: memref<?xf32, strided<[?], offset: ?>>, %[[U:.*]]: memref<*xf32>) -> (memref<?xf32>, memref<?x1xf32>, index, index)
// CHECK: memref.dim %[[A]]
// CHECK: %[[R:.*]] = loom.launch(%[[A]])
// CHECK: loom.shape_of %[[R]] : memref<?xf32>
// CHECK: %[[N:.*]] = memref.rank %[[U]]
// CHECK-NOT: memref.cast
// CHECK: return %[[R]], %{{.*}}, %{{.*}}, %[[N]]
func.func @only_maps(%a: tensor<?xf32>, %u: tensor<*xf32>) -> (tensor<?xf32>, tensor<?x1xf32>, index, index) {
  %zero = arith.constant 0 : index
  %d = tensor.dim %a, %zero : tensor<?xf32>
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %shape = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  %w = loom.map(%x = %u : tensor<*xf32>) -> tensor<*xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %n = tensor.rank %u : tensor<*xf32>
  %s = loom.map(%x = %r : tensor<?xf32>) -> tensor<?x1xf32> {
    loom.yield %x : f32
  }
  return %r, %s, %d, %n : tensor<?xf32>, tensor<?x1xf32>, index, index
}

// -----

// What hands an argument on takes the other way, and gives the same.
// CHECK-LABEL: func.func @map_and_argument
// CHECK: %[[C:.*]] = loom.contiguous
// CHECK: %[[R:.*]] = loom.launch(%{{.*}}) slots [-1]
// CHECK: return %[[R]], %[[C]]
func.func @map_and_argument(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  return %r, %a : tensor<?xf32>, tensor<?xf32>
}

// -----

// A constant that nobody reads is no global.
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @dead_constant
// CHECK-NOT: memref.get_global
// CHECK: linalg.transpose
// CHECK: return
func.func @dead_constant(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}

// -----

// Axes of extents 0 and `?` collapse to `?` in a tensor's type and to 0 in a
// memref's, which the type of what follows contradicts.
// CHECK-LABEL: func.func @empty_reshape
// CHECK: %[[N:.*]] = arith.muli
// CHECK: memref.alloc(%{{.*}}, %[[N]]){{.*}} : memref<?x?xi8>
func.func @empty_reshape(%a: tensor<?x?x0xi8>, %n: index) -> tensor<?x?x1xi8> {
  %c = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x?x0xi8> into tensor<?x?xi8>
  %r = tensor.expand_shape %c [[0], [1, 2]] output_shape [%n, %n, 1] : tensor<?x?xi8> into tensor<?x?x1xi8>
  return %r : tensor<?x?x1xi8>
}
