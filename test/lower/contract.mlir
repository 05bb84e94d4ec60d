// RUN: broadloom-opt %s --pass-pipeline='builtin.module(func.func(loom-fold-constants,convert-tosa-to-contract,convert-linalg-to-contract,loom-fuse-tails))' | FileCheck %s

// A bias is added in the body, and constant weights have the output channels
// innermost.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK: loom.contract(%arg0, %[[W]], %{{.*}}) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 1, 2, 3>, strides = array<i64: 2, 1>}
// CHECK-SAME: (tensor<?x8x8x2xf32>, tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<?x5x13x2xf32>
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT: loom.yield %[[R]] : f32
func.func @convolution(%x: tensor<?x8x8x2xf32>) -> tensor<?x5x13x2xf32> {
  %w = arith.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %b = arith.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %y = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 2, 3>, stride = array<i64: 2, 1>} : (tensor<?x8x8x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x5x13x2xf32>
  return %y : tensor<?x5x13x2xf32>
}

// Zero points of integers are attributes.
// CHECK-LABEL: func.func @integers
// CHECK: loom.contract({{.*}}) window {{{.*}}kind = #loom.contraction_kind<depthwise>{{.*}}zeroPoints = array<i64: -3, 7>}
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32):
func.func @integers(%x: tensor<1x8x8x2xi8>, %b: tensor<2xi32>) -> tensor<1x6x6x2xi32> {
  %w = arith.constant dense<1> : tensor<3x3x2x1xi8>
  %zx = arith.constant dense<-3> : tensor<1xi8>
  %zw = arith.constant dense<7> : tensor<1xi8>
  %y = tosa.depthwise_conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xi8>, tensor<3x3x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x2xi32>
  return %y : tensor<1x6x6x2xi32>
}

// Zero points that are not constant, and sums in f16.
// CHECK-LABEL: func.func @left
// CHECK-NOT: loom.contract
func.func @left(%x: tensor<1x8x8x2xi8>, %w: tensor<2x3x3x2xi8>, %b: tensor<2xi32>, %z: tensor<1xi8>, %h: tensor<1x4x4xf16>) -> (tensor<1x6x6x2xi32>, tensor<1x4x4xf16>) {
  %0 = arith.constant dense<0.0> : tensor<1xf16>
  %y = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xi8>, tensor<2x3x3x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x2xi32>
  %m = tosa.matmul %h, %h, %0, %0 : (tensor<1x4x4xf16>, tensor<1x4x4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x4x4xf16>
  return %y, %m : tensor<1x6x6x2xi32>, tensor<1x4x4xf16>
}

// Several kernels for a channel: the channels are repeated.
// CHECK-LABEL: func.func @multiplied
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %arg1
// CHECK: %[[MAP:.*]] = loom.map(%[[X:.*]] = %{{.*}} : tensor<1x8x8x2x1xf32>, %{{.*}} = %[[SLICE]] : tensor<2x?xf32>) -> tensor<1x8x8x2x?xf32> {
// CHECK-NEXT: loom.yield %[[X]]
// CHECK: %[[IMAGE:.*]] = tensor.collapse_shape %[[MAP]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: loom.contract(%[[IMAGE]], %{{.*}}, %arg2) window {{{.*}}kind = #loom.contraction_kind<depthwise>,
func.func @multiplied(%x: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x?xf32>, %b: tensor<?xf32>) -> tensor<1x6x6x?xf32> {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %y = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<3x3x2x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x?xf32>
  return %y : tensor<1x6x6x?xf32>
}

// A pool takes the largest element of a window; a map behind it is its body.
// CHECK-LABEL: func.func @pool
// CHECK: %[[WINDOW:.*]] = tensor.empty() : tensor<3x2xi8>
// CHECK: loom.contract(%arg0, %[[WINDOW]], %arg1) window {dilations = array<i64: 1, 1>, kind = #loom.contraction_kind<max_pool>, pads = array<i64: 1, 0, 0, 1>, strides = array<i64: 2, 1>}
// CHECK-SAME: (tensor<?x?x?x8xf16>, tensor<3x2xi8>, tensor<1x1x1x8xf16>) -> tensor<?x?x?x8xf16>
// CHECK-NEXT: ^bb0(%[[MOST:.*]]: f32, %[[OTHER:.*]]: f16):
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[MOST]] : f32 to f16
// CHECK-NEXT: arith.addf %[[NARROW]], %[[OTHER]] : f16
func.func @pool(%x: tensor<?x?x?x8xf16>, %b: tensor<1x1x1x8xf16>) -> tensor<?x?x?x8xf16> {
  %y = tosa.max_pool2d %x {kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<?x?x?x8xf16>) -> tensor<?x?x?x8xf16>
  %s = loom.map(%m = %y : tensor<?x?x?x8xf16>, %o = %b : tensor<1x1x1x8xf16>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[one, one, one, match]>]} -> tensor<?x?x?x8xf16> {
    %t = arith.addf %m, %o : f16
    loom.yield %t : f16
  }
  return %s : tensor<?x?x?x8xf16>
}

