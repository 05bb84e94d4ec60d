// Operations with a reference implementation and no shape function: it follows.
//
//   broadloom compile derived.mlir --emit=shape-library

irdl.dialect @more {
  // Each row of a with each row of b.
  irdl.operation @outer {
    %a = irdl.base "!builtin.tensor"
    %b = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %result)
  }
  // a and b, weighted.
  irdl.operation @blend {
    %a = irdl.base "!builtin.tensor"
    %b = irdl.base "!builtin.tensor"
    %weight = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(a: %a, b: %b, weight: %weight)
    irdl.results(result: %result)
  }
}

func.func @outer(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "more.outer"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %b, %c0 : tensor<?x?xf32>
  %channels = tensor.dim %a, %c1 : tensor<?x?xf32>
  %others = tensor.dim %b, %c1 : tensor<?x?xf32>
  %same = arith.cmpi eq, %channels, %others : index
  loom.constrain "more.outer", %same, "b has {0} channels but a has {1}"(%others, %channels : index, index)
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%start : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %product = arith.mulf %x, %y : f32
      %next = arith.addf %sum, %product : f32
      linalg.yield %next : f32
  } -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

func.func @blend(%a: f32, %b: f32, %weight: f32) -> f32 attributes {loom.implements = "more.blend"} {
  %one = arith.constant 1.0 : f32
  %rest = arith.subf %one, %weight : f32
  %x = arith.mulf %a, %weight : f32
  %y = arith.mulf %b, %rest : f32
  %result = arith.addf %x, %y : f32
  return %result : f32
}
