import { symmetricEigen } from './symmetric-eigen.ts'
import type { TermPageMatrix } from './term-page-matrix.ts'

/** Row by row; `count` rows of `width` numbers. */
export type Dense = { count: number; width: number; data: Float32Array }

export type TruncatedSvd = {
  /** Pages in the latent space, U × S: one row a page. */
  pages: Dense
  /** Terms in it, V: one row for each column of the matrix. */
  terms: Dense
  /** Singular values, descending. */
  values: Float64Array
}

/** Directions beyond those asked for, which the iteration sharpens those with. */
const OVERSAMPLING = 8
/** Two rounds bring the subspace within a percent of the best one on collections of text. */
const ITERATIONS = 2

/**
 * The `dimensions` strongest directions of a matrix: randomised subspace iteration (Halko, Martinsson and Tropp 2011,
 * algorithm 4.4) with orthonormalisation by Cholesky factors, then the eigenvectors of the small matrix that is left.
 * The start is pseudo-random with a fixed seed, so that the same pages always give the same vectors.
 */
export function truncatedSvd(matrix: TermPageMatrix, dimensions: number): TruncatedSvd {
  const termCount = matrix.terms.length
  const width = Math.min(dimensions + OVERSAMPLING, termCount, matrix.pageCount)
  let basis = randomDense(termCount, width)
  for (let round = 0; round < ITERATIONS; round++) {
    orthonormalise(basis)
    basis = timesTransposed(matrix, times(matrix, basis))
  }
  orthonormalise(basis)
  orthonormalise(basis)
  const projected = times(matrix, basis)
  const { values, vectors } = symmetricEigen(gram(projected), width)
  const kept = Math.min(dimensions, width)
  const rotation = vectors.subarray(0, kept * width)
  return {
    pages: rotate(projected, rotation, kept),
    terms: rotate(basis, rotation, kept),
    values: values.slice(0, kept).map((value) => Math.sqrt(Math.max(0, value))),
  }
}

/** Pages × width: the matrix times a dense one with a row for each term. */
function times({ pageCount, starts, pages, values }: TermPageMatrix, { width, data }: Dense): Dense {
  const out = new Float32Array(pageCount * width)
  for (let term = 0; term + 1 < starts.length; term++) {
    const row = term * width
    for (let at = starts[term] ?? 0, end = starts[term + 1] ?? 0; at < end; at++) {
      const value = values[at] ?? 0
      const to = (pages[at] ?? 0) * width
      for (let k = 0; k < width; k++) out[to + k] = (out[to + k] ?? 0) + value * (data[row + k] ?? 0)
    }
  }
  return { count: pageCount, width, data: out }
}

/** Terms × width: the matrix transposed times a dense one with a row for each page. */
function timesTransposed({ starts, pages, values }: TermPageMatrix, { width, data }: Dense): Dense {
  const count = starts.length - 1
  const out = new Float32Array(count * width)
  for (let term = 0; term < count; term++) {
    const to = term * width
    for (let at = starts[term] ?? 0, end = starts[term + 1] ?? 0; at < end; at++) {
      const value = values[at] ?? 0
      const row = (pages[at] ?? 0) * width
      for (let k = 0; k < width; k++) out[to + k] = (out[to + k] ?? 0) + value * (data[row + k] ?? 0)
    }
  }
  return { count, width, data: out }
}

/** The products of all pairs of columns, width × width. */
function gram({ count, width, data }: Dense): Float64Array {
  const out = new Float64Array(width * width)
  for (let row = 0; row < count; row++) {
    const from = row * width
    for (let i = 0; i < width; i++) {
      const value = data[from + i] ?? 0
      if (value === 0) continue
      const to = i * width
      for (let j = i; j < width; j++) out[to + j] = (out[to + j] ?? 0) + value * (data[from + j] ?? 0)
    }
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) out[i * width + j] = out[j * width + i] ?? 0
  return out
}

/** Makes the columns orthonormal, in place: X ← X R⁻¹ where RᵀR = XᵀX. A column that depends on others becomes zero. */
function orthonormalise(matrix: Dense): void {
  const { count, width, data } = matrix
  const upper = choleskyUpper(gram(matrix), width)
  for (let row = 0; row < count; row++) {
    const at = row * width
    for (let j = 0; j < width; j++) {
      const pivot = upper[j * width + j] ?? 0
      if (pivot === 0) {
        data[at + j] = 0
        continue
      }
      const value = (data[at + j] ?? 0) / pivot
      data[at + j] = value
      for (let k = j + 1; k < width; k++) data[at + k] = (data[at + k] ?? 0) - value * (upper[j * width + k] ?? 0)
    }
  }
}

/** R of RᵀR = the given matrix. */
function choleskyUpper(given: Float64Array, width: number): Float64Array {
  const upper = given.slice()
  for (let i = 0; i < width; i++) {
    const diagonal = upper[i * width + i] ?? 0
    const pivot = diagonal > (given[i * width + i] ?? 0) * 1e-10 ? Math.sqrt(diagonal) : 0
    for (let j = i; j < width; j++) upper[i * width + j] = pivot === 0 ? 0 : (upper[i * width + j] ?? 0) / pivot
    for (let row = i + 1; row < width; row++) {
      const factor = upper[i * width + row] ?? 0
      if (factor === 0) continue
      for (let j = row; j < width; j++)
        upper[row * width + j] = (upper[row * width + j] ?? 0) - factor * (upper[i * width + j] ?? 0)
    }
  }
  return upper
}

/** Each row times the rows of `rotation`. */
function rotate({ count, width, data }: Dense, rotation: Float64Array, kept: number): Dense {
  const out = new Float32Array(count * kept)
  for (let row = 0; row < count; row++)
    for (let k = 0; k < kept; k++) {
      let sum = 0
      for (let j = 0; j < width; j++) sum += (data[row * width + j] ?? 0) * (rotation[k * width + j] ?? 0)
      out[row * kept + k] = sum
    }
  return { count, width: kept, data: out }
}

/** Sums of three uniform numbers from a small generator (mulberry32): near enough to normal for a random start. */
function randomDense(count: number, width: number): Dense {
  let state = 0x9e3779b9
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296 - 0.5
  }
  return { count, width, data: Float32Array.from({ length: count * width }, () => next() + next() + next()) }
}
