import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { WEIGHTS, type Weights } from '@docent/server/search/weights.ts'
import { elementAt } from '@docent/server/lib/arrays.ts'
import { readEvalSet } from './eval-set.ts'
import { indexEvalSet } from './eval-index.ts'
import { listNumbers, readNumber, withNumber } from './tune-numbers.ts'
import { mean, rankFeatures, scoreFeatures, scoreRankings, type TuningSet } from './tune-score.ts'
import { UsageError } from '#lib/usage-error.ts'

/** Factors tried for each number, the large ones first. */
const STEPS = [2, 0.5, 1.4, 0.7, 1.15, 0.87] as const
/** A smaller improvement is noise: a single question has moved by a rank. */
const LEAST_GAIN = 0.0004
/** Loss of a set without penalty. Larger losses count twice as much as gains. */
const FLOOR = 0.005

/**
 * Finds weights by coordinate ascent on sets of questions with known answers. Each number in turn is made larger or
 * smaller while the mean nDCG@10 over the sets grows, with a lower bound for each set. Fusion weights are tried on
 * precomputed features; `--deep` also tries the numbers of the scoring, each by ranking all questions again. `--half`
 * uses every other question, and evaluates on the rest. Prints the weights for weights.ts.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    all: { type: 'string' },
    deep: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    half: { type: 'string' },
  } as const
  const { all, deep, minutes, half } = parseArgs({ args, options }).values
  if (all === undefined || (half !== undefined && half !== 'even' && half !== 'odd'))
    throw new UsageError('Name a folder of sets; a half is even or odd.')
  const until = Date.now() + Number(minutes) * 60_000
  const whole = readSets(resolve(all))
  const sets = half === undefined ? whole : whole.map((one) => takeHalf(one, half === 'even' ? 0 : 1))
  const others = half === undefined ? [] : whole.map((one) => takeHalf(one, half === 'even' ? 1 : 0))
  const start = scoreRankings(sets, WEIGHTS)
  report('now', start)
  let weights = WEIGHTS
  if (deep)
    weights = ascend(weights, until, {
      numbers: listNumbers(weights).filter((path) => !path.startsWith('fusion.')),
      score: (tried) => scoreRankings(sets, tried),
      start,
    })
  const features = rankFeatures(sets, weights)
  weights = ascend(weights, until, {
    numbers: listNumbers(weights).filter((path) => path.startsWith('fusion.')),
    score: (tried) => scoreFeatures(features, tried.fusion),
    start,
  })
  const found = scoreRankings(sets, weights)
  report('found', found)
  const rest =
    half === undefined
      ? {}
      : { unseen: { before: mean(scoreRankings(others, WEIGHTS)), after: mean(scoreRankings(others, weights)) } }
  return { before: mean(start), after: mean(found), ...rest, weights }
}

/** The questions at even or odd positions. */
function takeHalf({ set, index }: TuningSet, parity: 0 | 1): TuningSet {
  return { set: { ...set, queries: set.queries.filter((_, place) => place % 2 === parity) }, index }
}

function readSets(folder: string): TuningSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'corpus.jsonl')))
    .map((name) => {
      const set = readEvalSet(join(folder, name))
      return { set, index: indexEvalSet(set) }
    })
}

type Search = { numbers: readonly string[]; score: (weights: Weights) => number[]; start: readonly number[] }

/** Mean over the sets, minus losses of any set beyond the floor. */
function worth(scores: readonly number[], start: readonly number[]): number {
  const lost = scores.map((score, set) => Math.max(0, elementAt(start, set) - FLOOR - score))
  return mean(scores) - 2 * mean(lost)
}

/** Cycles through the numbers until none can be improved or the time is up. */
function ascend(given: Weights, until: number, { numbers, score, start }: Search): Weights {
  let weights = given
  let best = worth(score(weights), start)
  for (let improved = true; improved;) {
    improved = false
    for (const path of numbers) {
      for (const step of STEPS) {
        if (Date.now() > until) return weights
        const value = Number((readNumber(weights, path) * step).toPrecision(2))
        const tried = withNumber(weights, path, /\.b(\.|$)/.test(path) ? Math.min(1, value) : value)
        const scores = score(tried)
        const found = worth(scores, start)
        if (found < best + LEAST_GAIN) continue
        report(`${path} ${value}`, scores)
        best = found
        weights = tried
        improved = true
      }
    }
  }
  return weights
}

function report(what: string, scores: readonly number[]): void {
  const sets = scores.map((score) => score.toFixed(3)).join(' ')
  process.stderr.write(`${what.padEnd(28)} ${mean(scores).toFixed(4)}  ${sets}\n`)
}
