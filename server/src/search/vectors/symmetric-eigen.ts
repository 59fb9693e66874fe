/** Upper bound of sweeps. The cyclic Jacobi method converges earlier. */
const MAX_SWEEPS = 30

/** Eigenvalues of a symmetric matrix, descending, and eigenvectors as rows (cyclic Jacobi rotations). */
export function symmetricEigen(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice()
  const v = new Float64Array(size * size)
  for (let i = 0; i < size; i++) v[i * size + i] = 1
  for (let sweep = 0; sweep < MAX_SWEEPS && offDiagonal(a, size) > 1e-18; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotateOut(a, v, size, [p, q])
  const order = Array.from({ length: size }, (_, index) => index).toSorted((i, j) => a[j * size + j] - a[i * size + i])
  const vectors = new Float64Array(size * size)
  for (const [row, index] of order.entries()) vectors.set(v.subarray(index * size, (index + 1) * size), row * size)
  return { values: Float64Array.from(order, (index) => a[index * size + index]), vectors }
}

/** Off-diagonal share of the matrix's squared norm. */
function offDiagonal(a: Float64Array, size: number): number {
  let off = 0
  let all = 0
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const square = a[i * size + j] ** 2
      all += square
      if (i !== j) off += square
    }
  return all === 0 ? 0 : off / all
}

/** Rotates rows and columns p and q to zero their common entry. Rows of `v` are the eigenvectors. */
function rotateOut(a: Float64Array, v: Float64Array, size: number, [p, q]: readonly [number, number]): void {
  const shared = a[p * size + q]
  if (Math.abs(shared) < 1e-300) return
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * shared)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < size; k++) {
    const kp = a[k * size + p]
    const kq = a[k * size + q]
    a[k * size + p] = c * kp - s * kq
    a[k * size + q] = s * kp + c * kq
  }
  for (let k = 0; k < size; k++) {
    const pk = a[p * size + k]
    const qk = a[q * size + k]
    a[p * size + k] = c * pk - s * qk
    a[q * size + k] = s * pk + c * qk
    const vp = v[p * size + k]
    const vq = v[q * size + k]
    v[p * size + k] = c * vp - s * vq
    v[q * size + k] = s * vp + c * vq
  }
}
