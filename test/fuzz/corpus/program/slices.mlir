func.func private @g(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %a[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func @f(%a: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %s = func.call @g(%a, %n) : (tensor<?xf32>, index) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
