// An operation that reads a file, in the IDX form of the MNIST digits: a matrix
// of bytes behind a head of 12: 0, 0, 8 (unsigned bytes), 2 (axes), and the two
// extents, highest byte first. The file is an argument, read once
// (--input=bytes:FILE); `idx.extents` looks at its head alone, so that the shape
// is known before the data are touched, and `idx.read` takes it from there (sf-7).

irdl.dialect @idx {
  irdl.operation @extents {
    %file = irdl.is tensor<?xi8>
    %extents = irdl.is tensor<2xindex>
    irdl.operands(file: %file)
    irdl.results(extents: %extents)
  }
  irdl.operation @read {
    %file = irdl.is tensor<?xi8>
    %extents = irdl.is tensor<2xindex>
    %matrix = irdl.base "!builtin.tensor"
    irdl.operands(file: %file, extents: %extents)
    irdl.results(matrix: %matrix)
  }
}

shape.function_library @idx {
  shape.func @extents(%file: !shape.value_shape) -> !shape.shape {
    %bytes = loom.extents %file, "the file must be a list of bytes, but has {0} axes"
    %head = index.constant 12
    %long = index.cmp sge(%bytes, %head)
    loom.constraint %long, "the file has {0} bytes, not even a head of 12"(%bytes)
    %two = index.constant 2
    %shape = shape.from_extents %two : index
    shape.return %shape : !shape.shape
  }
  // The result's extents are the numbers in an operand.
  shape.func @read(%file: !shape.value_shape, %extents: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %shape = shape.value_as_shape %extents : !shape.value_shape -> !shape.shape
    %type = loom.type f32
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  idx.extents = @extents,
  idx.read = @read
}

func.func @extents(%file: tensor<?xi8>) -> tensor<2xindex> attributes {loom.implements = "idx.extents"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %kind = func.call @byte(%file, %c2) : (tensor<?xi8>, index) -> index
  %isBytes = arith.cmpi eq, %kind, %c8 : index
  loom.constrain "idx.extents", %isBytes, "the file has elements of kind {0}, expected 8, unsigned bytes"(%kind : index)
  %axes = func.call @byte(%file, %c3) : (tensor<?xi8>, index) -> index
  %isMatrix = arith.cmpi eq, %axes, %c2 : index
  loom.constrain "idx.extents", %isMatrix, "the file has {0} axes, expected 2"(%axes : index)
  %rows = func.call @number(%file, %c4) : (tensor<?xi8>, index) -> index
  %columns = func.call @number(%file, %c8) : (tensor<?xi8>, index) -> index
  %extents = tensor.from_elements %rows, %columns : tensor<2xindex>
  return %extents : tensor<2xindex>
}

func.func @read(%file: tensor<?xi8>, %extents: tensor<2xindex>) -> tensor<?x?xf32> attributes {loom.implements = "idx.read"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %rows = tensor.extract %extents[%c0] : tensor<2xindex>
  %columns = tensor.extract %extents[%c1] : tensor<2xindex>
  %size = tensor.dim %file, %c0 : tensor<?xi8>
  %elements = arith.muli %rows, %columns : index
  %wanted = arith.addi %elements, %c12 : index
  %fits = arith.cmpi eq, %wanted, %size : index
  loom.constrain "idx.read", %fits, "the file has {0} bytes, but its head tells of {1}"(%size, %wanted : index, index)
  %data = tensor.extract_slice %file[12] [%elements] [1] : tensor<?xi8> to tensor<?xi8>
  %matrix = tensor.reshape %data(%extents) : (tensor<?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  %numbers = loom.map(%x = %matrix : tensor<?x?xi8>) -> tensor<?x?xf32> {
    %number = arith.uitofp %x : i8 to f32
    loom.yield %number : f32
  }
  return %numbers : tensor<?x?xf32>
}

func.func private @byte(%file: tensor<?xi8>, %at: index) -> index {
  %byte = tensor.extract %file[%at] : tensor<?xi8>
  %number = arith.index_castui %byte : i8 to index
  return %number : index
}
func.func private @number(%file: tensor<?xi8>, %at: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %end = arith.addi %at, %c4 : index
  %number = scf.for %i = %at to %end step %c1 iter_args(%sum = %c0) -> index {
    %byte = func.call @byte(%file, %i) : (tensor<?xi8>, index) -> index
    %high = arith.muli %sum, %c256 : index
    %next = arith.addi %high, %byte : index
    scf.yield %next : index
  }
  return %number : index
}
