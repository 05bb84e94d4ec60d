// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --split-input-file --verify-diagnostics
// The same checks stand before the other strategy.
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize=strategy=rfc --split-input-file --verify-diagnostics

// verify-1
func.func @operands(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'tosa.add' op operands are not broadcast-compatible along axis 0: extents 2 and 4 (operand shapes 2x3 and 4x3)}}
  %0 = "tosa.add"(%a, %b) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x?xf32>
  return
}

// -----

// ext-3
func.func @zero(%a: tensor<0xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'tosa.add' op operands are not broadcast-compatible along axis 0: extents 0 and 2}}
  %0 = tosa.add %a, %b : (tensor<0xf32>, tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

// verify-3
func.func @rank(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'tosa.abs' op result has rank 1 but the operands give rank 2 (operand shape 2x3; result shape 6)}}
  %0 = "tosa.abs"(%a) : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// -----

// verify-4
func.func @result(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'tosa.abs' op result axis 1 has extent 4 but the operands give 3 (operand shape 2x3; result shape 2x4)}}
  %0 = "tosa.abs"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// Every operation with an error is reported, and those that read its result
// are not.
func.func @several(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'tosa.add' op operands are not broadcast-compatible}}
  %0 = tosa.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = tosa.add %0, %a : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  // expected-error @+1 {{'tosa.sub' op operands are not broadcast-compatible}}
  %2 = tosa.sub %b, %a : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// Structure.
func.func @structure(%a: tensor<2xf32>, %f: f32, %v: vector<4xf32>) {
  // expected-error @+1 {{'tosa.add' op has 1 operands, but needs 2}}
  %0 = "tosa.add"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{'tosa.abs' op has 0 operands, but needs 1}}
  "tosa.abs"() : () -> ()
  // expected-error @+1 {{'tosa.abs' op operand 0 has type 'f32', which is not a tensor}}
  %1 = "tosa.abs"(%f) : (f32) -> f32
  // expected-error @+1 {{'tosa.abs' op operand 0 has type 'vector<4xf32>', which is not a tensor}}
  %2 = "tosa.abs"(%v) : (vector<4xf32>) -> vector<4xf32>
  // expected-error @+1 {{'tosa.add' op has 1 regions and 0 successors, but an element-wise operation has none}}
  %3 = "tosa.add"(%a, %a) ({}) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{'tosa.add' op has 2 results, but needs exactly one}}
  %4:2 = "tosa.add"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// Other operations are upstream's to verify; nothing is read before that.
func.func @others(%a: tensor<2xf32>, %f: f32) {
  // expected-error @+1 {{'tosa.reshape' op has 1 operand, but must have 2; see its definition in the specification of TOSA}}
  %0 = "tosa.reshape"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{'tosa.conv2d' op has 1 operand, but must have 5; see its definition in the specification of TOSA}}
  %1 = "tosa.conv2d"(%f) : (f32) -> f32
  // expected-error @+1 {{'tosa.cond_if' op expected 2 regions}}
  "tosa.cond_if"() : () -> ()
  return
}

// -----

func.func @unknown(%a: tensor<2xf32>) {
  // expected-error @+1 {{the dialect 'tosa' has no operation 'tosa.bogus'}}
  "tosa.bogus"(%a) : (tensor<2xf32>) -> ()
  return
}

// -----

// Constants (abi-3).
func.func @constants() {
  // expected-error @+1 {{'tosa.const' op lacks the attribute 'values', a tensor}}
  %0 = "tosa.const"() : () -> tensor<2xf32>
  return
}

// -----

