import { elementAt } from './arrays.ts'

/**
 * Histogram of durations as text, after DDSketch (Masson, Rim and Lee, VLDB 2019). A bucket has two letters and, if it
 * counts more than one duration, a number. Sketches are merged by joining their texts, which a database can do.
 */

/** Relative error of an estimate: 1.5%. */
const ERROR = 0.015
const LOG_GROWTH = Math.log((1 + ERROR) / (1 - ERROR))
/** Bucket 0 has everything up to this duration, in milliseconds. Reports show two decimals. */
const SMALLEST_MS = 0.01
const LETTERS = 26
const A = 97
/** Two letters. The last bucket begins at 1.7 hours, which no call lasts. */
const BUCKETS = LETTERS * LETTERS

const NAMES: readonly string[] = Array.from({ length: BUCKETS }, (_, bucket) =>
  String.fromCharCode(A + Math.floor(bucket / LETTERS), A + (bucket % LETTERS)),
)

/** The sketch of one duration in milliseconds. */
export function sketchOf(durationMs: number): string {
  const steps = durationMs > SMALLEST_MS ? Math.ceil(Math.log(durationMs / SMALLEST_MS) / LOG_GROWTH) : 0
  return NAMES[Math.min(steps, BUCKETS - 1)] ?? ''
}

/** Counts by bucket, and in total. Buckets outside of `first` to `last` are empty. */
type Histogram = { counts: Float64Array; total: number; first: number; last: number }

const emptyHistogram = (): Histogram => ({ counts: new Float64Array(BUCKETS), total: 0, first: BUCKETS, last: -1 })

/** Adds a sketch to a histogram. Linear in the length of the text. */
function addSketch(histogram: Histogram, sketch: string): void {
  for (let at = 0; at + 1 < sketch.length;) {
    const bucket = (sketch.charCodeAt(at) - A) * LETTERS + sketch.charCodeAt(at + 1) - A
    at += 2
    let count = 0
    for (let digit = digitAt(sketch, at); digit >= 0; digit = digitAt(sketch, at)) {
      count = count * 10 + digit
      at++
    }
    histogram.counts[bucket] = elementAt(histogram.counts, bucket) + (count || 1)
    histogram.total += count || 1
    if (bucket < histogram.first) histogram.first = bucket
    if (bucket > histogram.last) histogram.last = bucket
  }
}

/** The digit at this place, or a negative number. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48
  return digit >= 0 && digit <= 9 ? digit : -1
}

/** The shortest text of the same sketch. */
export function compactSketch(sketch: string): string {
  const histogram = emptyHistogram()
  addSketch(histogram, sketch)
  let text = ''
  for (let bucket = histogram.first; bucket <= histogram.last; bucket++) {
    const count = elementAt(histogram.counts, bucket)
    if (count > 0) text += count > 1 ? `${NAMES[bucket]}${count}` : NAMES[bucket]
  }
  return text
}

/** Estimates percentiles of sketches by nearest rank, in ms, null without durations. Calls share one histogram. */
export function createPercentiles() {
  const histogram = emptyHistogram()
  return (sketches: readonly string[], ranks: readonly number[]) => {
    histogram.counts.fill(0)
    Object.assign(histogram, { total: 0, first: BUCKETS, last: -1 })
    for (const sketch of sketches) addSketch(histogram, sketch)
    return percentilesOf(histogram, ranks)
  }
}

function percentilesOf({ counts, total, first, last }: Histogram, ranks: readonly number[]): (number | null)[] {
  if (total === 0) return ranks.map(() => null)
  return ranks.map((rank) => {
    const wanted = Math.ceil((total * rank) / 100)
    let bucket = first
    for (let passed = elementAt(counts, bucket); passed < wanted && bucket < last;)
      passed += elementAt(counts, ++bucket)
    return middleOf(bucket)
  })
}

/** The value whose relative distance to both ends of the bucket is the same. */
const middleOf = (bucket: number): number =>
  bucket === 0 ? 0 : (SMALLEST_MS * 2 * Math.exp(bucket * LOG_GROWTH)) / (1 + Math.exp(LOG_GROWTH))
