// RUN: not broadloom shapes %s --input=2xi1 --input=i1=0 2>&1 | FileCheck %s

// Behind a cast that fails, operations have what the cast's type says: a
// transposition of 65 elements to 2 would be refused where the verifier runs.
// CHECK: 'tensor.cast': result axis 0 has extent 65 but the operands give 2
func.func @main(%a: tensor<?xi1>, %b: tensor<i1>) -> tensor<?xi1> {
  %c = tensor.extract %b[] : tensor<i1>
  cf.cond_br %c, ^first, ^second
^first:
  cf.br ^both
^second:
  cf.br ^both
^both:
  %zero = arith.constant 0 : index
  %n = tensor.dim %a, %zero : tensor<?xi1>
  %x = tensor.insert_slice %a into %a[0] [%n] [1] : tensor<?xi1> into tensor<?xi1>
  %y = tensor.cast %x : tensor<?xi1> to tensor<65xi1>
  %z = tosa.transpose %y {perms = array<i32: 0>} : (tensor<65xi1>) -> tensor<?xi1>
  return %z : tensor<?xi1>
}