func.func @constants() {
  // expected-error @+1 {{'tosa.const' op has a value of type 'tensor<2xf32>' but a result of type 'tensor<3xf32>'}}
  %1 = "tosa.const"() {values = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  // expected-error @+1 {{'tosa.const' op refers to the resource '__elided__', whose data is not in the file; it was left out when the program was printed, so print it in full, or let --fill-elided make up values}}
  %2 = "tosa.const"() {values = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  // expected-error @+1 {{'tosa.const' op refers to the resource 'short', which has 4 bytes, but 'tensor<3xf32>' needs 12}}
  %3 = "tosa.const"() {values = dense_resource<short> : tensor<3xf32>} : () -> tensor<3xf32>
  // expected-error @+1 {{'arith.constant' op refers to the resource 'short', which has 4 bytes, but 'tensor<2xf32>' needs 8}}
  %4 = arith.constant dense_resource<short> : tensor<2xf32>
  // expected-error @+1 {{'tosa.const' op refers to the resource 'short', which has 4 bytes, but 'tensor<4294967296x4294967296xf32>' needs more than 2^64}}
  %5 = "tosa.const"() {values = dense_resource<short> : tensor<4294967296x4294967296xf32>} : () -> tensor<4294967296x4294967296xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

// el-1, in a resource of one element
func.func @shift(%a: tensor<2xi32>) {
  %s = "tosa.const"() {values = dense_resource<sixty_four> : tensor<1xi8>} : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.mul' op shift 64 is outside [0, 63]}}
  %0 = tosa.mul %a, %a, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      sixty_four: "0x0100000040"
    }
  }
#-}

// -----

// A model that was printed without its weights: one error for all of them, and
// none for what reads them.
func.func @weights(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'tosa.const' op refers to the resource '__elided__', whose data is not in the file, like that of 2 other constants; it was left out when the program was printed, so print it in full, or let --fill-elided make up values}}
  %0 = "tosa.const"() {values = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  %1 = "tosa.const"() {values = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  %2 = arith.constant dense_resource<__elided__> : tensor<3xf32>
  %3 = tosa.add %a, %0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = tosa.add %3, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %5 = tosa.add %4, %2 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %5 : tensor<3xf32>
}

// -----

func.func @weights() {
  // expected-error @+1 {{whose data is not in the file, like that of 1 other constant; it was left out}}
  %0 = "tosa.const"() {values = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  %1 = "tosa.const"() {values = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  return
}

// -----

// What can never be compiled, once, with what to do.
func.func @unsupported(%u: tensor<*xf32>) {
  %s = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{tosa.reshape: only element-wise operations take tensors of unknown rank; give the rank, with '?' for its extents}}
  %2 = tosa.reshape %u, %s : (tensor<*xf32>, !tosa.shape<1>) -> tensor<2xf32>
  return
}

// -----

// A padding value of which nothing says that it has one element.
func.func @padded(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<*xf32> {
  %0 = tosa.exp %y : (tensor<?xf32>) -> tensor<*xf32>
  %1 = tosa.const_shape {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{tosa.pad: only element-wise operations take tensors of unknown rank}}
  %2 = tosa.pad %x, %1, %0 : (tensor<?x?xf32>, !tosa.shape<4>, tensor<*xf32>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}

// -----

// Structurally broken programs: no terminator.
"func.func"() ({
^bb0(%a: tensor<2xf32>):
  // expected-error @+1 {{'tosa.exp' op ends its block but is no terminator}}
  %0 = "tosa.exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
}) {function_type = (tensor<2xf32>) -> (), sym_name = "f"} : () -> ()

// -----

// expected-error @+1 {{'func.func' op has an empty block, expected at least a terminator}}
"func.func"() ({
^bb0(%a: tensor<2xf32>):
}) {function_type = (tensor<2xf32>) -> (), sym_name = "f"} : () -> ()

// -----

func.func @tail(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
  // expected-error @+1 {{'tosa.exp' op ends its block but is no terminator}}
  %0 = tosa.exp %a : (tensor<2xf32>) -> tensor<2xf32>
}

// -----

func.func @branchInside(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'cf.br' op has successors but does not end its block}}
  cf.br ^next
  return %a : tensor<2xf32>
^next:
  return %a : tensor<2xf32>
}

// -----

func.func @circular(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'tosa.exp' op operand 0 is not defined on every path to it}}
  %0 = tosa.exp %1 : (tensor<2xf32>) -> tensor<2xf32>
  // expected-note @+1 {{it is defined here}}
  %1 = tosa.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @onePath(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  cf.cond_br %c, ^then, ^end
^then:
  // expected-note @+1 {{it is defined here}}
  %0 = tosa.exp %a : (tensor<2xf32>) -> tensor<2xf32>
  cf.br ^end
^end:
  // expected-error @+1 {{'tosa.exp' op operand 0 is not defined on every path to it}}
  %1 = tosa.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// Neither a graph nor code that is never reached may be circular.
// expected-error @+1 {{'tosa.exp' op uses a value that is defined after it}}
%0 = "tosa.exp"(%1) : (tensor<2xf32>) -> tensor<2xf32>
%1 = "tosa.exp"(%0) : (tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @unreachable(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
^never:
  // expected-error @+1 {{'tosa.exp' op uses a value that is defined after it}}
  %0 = tosa.exp %1 : (tensor<2xf32>) -> tensor<2xf32>
  %1 = tosa.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  cf.br ^never
}

// -----

// expected-note @+1 {{see existing symbol definition here}}
func.func @twice() {
  return
}
// expected-error @+1 {{redefinition of symbol named 'twice'}}
func.func @twice() {
  return
}

// -----

func.func @transposed(%a: tensor<4x5xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{loom.transposed: the compiler makes it where memory is read in another order; use 'linalg.transpose'}}
  %0 = loom.transposed %a order [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// Of bodies, not of tensors.
func.func @scaled(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi8>) -> tensor<?xi32> {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{tosa.apply_scale: it scales one number in a body; use 'tosa.rescale' for tensors}}
  %0 = tosa.apply_scale %a, %b, %c {rounding_mode = SINGLE_ROUND} : (tensor<?xi32>, tensor<?xi32>, tensor<?xi8>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
