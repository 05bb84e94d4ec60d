// Tensors whose shape is a set: a symmetric matrix is kept as one triangle,
// scaled there, and multiplied with a dense one.

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

// The triangle of a dense matrix, whose other one mirrors it.
func.func @pack(%d: tensor<?x?xf64>) -> tensor<?x?xf64, #lower> {
  %t = loom.to_set symmetric %d : tensor<?x?xf64> to tensor<?x?xf64, #lower>
  return %t : tensor<?x?xf64, #lower>
}

// Half of a sum: n (n + 1) / 2 elements are added.
func.func @mean(%a: tensor<?x?xf64, #lower>, %b: tensor<?x?xf64, #lower>) -> tensor<?x?xf64, #lower> {
  %half = arith.constant dense<0.5> : tensor<1x1xf64>
  %shift = arith.constant dense<0> : tensor<1xi8>
  %s = arith.addf %a, %b : tensor<?x?xf64, #lower>
  %m = tosa.mul %s, %half, %shift : (tensor<?x?xf64, #lower>, tensor<1x1xf64>, tensor<1xi8>) -> tensor<?x?xf64, #lower>
  return %m : tensor<?x?xf64, #lower>
}

// A triangle times a dense matrix reads the triangle alone.
func.func @multiply(%a: tensor<?x?xf64, #lower>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64, #lower>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf64, #lower>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %p : tensor<?x?xf64>
}

// The dense matrix again.
func.func @unpack(%t: tensor<?x?xf64, #lower>) -> tensor<?x?xf64> {
  %d = loom.from_set symmetric %t : tensor<?x?xf64, #lower> to tensor<?x?xf64>
  return %d : tensor<?x?xf64>
}
