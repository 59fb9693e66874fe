import type { TermPageMatrix } from './make-vectors.ts'

/** A dense matrix in row-major order: `count` rows of `width` numbers. */
export type Dense = { count: number; width: number; data: Float32Array }

export type TruncatedSvd = {
  /** Pages in the latent space, U × S, one row per page. */
  pages: Dense
  /** Terms in the latent space, V = AᵀU / S, one row per requested column. */
  terms: Dense
  /** Singular values, descending. */
  values: Float64Array
}

/** Extra directions that improve the accuracy of the iteration. */
const OVERSAMPLING = 8
/** Two rounds bring the subspace within one percent of the optimum on text collections. */
const ITERATIONS = 2

/**
 * Computes the `dimensions` strongest directions of a matrix. Randomised subspace iteration (Halko, Martinsson and
 * Tropp 2011, algorithm 4.4) with orthonormalisation by Cholesky factors, then the eigenvectors of the remaining small
 * matrix. Iterates in the space of pages, which are about ten times fewer than terms, and rotates only the terms of
 * `columns`. Starts pseudo-random with a fixed seed, so the same pages always yield the same vectors.
 */
export function truncatedSvd(matrix: TermPageMatrix, dimensions: number, columns: readonly number[]): TruncatedSvd {
  const width = Math.min(dimensions + OVERSAMPLING, matrix.terms.length, matrix.pageCount)
  const terms: Sparse = { starts: matrix.starts, columns: matrix.pages, values: matrix.values }
  const pages = byPage(matrix)
  let basis = randomDense(matrix.pageCount, width)
  for (let round = 0; round < ITERATIONS; round++) {
    basis = times(pages, times(terms, basis))
    orthonormalise(basis)
  }
  orthonormalise(basis)
  const projected = times(terms, basis)
  const { values, vectors } = symmetricEigen(gram(projected), width)
  const kept = Math.min(dimensions, width)
  const rotation = vectors.subarray(0, kept * width)
  const singular = values.slice(0, kept).map((value) => Math.sqrt(Math.max(0, value)))
  return {
    pages: scaleColumns(rotate(basis, rotation, kept), singular),
    terms: scaleColumns(
      rotate(selectRows(projected, columns), rotation, kept),
      singular.map((value) => (value > 0 ? 1 / value : 0)),
    ),
    values: singular,
  }
}

/** A sparse matrix in row-major order: columns and values of row `n` are from `starts[n]` to `starts[n + 1]`. */
type Sparse = { starts: Uint32Array; columns: Uint32Array; values: Float32Array }

/** Transposes the matrix to one row per page. */
function byPage({ pageCount, starts, pages, values }: TermPageMatrix): Sparse {
  // Counted one row ahead, so that each start has moved to the end of its row after placement.
  const ends = new Uint32Array(pageCount + 2)
  for (const page of pages) ends[page + 2] += 1
  for (let page = 2; page < ends.length; page++) ends[page] += ends[page - 1]
  const turned = { columns: new Uint32Array(pages.length), values: new Float32Array(pages.length) }
  for (let term = 0; term + 1 < starts.length; term++)
    for (let at = starts[term], end = starts[term + 1]; at < end; at++) {
      const slot = pages[at] + 1
      const to = ends[slot]
      ends[slot] = to + 1
      turned.columns[to] = term
      turned.values[to] = values[at]
    }
  return { starts: ends.subarray(0, pageCount + 1), ...turned }
}

/** Multiplies a sparse matrix by a dense one. Four entries at a time save half of the additions to the sums. */
function times({ starts, columns, values }: Sparse, { width, data }: Dense): Dense {
  const count = starts.length - 1
  const out = new Float32Array(count * width)
  for (let row = 0; row < count; row++) {
    const to = row * width
    const end = starts[row + 1]
    for (let at = starts[row]; at < end; at += 4) {
      // Padding beyond the end of the row: any column, with value 0.
      const a = values[at]
      const b = at + 1 < end ? values[at + 1] : 0
      const c = at + 2 < end ? values[at + 2] : 0
      const d = at + 3 < end ? values[at + 3] : 0
      const first = columns[at] * width
      const second = b === 0 ? first : columns[at + 1] * width
      const third = c === 0 ? first : columns[at + 2] * width
      const fourth = d === 0 ? first : columns[at + 3] * width
      for (let k = 0; k < width; k++)
        out[to + k] =
          out[to + k] + a * data[first + k] + b * data[second + k] + c * data[third + k] + d * data[fourth + k]
    }
  }
  return { count, width, data: out }
}

