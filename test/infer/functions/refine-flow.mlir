// RUN: broadloom-opt %s --loom-constrain-extents --loom-refine-shapes -split-input-file | FileCheck %s

// Refinement knows what the one walk knows: what calls, branches, loops and
// promises say of extents. Signatures, and what regions and blocks receive, keep
// their types; a user that knows more than they say gets a cast. S-17, sf-8, bcast-6

// Results of calls, by the extents of arguments; and what all calls of a private
// function have in common.
// CHECK-LABEL: func.func @sf8_calls(
// CHECK:         %[[R:.+]] = call @twice(%{{.+}}) : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK:         %[[C:.+]] = tensor.cast %[[R]] : tensor<?x?xf32> to tensor<8x5xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<8x5xf32>
// CHECK-LABEL: func.func private @twice(
// CHECK-SAME:      %[[X:.+]]: tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK:         %[[C:.+]] = tensor.cast %[[X]] : tensor<?x?xf32> to tensor<4x5xf32>
// CHECK:         tosa.concat %[[C]], %[[C]] {{.+}} -> tensor<8x5xf32>
func.func @sf8_calls(%a: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %w = tensor.cast %a : tensor<4x5xf32> to tensor<?x?xf32>
  %r = call @twice(%w) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v = tosa.reverse %r {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %v : tensor<?x?xf32>
}
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Others may call a public function with anything; where calls differ, a private
// one knows what they share.
// CHECK-LABEL: func.func @sf8_public(
// CHECK:         tosa.concat %arg0, %arg0 {{.+}} -> tensor<?x?xf32>
// CHECK-LABEL: func.func private @sf8_shared(
// CHECK:         tosa.concat {{.+}} -> tensor<?x5xf32>
func.func @sf8_public(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func private @sf8_shared(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @callers(%a: tensor<4x5xf32>, %b: tensor<?x5xf32>) {
  %c = tensor.cast %a : tensor<4x5xf32> to tensor<?x?xf32>
  %d = tensor.cast %b : tensor<?x5xf32> to tensor<?x?xf32>
  %0 = call @sf8_public(%c) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = call @sf8_shared(%c) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = call @sf8_shared(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// A function that calls itself: its result is what it is given.
// CHECK-LABEL: func.func @sf8_recursion(
// CHECK:         %[[R:.+]] = call @keeps
// CHECK:         tensor.cast %[[R]] : tensor<?x5xf32> to tensor<4x5xf32>
// CHECK:         tosa.reverse {{.+}} -> tensor<4x5xf32>
func.func @sf8_recursion(%a: tensor<4x5xf32>, %n: index) -> tensor<?x5xf32> {
  %w = tensor.cast %a : tensor<4x5xf32> to tensor<?x5xf32>
  %r = call @keeps(%w, %n) : (tensor<?x5xf32>, index) -> tensor<?x5xf32>
  %v = tosa.reverse %r {axis = 0 : i32} : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %v : tensor<?x5xf32>
}
func.func private @keeps(%x: tensor<?x5xf32>, %n: index) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %p -> (tensor<?x5xf32>) {
    %m = arith.subi %n, %c1 : index
    %y = func.call @keeps(%x, %m) : (tensor<?x5xf32>, index) -> tensor<?x5xf32>
    %z = tosa.reverse %y {axis = 0 : i32} : (tensor<?x5xf32>) -> tensor<?x5xf32>
    scf.yield %z : tensor<?x5xf32>
  } else {
    scf.yield %x : tensor<?x5xf32>
  }
  return %r : tensor<?x5xf32>
}

// -----

// What both branches give, and what a branch knows by its condition; outside,
// that is not known.
// CHECK-LABEL: func.func @sf8_branches(
// CHECK:         %[[R:.+]] = scf.if
// CHECK:           tosa.reverse {{.+}} -> tensor<7xf32>
// CHECK:         } else {
// CHECK:           tosa.reverse {{.+}} -> tensor<?xf32>
// CHECK:         }
// CHECK:         tosa.reverse %arg0 {{.+}} -> tensor<?xf32>
// CHECK:         %[[S:.+]]:2 = scf.if
// CHECK:         %[[C:.+]] = tensor.cast %[[S]]#0 : tensor<?xf32> to tensor<6xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<6xf32>
// CHECK:         tosa.reverse %[[S]]#1 {{.+}} -> tensor<?xf32>
func.func @sf8_branches(%a: tensor<?xf32>, %b: tensor<3xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %is = arith.cmpi eq, %n, %c7 : index
  %r = scf.if %is -> (tensor<?xf32>) {
    %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  %v = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %s:2 = scf.if %p -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = tosa.concat %b, %b {axis = 0 : i32} : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>
    scf.yield %0, %0 : tensor<?xf32>, tensor<?xf32>
  } else {
    %0 = tosa.concat %b, %b {axis = 0 : i32} : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>
    scf.yield %0, %a : tensor<?xf32>, tensor<?xf32>
  }
  %w = tosa.reverse %s#0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %x = tosa.reverse %s#1 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Blocks.
// CHECK-LABEL: func.func @sf8_blocks(
// CHECK:       ^bb1:
// CHECK:         tosa.reverse {{.+}} -> tensor<7xf32>
// CHECK:       ^bb2:
// CHECK:         tosa.reverse %arg0 {{.+}} -> tensor<?xf32>
// CHECK:       ^bb3(%[[X:.+]]: tensor<?xf32>, %[[Y:.+]]: tensor<?xf32>):
// CHECK:         %[[C:.+]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<3xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<3xf32>
// CHECK:         tosa.reverse %[[Y]] {{.+}} -> tensor<?xf32>
func.func @sf8_blocks(%a: tensor<?xf32>, %b: tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %w = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %is = arith.cmpi eq, %n, %c7 : index
  cf.cond_br %is, ^yes, ^no
^yes:
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  cf.br ^both(%w, %0 : tensor<?xf32>, tensor<?xf32>)
^no:
  %1 = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  cf.br ^both(%w, %1 : tensor<?xf32>, tensor<?xf32>)
^both(%x: tensor<?xf32>, %y: tensor<?xf32>):
  %2 = tosa.reverse %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %3 = tosa.reverse %y {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Loops: what stays the same in all rounds, and nothing else.
// CHECK-LABEL: func.func @sf8_loops(
// CHECK:         %[[R:.+]]:2 = scf.for {{.+}} iter_args(%[[X:.+]] = %{{.+}}, %[[Y:.+]] = %{{.+}}) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK:           %[[C:.+]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<3xf32>
// CHECK:           tosa.reverse %[[C]] {{.+}} -> tensor<3xf32>
// CHECK:           tosa.concat %[[Y]], {{.+}} -> tensor<?xf32>
// CHECK:         }
// CHECK:         tosa.reverse {{.+}} -> tensor<3xf32>
// CHECK:         tosa.reverse %[[R]]#1 {{.+}} -> tensor<?xf32>
func.func @sf8_loops(%b: tensor<3xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %w, %y = %w) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = tosa.reverse %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    %1 = tosa.concat %y, %b {axis = 0 : i32} : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
    scf.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  %2 = tosa.reverse %r#0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %3 = tosa.reverse %r#1 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// What `scf.while` hands from the question to the body and back, in an order of
// its own: what stays the same, and what the condition says of the rest.
// CHECK-LABEL: func.func @sf8_while(
// CHECK:         %[[R:.+]]:3 = scf.while (%[[X:.+]] = %{{.+}}, %[[Y:.+]] = %{{.+}}) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, index, tensor<?xf32>)
// CHECK:           tosa.reverse {{.+}} -> tensor<3xf32>
// CHECK:           scf.condition
// CHECK:         } do {
// CHECK:         ^bb0(%[[B:.+]]: tensor<?xf32>, %{{.+}}: index, %[[A:.+]]: tensor<?xf32>):
// CHECK:           %[[C:.+]] = tensor.cast %[[A]] : tensor<?xf32> to tensor<3xf32>
// CHECK:           tosa.reverse %[[C]] {{.+}} -> tensor<3xf32>
// CHECK:           tosa.concat %[[B]], {{.+}} -> tensor<?xf32>
// CHECK:         }
// CHECK:         %[[C:.+]] = tensor.cast %[[R]]#2 : tensor<?xf32> to tensor<3xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<3xf32>
// CHECK:         tosa.reverse %[[R]]#0 {{.+}} -> tensor<?xf32>
func.func @sf8_while(%b: tensor<3xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %w = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %r:3 = scf.while (%x = %w, %y = %w) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, index, tensor<?xf32>) {
    %0 = tosa.reverse %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    %d = tensor.dim %y, %c0 : tensor<?xf32>
    %more = arith.cmpi slt, %d, %n : index
    scf.condition(%more) %y, %d, %0 : tensor<?xf32>, index, tensor<?xf32>
  } do {
  ^bb0(%y: tensor<?xf32>, %d: index, %x: tensor<?xf32>):
    %1 = tosa.reverse %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    %2 = tosa.concat %y, %b {axis = 0 : i32} : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
    scf.yield %1, %2 : tensor<?xf32>, tensor<?xf32>
  }
  %3 = tosa.reverse %r#2 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %4 = tosa.reverse %r#0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// The same of TOSA's own.
// CHECK-LABEL: func.func @sf8_tosa(
// CHECK:         %[[I:.+]] = tosa.cond_if
// CHECK:         %[[C:.+]] = tensor.cast %[[I]] : tensor<?xf32> to tensor<6xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<6xf32>
// CHECK:         %[[W:.+]]:2 = tosa.while_loop
// CHECK:           tosa.reverse {{.+}} -> tensor<3xf32>
// CHECK:         %[[C:.+]] = tensor.cast %[[W]]#1 : tensor<?xf32> to tensor<3xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<3xf32>
func.func @sf8_tosa(%b: tensor<3xf32>, %p: tensor<i1>, %n: tensor<i32>) {
  %w = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %0 = tosa.cond_if %p (%x = %w) : tensor<i1> (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%x: tensor<?xf32>):
    %1 = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %1 : tensor<?xf32>
  } else {
  ^bb0(%x: tensor<?xf32>):
    %1 = tosa.concat %b, %b {axis = 0 : i32} : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>
    tosa.yield %1 : tensor<?xf32>
  }
  %2 = tosa.reverse %0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %3:2 = tosa.while_loop (%i = %n, %x = %w) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %4 = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %4 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
    %5 = tosa.reverse %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %i, %5 : tensor<i32>, tensor<?xf32>
  }
  %6 = tosa.reverse %3#1 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// What is promised of arguments is known behind the operation that checks it;
// the signature stays.
// CHECK-LABEL: func.func @abi1_promised(
// CHECK-SAME:      %[[A:.+]]: tensor<?x?xf32> {{.+}}, %[[B:.+]]: tensor<?x4xf32>
// CHECK:         loom.constrain "func.func"
// CHECK:         %[[C:.+]] = tensor.cast %[[A]] : tensor<?x?xf32> to tensor<8x4xf32>
// CHECK:         tosa.concat %[[C]], {{.+}} -> tensor<16x4xf32>
func.func @abi1_promised(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n, m] where n = 8 to 8>},
                         %b: tensor<?x4xf32> {loom.extents = #loom.extents<[n, m]>}) -> tensor<?x?xf32> {
  %r = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What a guard establishes holds behind it and not before (rt-8): the operation
// before keeps its type.
// CHECK-LABEL: func.func @rt8_behind_the_guard(
// CHECK:         tosa.reverse %arg0 {{.+}} -> tensor<?x4xf32>
// CHECK:         loom.constrain "tosa.concat"
// CHECK:         %[[C:.+]] = tensor.cast %arg0 : tensor<?x4xf32> to tensor<2x4xf32>
// CHECK:         tosa.concat %[[C]], %arg1 {{.+}} -> tensor<2x8xf32>
// CHECK:         tosa.reverse %[[C]] {{.+}} -> tensor<2x4xf32>
func.func @rt8_behind_the_guard(%a: tensor<?x4xf32>, %b: tensor<2x4xf32>) {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.concat %a, %b {axis = 1 : i32} : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x?xf32>
  %2 = tosa.reverse %a {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

// Maps have the types that are known of them, and shape queries
// read them; other users get what they had (decision 11).
// CHECK-LABEL: func.func @maps(
// CHECK:         %[[M:.+]] = loom.map({{.+}}) -> tensor<3xf32> {
// CHECK:         %[[W:.+]] = tensor.cast %[[M]] : tensor<3xf32> to tensor<?xf32>
// CHECK:         loom.shape_of %[[M]] : tensor<3xf32> -> <[3]>
// CHECK:         return %[[W]] : tensor<?xf32>
func.func @maps(%a: tensor<3xf32>) -> tensor<?xf32> {
  %w = tensor.cast %a : tensor<3xf32> to tensor<?xf32>
  %r = loom.map(%x = %w : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.negf %x : f32
    loom.yield %s : f32
  }
  %shape = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "test", %shape is tensor<3xf32> : !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// A rank that the call tells; one that nothing tells stays open. bcast-6
// CHECK-LABEL: func.func @bcast6_unranked(
// CHECK:         tosa.reverse %{{.+}} : (tensor<3xf32>) -> tensor<3xf32>
// CHECK:         tosa.reverse %arg1 {{.+}} : (tensor<*xf32>) -> tensor<*xf32>
func.func @bcast6_unranked(%a: tensor<3xf32>, %b: tensor<*xf32>) {
  %w = tensor.cast %a : tensor<3xf32> to tensor<*xf32>
  %r = call @same(%w) : (tensor<*xf32>) -> tensor<*xf32>
  %0 = tosa.reverse %w {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  %1 = tosa.reverse %b {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  return
}
func.func private @same(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// A rank that only a promise tells: results have it, and operands get it by a
// cast behind the operation that checks it. abi-1
// CHECK-LABEL: func.func @abi1_rank(
// CHECK-SAME:      %[[A:.+]]: tensor<*xf32>
// CHECK:         loom.constrain "func.func"
// CHECK:         %[[C:.+]] = tensor.cast %[[A]] : tensor<*xf32> to tensor<?x4xf32>
// CHECK:         tosa.concat %[[C]], %[[C]] {{.+}} -> tensor<?x4xf32>
// CHECK:         loom.map(%{{.+}} = %[[C]] : tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @abi1_rank(%a: tensor<*xf32> {loom.extents = #loom.extents<[n, 4]>}) -> (tensor<*xf32>, tensor<*xf32>) {
  %r = tosa.concat %a, %a {axis = 0 : i32} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %m = loom.map(%x = %a : tensor<*xf32>) -> tensor<*xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  return %r, %m : tensor<*xf32>, tensor<*xf32>
}

// -----

// The same request again is answered by the facts at its own operation.
// CHECK-LABEL: func.func @rt8_same_question(
// CHECK:         tosa.concat %arg0, %arg0 {{.+}} -> tensor<?xf32>
// CHECK:         scf.if
// CHECK:           tosa.concat {{.+}} -> tensor<8xf32>
// CHECK:           tosa.concat {{.+}} -> tensor<8xf32>
// CHECK:         } else {
// CHECK:           tosa.concat %arg0, %arg0 {{.+}} -> tensor<?xf32>
// CHECK:         }
// CHECK:         scf.if
// CHECK:           tosa.concat {{.+}} -> tensor<10xf32>
// CHECK:         }
// CHECK:         tosa.concat %arg0, %arg0 {{.+}} -> tensor<?xf32>
func.func @rt8_same_question(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %is4 = arith.cmpi eq, %n, %c4 : index
  %is5 = arith.cmpi eq, %n, %c5 : index
  %0 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  scf.if %is4 {
    %1 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %2 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  } else {
    %1 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  }
  scf.if %is5 {
    %1 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  }
  %3 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