// An average is a sum without weights, divided by what lies in the image: a constant
// along an axis without padding, else a number for each window.
// CHECK-LABEL: func.func @average
// CHECK-DAG: %[[WINDOW:.*]] = tensor.empty() : tensor<3x2xi8>
// CHECK-DAG: %[[COUNTS:.*]] = arith.constant dense<{{\[\[\[}}2.000000e+00]], {{\[\[}}3.000000e+00]], {{\[\[}}2.000000e+00]]]> : tensor<3x1x1xf32>
// CHECK: loom.contract(%arg0, %[[WINDOW]], %[[COUNTS]]) window {dilations = array<i64: 1, 1>, kind = #loom.contraction_kind<sum_pool>, pads = array<i64: 1, 1, 0, 0>, strides = array<i64: 2, 1>}
// CHECK-SAME: (tensor<?x5x?x8xf16>, tensor<3x2xi8>, tensor<3x1x1xf32>) -> tensor<?x3x?x8xf16>
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[ROWS:.*]]: f32):
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[COUNT:.*]] = arith.mulf %[[ROWS]], %[[TWO]] : f32
// CHECK-NEXT: %[[MEAN:.*]] = arith.divf %[[SUM]], %[[COUNT]] : f32
// CHECK-NEXT: arith.truncf %[[MEAN]] : f32 to f16
func.func @average(%x: tensor<?x5x?x8xf16>) -> tensor<?x3x?x8xf16> {
  %z = arith.constant dense<0.0> : tensor<1xf16>
  %y = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 1>} : (tensor<?x5x?x8xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<?x3x?x8xf16>
  return %y : tensor<?x3x?x8xf16>
}

