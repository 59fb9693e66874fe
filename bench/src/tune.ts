import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { WEIGHTS, type Weights } from '@docent/server/search/weights.ts'
import { readEvalSet } from './eval-set.ts'
import { indexEvalSet } from './eval-index.ts'
import { listNumbers, readNumber, withNumber } from './tune-numbers.ts'
import { rankFeatures, scoreFeatures, scoreRankings, type TuningSet } from './tune-score.ts'

const USAGE = 'npm run bench -- tune --all FOLDER [--deep] [--minutes N]'

/** Steps tried for each number: factors, the large ones first. */
const STEPS = [2, 0.5, 1.4, 0.7, 1.15, 0.87] as const
/** An improvement smaller than this is noise: some single question has moved by a rank. */
const LEAST_GAIN = 0.0004

/**
 * Finds weights by coordinate ascent on sets of questions with known answers: one number after the other is made larger
 * or smaller as long as the mean nDCG@10 over the sets grows. Weights of the fusion are tried on features that were
 * computed once; with `--deep` the numbers of the scoring itself are tried too, each by ranking all questions again.
 * Prints the weights to be written into weights.ts.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    all: { type: 'string' },
    deep: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
  } as const
  const { all, deep, minutes } = parseArgs({ args, options }).values
  if (all === undefined) throw new Error(USAGE)
  const until = Date.now() + Number(minutes) * 60_000
  const sets = readSets(resolve(all))
  let weights = WEIGHTS
  const before = scoreRankings(sets, weights)
  report('now', before)
  if (deep)
    weights = ascend(weights, until, {
      numbers: listNumbers(weights).filter((path) => !path.startsWith('fusion.')),
      score: (tried) => scoreRankings(sets, tried),
    })
  const features = rankFeatures(sets, weights)
  weights = ascend(weights, until, {
    numbers: listNumbers(weights).filter((path) => path.startsWith('fusion.')),
    score: (tried) => scoreFeatures(features, tried.fusion),
  })
  const after = scoreRankings(sets, weights)
  report('found', after)
  return { before, after, weights }
}

function readSets(folder: string): TuningSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'corpus.jsonl')))
    .map((name) => {
      const set = readEvalSet(join(folder, name))
      return { set, index: indexEvalSet(set) }
    })
}

type Search = { numbers: readonly string[]; score: (weights: Weights) => number }

/** Goes round the numbers until none of them can be improved, or time is up. */
function ascend(start: Weights, until: number, { numbers, score }: Search): Weights {
  let weights = start
  let best = score(weights)
  for (let improved = true; improved;) {
    improved = false
    for (const path of numbers) {
      for (const step of STEPS) {
        if (Date.now() > until) return weights
        const value = Number((readNumber(weights, path) * step).toPrecision(2))
        const tried = withNumber(weights, path, /\.b(\.|$)/.test(path) ? Math.min(1, value) : value)
        const found = score(tried)
        if (found < best + LEAST_GAIN) continue
        report(`${path} ${value}`, found)
        best = found
        weights = tried
        improved = true
      }
    }
  }
  return weights
}

function report(what: string, score: number): void {
  process.stderr.write(`${what.padEnd(28)} ${score.toFixed(4)}\n`)
}
