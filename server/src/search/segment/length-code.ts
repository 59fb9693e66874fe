/**
 * Field lengths in one byte: exact below 32, then sixteen steps per doubling (error at most 4 %), up to about half a
 * million words.
 */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < 32 ? code : Math.round(32 * 2 ** ((code - 32) / 16)),
)

export function lengthCode(length: number): number {
  if (length < 32) return Math.max(0, Math.floor(length))
  return Math.min(255, 32 + Math.round(16 * Math.log2(length / 32)))
}
