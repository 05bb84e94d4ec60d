func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "lists.pair"(%a, %b) : (tensor<?x4xf32>, tensor<?x?xf32>) -> !lists.list<tensor<?x?xf32>>
  %1 = "lists.join"(%0, %0) : (!lists.list<tensor<?x?xf32>>, !lists.list<tensor<?x?xf32>>) -> !lists.list<tensor<?x?xf32>>
  %2 = "lists.sum"(%1) : (!lists.list<tensor<?x?xf32>>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
