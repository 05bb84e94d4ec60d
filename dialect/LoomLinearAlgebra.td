//===- LoomLinearAlgebra.td - functions of matrices --------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMLINEARALGEBRA_TD
#define BROADLOOM_DIALECT_LOOMLINEARALGEBRA_TD

include "dialect/LoomDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_LinearAlgebraOp : Loom_Op<"linear_algebra", [
    AttrSizedOperandSegments,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a factorisation, a solution or another function of each matrix";
  let description = [{
    Applies a function of linear algebra to each matrix of a batch. The last
    axes of the operands are those of the matrices, all axes ahead of them are
    the batch, which is the same for all operands. The elements are all f32 or
    all f64; indices are i32. With k the smaller of m and n:

    | kind | reads | writes |
    |---|---|---|
    | `lu` | A, m x n | L and U in one matrix, k pivots (row i and row pivots[i], counted from 0, change places, in order), info |
    | `permutation` | k pivots | m rows: row i of the result of all exchanges is this row of the operand |
    | `solve` | A, n x n; B, n x x | X where A X = B, info |
    | `triangular_solve` | A, n x n; B, n x x | X where T X = B, for the lower triangle T of A, or with `upper` the upper one, with `unit` with ones on its diagonal |
    | `cholesky` | A, n x n, of which the lower triangle is read | the lower triangle L where L L^T = A, info |
    | `qr` | A, m x n | Q, m x p, and R, p x n; p is m or k |
    | `svd` | A, m x n | U, m x p; k singular values, the largest first; V^T, q x n; p is m or k, q is n or k |
    | `singular_values` | A, m x n | k singular values |
    | `symmetric_eigen` | A, n x n, of which the lower triangle is read | n eigenvalues, the smallest first; in columns, their vectors |
    | `symmetric_eigenvalues` | the same | n eigenvalues |
    | `exponential` | A, n x n | e^A |

    A call fails for a matrix without a solution or factor. With `unchecked`,
    such results are NaN (of `lu`, they are the factors) and info, one number for each matrix,
    says so: the number, counted from 1, of the first pivot that is zero, or of
    the first leading minor that is not positive. It is 0 for a success.

    ```mlir
    %x, %info = loom.linear_algebra "solve" %a, %b into %r, %i
      : (tensor<?x3x3xf32>, tensor<?x3x2xf32>, tensor<?x3x2xf32>, tensor<?xi32>)
      -> (tensor<?x3x2xf32>, tensor<?xi32>)
    ```
  }];
  let arguments = (ins StrAttr:$kind, Variadic<AnyType>:$inputs,
                       Variadic<AnyType>:$inits,
                       UnitAttr:$upper, UnitAttr:$unit, UnitAttr:$unchecked);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    $kind $inputs `into` $inits attr-dict `:` functional-type(operands, $outputs)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// What the function takes and gives.
    const ::broadloom::LinearAlgebraForm &getForm() {
      return ::broadloom::getForm(*::broadloom::findLinearAlgebraKind(getKind()));
    }
    /// The number of axes ahead of those of the matrices.
    int64_t getBatchRank();
  }];
}

#endif // BROADLOOM_DIALECT_LOOMLINEARALGEBRA_TD
