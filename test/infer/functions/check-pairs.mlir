// RUN: broadloom-opt %s --loom-check-shape-functions="operations=tosa.maximum,tosa.equal,arith.addf" -verify-diagnostics=only-expected

// Operations from every pair of a function's arguments, as the seed's section
// on testing has it. S-24

// expected-remark @+14 {{'tosa.maximum' of arguments 0 and 0 is tensor<?x1xf32>}}
// expected-remark @+13 {{'tosa.maximum' of arguments 0 and 1 is tensor<3x4xf32>}}
// expected-remark @+12 {{'tosa.maximum' of arguments 1 and 0 is tensor<3x4xf32>}}
// expected-remark @+11 {{'tosa.maximum' of arguments 1 and 1 is tensor<3x4xf32>}}
// expected-remark @+10 {{'tosa.equal' of arguments 0 and 0 is tensor<?x1xi1>}}
// expected-remark @+9 {{'tosa.equal' of arguments 0 and 1 is tensor<3x4xi1>}}
// expected-remark @+8 {{'tosa.equal' of arguments 1 and 0 is tensor<3x4xi1>}}
// expected-remark @+7 {{'tosa.equal' of arguments 1 and 1 is tensor<3x4xi1>}}
// expected-remark @+6 {{'arith.addf' of arguments 0 and 0 is tensor<?x1xf32>}}
// expected-remark @+5 {{'arith.addf' of arguments 1 and 1 is tensor<3x4xf32>}}
// expected-error @+4 {{'arith.addf': operand 1 has shape 3x4 but must have that of operand 0, ?x1}}
// expected-error @+3 {{'arith.addf': operand 1 has shape ?x1 but must have that of operand 0, 3x4}}

// The extent that only the types leave open is not known to be 3.
func.func @pairs(%a: tensor<?x1xf32>, %b: tensor<3x4xf32>) {
  return
}