/** Products of all pairs of columns. Four rows at a time save half of the additions to the sums. */
function gram({ count, width, data }: Dense): Float64Array {
  const out = new Float64Array(width * width)
  const rows = new Float64Array(4 * width)
  const [second, third, fourth] = [width, 2 * width, 3 * width]
  for (let row = 0; row < count; row += 4) {
    rows.fill(0)
    rows.set(data.subarray(row * width, Math.min(row + 4, count) * width))
    for (let i = 0; i < width; i++) {
      const a = rows[i]
      const b = rows[second + i]
      const c = rows[third + i]
      const d = rows[fourth + i]
      const to = i * width
      for (let j = i; j < width; j++)
        out[to + j] = out[to + j] + a * rows[j] + b * rows[second + j] + c * rows[third + j] + d * rows[fourth + j]
    }
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) out[i * width + j] = out[j * width + i]
  return out
}

/** Makes the columns orthonormal, in place: X ← X R⁻¹ with RᵀR = XᵀX. A linearly dependent column becomes zero. */
function orthonormalise(matrix: Dense): void {
  const { count, width, data } = matrix
  const upper = choleskyUpper(gram(matrix), width)
  for (let row = 0; row < count; row++) {
    const at = row * width
    for (let j = 0; j < width; j++) {
      const pivot = upper[j * width + j]
      if (pivot === 0) {
        data[at + j] = 0
        continue
      }
      const value = data[at + j] / pivot
      data[at + j] = value
      for (let k = j + 1; k < width; k++) data[at + k] -= value * upper[j * width + k]
    }
  }
}

/** R with RᵀR = the given matrix. */
function choleskyUpper(given: Float64Array, width: number): Float64Array {
  const upper = given.slice()
  for (let i = 0; i < width; i++) {
    const diagonal = upper[i * width + i]
    const pivot = diagonal > given[i * width + i] * 1e-10 ? Math.sqrt(diagonal) : 0
    for (let j = i; j < width; j++) upper[i * width + j] = pivot === 0 ? 0 : upper[i * width + j] / pivot
    for (let row = i + 1; row < width; row++) {
      const factor = upper[i * width + row]
      if (factor === 0) continue
      for (let j = row; j < width; j++) upper[row * width + j] -= factor * upper[i * width + j]
    }
  }
  return upper
}

/** Multiplies each row by the rows of `rotation`. Processes four rows at a time, to read `rotation` once per four. */
function rotate({ count, width, data }: Dense, rotation: Float64Array, kept: number): Dense {
  const out = new Float32Array(count * kept)
  const rows = new Float64Array(4 * width)
  for (let row = 0; row < count; row += 4) {
    const taken = Math.min(4, count - row)
    rows.set(data.subarray(row * width, (row + taken) * width))
    for (let k = 0; k < kept; k++) {
      let [a, b, c, d] = [0, 0, 0, 0]
      for (let j = 0; j < width; j++) {
        const factor = rotation[k * width + j]
        a += rows[j] * factor
        b += rows[width + j] * factor
        c += rows[2 * width + j] * factor
        d += rows[3 * width + j] * factor
      }
      const to = row * kept + k
      out[to] = a
      if (taken > 1) out[to + kept] = b
      if (taken > 2) out[to + 2 * kept] = c
      if (taken > 3) out[to + 3 * kept] = d
    }
  }
  return { count, width: kept, data: out }
}

function selectRows({ width, data }: Dense, rows: readonly number[]): Dense {
  const selected = new Float32Array(rows.length * width)
  for (const [to, row] of rows.entries()) selected.set(data.subarray(row * width, (row + 1) * width), to * width)
  return { count: rows.length, width, data: selected }
}

/** Multiplies each column by its factor, in place. */
function scaleColumns(matrix: Dense, factors: Float64Array): Dense {
  const { count, width, data } = matrix
  for (let row = 0; row < count; row++) for (let k = 0; k < width; k++) data[row * width + k] *= factors[k]
  return matrix
}

/** Sums of three uniform numbers from a small generator (mulberry32): close enough to normal for a random start. */
function randomDense(count: number, width: number): Dense {
  let state = 0x9e3779b9
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296 - 0.5
  }
  const data = new Float32Array(count * width)
  for (let at = 0; at < data.length; at++) data[at] = next() + next() + next()
  return { count, width, data }
}

/** Upper bound of sweeps. The cyclic Jacobi method converges earlier. */
const MAX_SWEEPS = 30

/** Eigenvalues of a symmetric matrix, descending, and eigenvectors as rows (cyclic Jacobi rotations). */
function symmetricEigen(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
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