// Of averages, those of few channels and those with padding of an open extent.
// CHECK-LABEL: func.func @summed_by_loops
// CHECK-NOT: loom.contract
func.func @summed_by_loops(%x: tensor<1x8x8x4xf32>, %y: tensor<1x?x8x8xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x?x8x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %1 = tosa.avg_pool2d %y, %z, %z {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x8x8xf32>
  return %0, %1 : tensor<1x4x4x4xf32>, tensor<1x?x8x8xf32>
}

// Pools of integers, those that ignore NaN, and those of few channels are loops.
// CHECK-LABEL: func.func @loops
// CHECK-NOT: loom.contract
func.func @loops(%x: tensor<1x8x8x8xi8>, %y: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x4xf32>, %w: tensor<1x8x8x?xf32>) -> (tensor<1x4x4x8xi8>, tensor<1x4x4x8xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x?xf32>) {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x8xi8>) -> tensor<1x4x4x8xi8>
  %1 = tosa.max_pool2d %y {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, nan_mode = IGNORE} : (tensor<1x8x8x8xf32>) -> tensor<1x4x4x8xf32>
  %2 = tosa.max_pool2d %z {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = tosa.max_pool2d %w {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x?xf32>) -> tensor<1x4x4x?xf32>
  return %0, %1, %2, %3 : tensor<1x4x4x8xi8>, tensor<1x4x4x8xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x?xf32>
}

// Channel by channel over one element: a map.
// CHECK-LABEL: func.func @scale
// CHECK-NOT: loom.contract
// CHECK: loom.map(%{{.*}} = %arg0 : tensor<?x?x?x2xf32>, %{{.*}} = %{{.*}} : tensor<1x1x2xf32>, %{{.*}} = %arg1 : tensor<2xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[one, one, match]>, #loom.access<[match]>]}
func.func @scale(%x: tensor<?x?x?x2xf32>, %b: tensor<2xf32>) -> tensor<?x?x?x2xf32> {
  %w = arith.constant dense<[[[[2.0], [3.0]]]]> : tensor<1x1x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %y = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x2xf32>, tensor<1x1x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x2xf32>
  return %y : tensor<?x?x?x2xf32>
}

// A map of the sums joins them; sums that others read are a result as well.
// CHECK-LABEL: func.func @tail
// CHECK: %[[R:.*]]:2 = loom.contract(%arg0, %arg1, %arg2) window
// CHECK-SAME: -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>)
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[OTHER:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.subf %[[OTHER]], %[[SUM]] : f32
// CHECK-NEXT: loom.yield %[[S]], %[[SUM]] : f32, f32
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @tail(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<3x1xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %p = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %r = loom.map(%x = %c : tensor<3x1xf32>, %y = %p : tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
    %s = arith.subf %x, %y : f32
    loom.yield %s : f32
  }
  return %r, %p : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}

// The next map joins as well; what others read of the first one stays a result.
// CHECK-LABEL: func.func @tails
// CHECK: %[[R:.*]]:3 = loom.contract(%arg0, %arg1, %arg2) window
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[OTHER:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.subf %[[OTHER]], %[[SUM]] : f32
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[SUM]] : f32
// CHECK-NEXT: %[[T:.*]] = arith.mulf %[[N]], %[[S]] : f32
// CHECK-NEXT: %[[U:.*]] = arith.addf %[[T]], %[[SUM]] : f32
// CHECK-NEXT: loom.yield %[[U]], %[[S]], %[[SUM]] : f32, f32, f32
// CHECK-NOT: loom.map
// CHECK: return %[[R]]#1, %[[R]]#0, %[[R]]#2
func.func @tails(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<3x1xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %p = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %r:2 = loom.map(%x = %c : tensor<3x1xf32>, %y = %p : tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
    %s = arith.subf %x, %y : f32
    %n = arith.negf %y : f32
    loom.yield %s, %n : f32, f32
  }
  %u = loom.map(%x = %r#1 : tensor<2x3x5xf32>, %y = %r#0 : tensor<2x3x5xf32>, %w = %p : tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
    %t = arith.mulf %x, %y : f32
    %v = arith.addf %t, %w : f32
    loom.yield %v : f32
  }
  return %r#0, %u, %p : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>
}

// Not one whose result may be larger than the sums.
// CHECK-LABEL: func.func @larger
// CHECK: loom.contract
// CHECK: loom.map
func.func @larger(%a: tensor<?x3x4xf32>, %b: tensor<?x4x5xf32>, %c: tensor<?x3x1xf32>) -> tensor<?x3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %p = tosa.matmul %a, %b, %z, %z : (tensor<?x3x4xf32>, tensor<?x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3x5xf32>
  %r = loom.map(%x = %c : tensor<?x3x1xf32>, %y = %p : tensor<?x3x5xf32>) attributes {kinds = [#loom.access<[run_time, match, one]>, #loom.access<[run_time, match, match]>]} -> tensor<?x3x5xf32> {
    %s = arith.subf %x, %y : f32
    loom.yield %s : f32
  }
  return %r : tensor<?x3x5xf32>
}

// Weights that are kept in 16 bits are widened here.
// CHECK-LABEL: func.func @widened
// CHECK: arith.constant dense<{{\[\[}}1.500000e+00], [6.10351563E-5], [0x7FC00000]]> : tensor<3x1xf32>
// CHECK-NOT: loom.map
// CHECK-NOT: tosa.reshape
func.func @widened() -> tensor<3x1xf32> {
  %c = arith.constant dense<[1.5, 6.103515625e-05, 0x7E00]> : tensor<3xf16>
  %w = loom.map(%x = %c : tensor<3xf16>) -> tensor<3xf32> {
    %y = arith.extf %x : f16 to f32
    loom.yield %y : f32
  }
  %s = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %w, %s : (tensor<3xf32>, !tosa.shape<2>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// The weight of a linear layer of PyTorch has the output channels in front.
// CHECK-LABEL: func.func @linear
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, -3.000000e+00], [2.000000e+00, 4.000000e+00], [5.000000e-01, 1.270000e+02]]]> : tensor<1x3x2xf32>
// CHECK: loom.contract(%arg0, %[[W]])
// CHECK-NOT: tosa.transpose
func.func @linear(%x: tensor<1x?x3xf32>) -> tensor<1x?x2xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 0.5], [-3.0, 4.0, 127.0]]> : tensor<2x3xbf16>
  %w = loom.map(%e = %c : tensor<2x3xbf16>) -> tensor<2x3xf32> {
    %y = arith.extf %e : bf16 to f32
    loom.yield %y : f32
  }
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 3, 2] : tensor<3x2xf32> into tensor<1x3x2xf32>
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r = tosa.matmul %x, %b, %z, %z : (tensor<1x?x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x2xf32>
  return %r : tensor<1x?x2xf32>
}

