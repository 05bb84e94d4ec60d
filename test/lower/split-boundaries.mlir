// RUN: broadloom-opt %s --loom-split-boundaries --canonicalize --cse --split-input-file | FileCheck %s
// RUN: broadloom-opt %s --loom-split-boundaries --split-input-file -o /dev/null

// The inner part reads the source; what is in front of it, behind it and left of
// it reads strips that have just the elements that it needs (bnd-4).
// CHECK-LABEL: func.func @parts
// CHECK-NOT: loom.boundary
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<450x400xf32>
// CHECK: %[[TOP:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<3x401xf32>)
// CHECK: tensor.extract_slice %[[TOP]][0, 0] [1, 400] [1, 1]
// CHECK: tensor.extract_slice %[[TOP]][2, 1] [1, 400] [1, 1]
// CHECK: loom.map({{.*}} = %arg1 : tensor<400xf32>) -> tensor<1x400xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %{{.*}} into %[[ALL]][0, 0] [1, 400] [1, 1]
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<450x2xf32>)
// CHECK: %[[B:.*]] = tensor.insert_slice %{{.*}} into %[[A]][1, 0] [448, 1] [1, 1]
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 0] [448, 399] [1, 1]
// CHECK: %[[T:.*]] = tensor.extract_slice %arg0[2, 1] [448, 399] [1, 1]
// CHECK: %[[R:.*]] = tensor.extract_slice %arg1[1] [399] [1]
// CHECK: %[[INNER:.*]] = loom.map({{.*}} = %[[S]] : tensor<448x399xf32>, {{.*}} = %[[T]] : tensor<448x399xf32>, {{.*}} = %[[R]] : tensor<399xf32>) -> tensor<448x399xf32>
// CHECK: %[[C:.*]] = tensor.insert_slice %[[INNER]] into %[[B]][1, 1] [448, 399] [1, 1]
// CHECK: %[[D:.*]] = tensor.insert_slice %{{.*}} into %[[C]][449, 0] [1, 400] [1, 1]
// CHECK: return %[[D]]
func.func @parts(%x: tensor<450x400xf32>, %row: tensor<400xf32>) -> tensor<450x400xf32> {
  %p = loom.boundary reflect %x low[1, 1] high[1, 0] : tensor<450x400xf32> to tensor<452x401xf32>
  %a = tensor.extract_slice %p[0, 0] [450, 400] [1, 1] : tensor<452x401xf32> to tensor<450x400xf32>
  %b = tensor.extract_slice %p[2, 1] [450, 400] [1, 1] : tensor<452x401xf32> to tensor<450x400xf32>
  %0 = loom.map(%u = %a : tensor<450x400xf32>, %v = %b : tensor<450x400xf32>, %w = %row : tensor<400xf32>) -> tensor<450x400xf32> {
    %s = arith.addf %u, %v : f32
    %t = arith.addf %s, %w : f32
    loom.yield %t : f32
  }
  return %0 : tensor<450x400xf32>
}

// -----

// A tensor.pad by one value is a boundary too, and the widened tensor may be
// read as a whole. With open extents, the inner part may be empty.
// CHECK-LABEL: func.func @pad
// CHECK-NOT: tensor.pad
// CHECK: loom.map
// CHECK: loom.map({{.*}}) {{.*}} -> tensor<?xf32>
// CHECK: loom.map
// CHECK-NOT: loom.map
func.func @pad(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 2.0 : f32
  %p = tensor.pad %x low[2] high[3] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  %0 = loom.map(%u = %p : tensor<?xf32>) attributes {kinds = [#loom.access<[match]>]} -> tensor<?xf32> {
    %s = arith.negf %u : f32
    loom.yield %s : f32
  }
  return %0 : tensor<?xf32>
}

// -----

// What others read as well is made, and maps read it then.
// CHECK-LABEL: func.func @others
// CHECK: %[[P:.*]] = loom.boundary
// CHECK: loom.map({{.*}} = %[[P]]
// CHECK-NOT: loom.map
// CHECK: return {{.*}}%[[P]]
func.func @others(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %p = loom.boundary wrap %x low[2] high[3] : tensor<?xf32> to tensor<?xf32>
  %0 = loom.map(%u = %p : tensor<?xf32>) attributes {kinds = [#loom.access<[match]>]} -> tensor<?xf32> {
    %s = arith.negf %u : f32
    loom.yield %s : f32
  }
  return %0, %p : tensor<?xf32>, tensor<?xf32>
}

// -----

// So is what is small, what is wide, and what another operand may be longer
// than.
// CHECK-LABEL: func.func @small
// CHECK: loom.boundary wrap
// CHECK: loom.boundary reflect
// CHECK: loom.boundary symmetric
// CHECK-COUNT-3: loom.map
// CHECK-NOT: loom.map
func.func @small(%x: tensor<40xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> (tensor<42xf32>, tensor<?xf32>, tensor<?xf32>) {
  %p = loom.boundary wrap %x low[1] high[1] : tensor<40xf32> to tensor<42xf32>
  %q = loom.boundary reflect %y low[65] high[0] : tensor<?xf32> to tensor<?xf32>
  %r = loom.boundary symmetric %y low[1] high[0] : tensor<?xf32> to tensor<?xf32>
  %0 = loom.map(%u = %p : tensor<42xf32>) -> tensor<42xf32> {
    %s = arith.negf %u : f32
    loom.yield %s : f32
  }
  %1 = loom.map(%u = %q : tensor<?xf32>) attributes {kinds = [#loom.access<[match]>]} -> tensor<?xf32> {
    %s = arith.negf %u : f32
    loom.yield %s : f32
  }
  %2 = loom.map(%u = %r : tensor<?xf32>, %v = %z : tensor<?xf32>) attributes {kinds = [#loom.access<[run_time]>, #loom.access<[run_time]>]} -> tensor<?xf32> {
    %s = arith.addf %u, %v : f32
    loom.yield %s : f32
  }
  return %0, %1, %2 : tensor<42xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// A padding that is computed of indices is computed in the parts at the ends
// alone.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: tensor.pad
// CHECK: loom.map({{.*}}) {{.*}} -> tensor<?xf32>
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: else
// CHECK: arith.sitofp
func.func @computed(%x: tensor<?xf32>) -> tensor<?xf32> {
  %p = tensor.pad %x low[0] high[3] {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %y = arith.sitofp %k : i64 to f32
    tensor.yield %y : f32
  } : tensor<?xf32> to tensor<?xf32>
  %0 = loom.map(%u = %p : tensor<?xf32>) attributes {kinds = [#loom.access<[match]>]} -> tensor<?xf32> {
    %s = arith.negf %u : f32
    loom.yield %s : f32
  }
  return %0 : tensor<?xf32>
}