// Integers are converted as the operation in the map does it.
// CHECK-LABEL: func.func @converted
// CHECK-DAG: arith.constant dense<[-1.280000e+02, 3.000000e+00]> : tensor<2xf16>
// CHECK-DAG: arith.constant dense<[128, 3]> : tensor<2xi32>
// CHECK-DAG: arith.constant dense<-1> : tensor<2xi64>
// CHECK-NOT: loom.map
// CHECK: return
func.func @converted() -> (tensor<2xf16>, tensor<2xi32>, tensor<2xi64>) {
  %c = arith.constant dense<[-128, 3]> : tensor<2xi8>
  %s = arith.constant dense<-1> : tensor<2xi16>
  %f = loom.map(%x = %c : tensor<2xi8>) -> tensor<2xf16> {
    %y = arith.sitofp %x : i8 to f16
    loom.yield %y : f16
  }
  %u = loom.map(%x = %c : tensor<2xi8>) -> tensor<2xi32> {
    %y = arith.extui %x : i8 to i32
    loom.yield %y : i32
  }
  %i = loom.map(%x = %s : tensor<2xi16>) -> tensor<2xi64> {
    %y = arith.extsi %x : i16 to i64
    loom.yield %y : i64
  }
  return %f, %u, %i : tensor<2xf16>, tensor<2xi32>, tensor<2xi64>
}

// Named operations of linalg that add to zeros.
// CHECK-LABEL: func.func @named
// CHECK-NOT: linalg.fill
// CHECK-NOT: tensor.empty
// CHECK: loom.contract(%arg0, %arg1) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x4xf16>, tensor<4x5xf16>) -> tensor<?x5xf32>
// CHECK: loom.contract(%arg2, %arg3) window {dilations = array<i64: 1, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 1>}
// CHECK: loom.contract(%arg2, %arg4) window {{{.*}}kind = #loom.contraction_kind<depthwise>
// CHECK: loom.contract(%arg5, %arg5) window {{.*}} : (tensor<2x3x3xi8>, tensor<2x3x3xi8>) -> tensor<2x3x3xi32>
func.func @named(%a: tensor<?x4xf16>, %b: tensor<4x5xf16>, %x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x8xf32>, %d: tensor<3x3x4xf32>, %i: tensor<2x3x3xi8>) -> (tensor<?x5xf32>, tensor<1x4x5x8xf32>, tensor<1x7x7x4xf32>, tensor<2x3x3xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf16>
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty(%n) : tensor<?x5xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x4xf16>, tensor<4x5xf16>) outs(%f0 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %f1 = arith.constant dense<0.0> : tensor<1x4x5x8xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%f1 : tensor<1x4x5x8xf32>) -> tensor<1x4x5x8xf32>
  %f2 = arith.constant dense<0.0> : tensor<1x7x7x4xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %d : tensor<1x9x9x4xf32>, tensor<3x3x4xf32>) outs(%f2 : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  %f3 = arith.constant dense<0> : tensor<2x3x3xi32>
  %3 = linalg.batch_matmul ins(%i, %i : tensor<2x3x3xi8>, tensor<2x3x3xi8>) outs(%f3 : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  return %0, %1, %2, %3 : tensor<?x5xf32>, tensor<1x4x5x8xf32>, tensor<1x7x7x4xf32>, tensor<2x3x3xi32>
}

// Sums of f64 are contractions.
// CHECK-LABEL: func.func @doubles
// CHECK: loom.contract({{.*}}) {{.*}} : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64> {
// CHECK-NEXT: ^bb0(%{{.*}}: f64):
func.func @doubles(%d: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %w = arith.constant dense<0.0> : tensor<4x4xf64>
  %0 = linalg.matmul ins(%d, %d : tensor<4x4xf64>, tensor<4x4xf64>) outs(%w : tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// What adds to other numbers, to negative zeros too, or computes in f16, stays.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: loom.contract
func.func @stays(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf16>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = arith.constant dense<-0.0> : tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = arith.constant dense<0.0> : tensor<4x4xf16>
  %2 = linalg.matmul ins(%d, %d : tensor<4x4xf16>, tensor<4x4xf16>) outs(%w : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>
}

// A large constant that no product reads stays as it is.
// CHECK-LABEL: func.func @table
// CHECK: loom.map
func.func @table() -> tensor<200x200xf32> {
  %c = arith.constant dense<1.0> : tensor<200x200xf16>
  %f = loom.map(%x = %c : tensor<200x200xf16>) -> tensor<200x200xf32> {
    %y = arith.extf %x : f16 to f32
    loom.yield %y : f32
  }
  return %f : tensor<200x200xf32>
}

// A rescale of sums is computed of them.
// CHECK-LABEL: func.func @rescaled
// CHECK: %[[M:.*]] = arith.constant dense<[1073741824, 1073741825]>
// CHECK: loom.contract(%arg0, %{{.*}}, %arg1, %[[M]]) window
// CHECK-SAME: (tensor<1x8x8x2xi8>, tensor<1x1x2x2xi8>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x8x8x2xi8>
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// CHECK-NOT: arith.minsi %{{.*}}, %c62_i64
// CHECK: arith.shrsi
// CHECK: loom.yield %{{.*}} : i8
func.func @rescaled(%x: tensor<1x8x8x2xi8>, %b: tensor<2xi32>) -> tensor<1x8x8x2xi8> {
  %w = arith.constant dense<1> : tensor<2x1x1x2xi8>
  %z = arith.constant dense<0> : tensor<1xi8>
  %zi = arith.constant dense<0> : tensor<1xi32>
  %m = arith.constant dense<[1073741824, 1073741825]> : tensor<2xi32>
  %s = arith.constant dense<38> : tensor<2xi8>
  %y = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
  %0 = tosa.rescale %y, %m, %s, %zi, %z {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x8x8x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi8>
  return %0 : tensor<1x8x8x2xi8>
}

// It stays where its numbers are arguments, or what it rescales is not sums.
// CHECK-LABEL: func.func @otherRescales
// CHECK: tosa.rescale
// CHECK: tosa.rescale
func.func @otherRescales(%x: tensor<1x8x8x2xi8>, %b: tensor<2xi32>, %n: tensor<2xi32>, %k: tensor<1x8x8x2xi32>) -> (tensor<1x8x8x2xi8>, tensor<1x8x8x2xi8>) {
  %w = arith.constant dense<1> : tensor<2x1x1x2xi8>
  %z = arith.constant dense<0> : tensor<1xi8>
  %zi = arith.constant dense<0> : tensor<1xi32>
  %m = arith.constant dense<[1073741824, 1073741825]> : tensor<2xi32>
  %s = arith.constant dense<38> : tensor<2xi8>
  %y = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
  %0 = tosa.rescale %y, %n, %s, %zi, %z {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x8x8x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi8>
  %1 = tosa.rescale %k, %m, %s, %zi, %z {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x8x8x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi8>
  return %0, %1 : tensor<1x8x8x2xi8>, tensor<1x8x8x2xi8>
}

// What reads extents in front of a map does not keep it from the sums: the map
// is computed where they are, of operands that fit by their types.
// CHECK-LABEL: func.func @extents_are_read_before
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %arg2
// CHECK: %[[SUM:.*]] = loom.contract(%arg0, %arg1, %[[VIEW]])
// CHECK: arith.mulf
// CHECK: loom.shape_of %[[SUM]]
// CHECK: loom.require
// CHECK-NOT: loom.map
// CHECK: return %[[SUM]]
func.func @extents_are_read_before(%a: tensor<?x8x8x2xf32>, %w: tensor<1x1x2x4xf32>, %b: tensor<4xf32>) -> tensor<?x8x8x4xf32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<1x1x2x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %shape = loom.shape_of %r : tensor<?x8x8x4xf32> -> <[?, 8, 8, 4]>
  %n = loom.extent %shape[0] : <[?, 8, 8, 4]>
  %one = arith.constant 1 : index
  %some = arith.cmpi sge, %n, %one : index
  loom.require %some, "x", "there are {0}"(%n : index)
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
  %m = loom.map(%x = %r : tensor<?x8x8x4xf32>, %y = %v : tensor<1x1x1x4xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[one, one, one, match]>]} -> tensor<?x8x8x4xf32> {
    %p = arith.mulf %x, %y : f32
    loom.yield %p : f32
  }
  return %m : tensor<?x8x8x4xf32>
}

// Where a guard between the two tells that an operand fits, the map stays.
// CHECK-LABEL: func.func @a_guard_is_between
// CHECK: loom.contract
// CHECK: loom.require
// CHECK: loom.map
func.func @a_guard_is_between(%a: tensor<?x8x8x2xf32>, %w: tensor<1x1x2x4xf32>, %b: tensor<?x8x8x4xf32>) -> tensor<?x8x8x4xf32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<1x1x2x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %zero = arith.constant 0 : index
  %n = tensor.dim %r, %zero : tensor<?x8x8x4xf32>
  %k = tensor.dim %b, %zero : tensor<?x8x8x4xf32>
  %same = arith.cmpi eq, %n, %k : index
  loom.require %same, "x", "{0} are not {1}"(%n, %k : index, index)
  %m = loom.map(%x = %r : tensor<?x8x8x4xf32>, %y = %b : tensor<?x8x8x4xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[match, match, match, match]>]} -> tensor<?x8x8x4xf32> {
    %p = arith.addf %x, %y : f32
    loom.yield %p : f32
  }
  return %m : tensor<?x8x8x4xf32>
}

// CHECK-LABEL: func.func @a_guard_is_in_front
// CHECK: loom.require
// CHECK: %[[SUM:.*]] = loom.contract(%arg0, %arg1, %arg2)
// CHECK: tensor.dim %[[SUM]]
// CHECK-NOT: loom.map
func.func @a_guard_is_in_front(%a: tensor<?x8x8x2xf32>, %w: tensor<1x1x2x4xf32>, %b: tensor<?x8x8x4xf32>) -> (tensor<?x8x8x4xf32>, index) {
  %zero = arith.constant 0 : index
  %i = tensor.dim %a, %zero : tensor<?x8x8x2xf32>
  %k = tensor.dim %b, %zero : tensor<?x8x8x4xf32>
  %same = arith.cmpi eq, %i, %k : index
  loom.require %same, "x", "{0} are not {1}"(%i, %k : index, index)
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<1x1x2x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %n = tensor.dim %r, %zero : tensor<?x8x8x4xf32>
  %m = loom.map(%x = %r : tensor<?x8x8x4xf32>, %y = %b : tensor<?x8x8x4xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[match, match, match, match]>]} -> tensor<?x8x8x4xf32> {
    %p = arith.addf %x, %y : f32
    loom.yield %p : f32
  }
  return %m, %n : tensor<?x8x8x4xf32>, index
}

// A guard between the two may prove an extent that only the type of the map
// tells: the map stays.
// CHECK-LABEL: func.func @a_guard_tells_an_extent
// CHECK: loom.contract
// CHECK: loom.require
// CHECK: loom.map
func.func @a_guard_tells_an_extent(%a: tensor<?x8x8x2xf32>, %w: tensor<1x1x2x4xf32>, %b: tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<1x1x2x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %n = tensor.dim %r, %zero : tensor<?x8x8x4xf32>
  %same = arith.cmpi eq, %n, %four : index
  loom.require %same, "x", "{0} are not {1}"(%n, %four : index, index)
  %m = loom.map(%x = %r : tensor<?x8x8x4xf32>, %y = %b : tensor<4x8x8x4xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[match, match, match, match]>]} -> tensor<4x8x8x4xf32> {
    %p = arith.addf %x, %y : f32
    loom.yield %p : f32
  }
  return %m : tensor<4x8x8x4xf32>
}

// Without a guard, the type of the map holds for the sums as well; readers of
// extents read those of the same values.
// CHECK-LABEL: func.func @the_map_tells_an_extent
// CHECK: %[[SUM:.*]] = loom.contract(%arg0, %arg1, %arg2)
// CHECK: -> tensor<4x8x8x4xf32>
// CHECK: %[[CAST:.*]] = tensor.cast %[[SUM]] : tensor<4x8x8x4xf32> to tensor<?x8x8x4xf32>
// CHECK: tensor.dim %[[CAST]]
// CHECK-NOT: loom.map
func.func @the_map_tells_an_extent(%a: tensor<?x8x8x2xf32>, %w: tensor<1x1x2x4xf32>, %b: tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, index) {
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<1x1x2x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %zero = arith.constant 0 : index
  %n = tensor.dim %r, %zero : tensor<?x8x8x4xf32>
  %m = loom.map(%x = %r : tensor<?x8x8x4xf32>, %y = %b : tensor<4x8x8x4xf32>) attributes {kinds = [#loom.access<[match, match, match, match]>, #loom.access<[match, match, match, match]>]} -> tensor<4x8x8x4xf32> {
    %p = arith.addf %x, %y : f32
    loom.yield %p : f32
  }
  return %m, %n : tensor<4x8x8x4xf32>, index
}
