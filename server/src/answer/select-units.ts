import { share, type ScoringEvidence, type ScoredUnit } from './score-units.ts'

/** Maximum characters of prose and of code in one answer, and maximum number of passages. */
const MOST_PROSE = 1_100
const MOST_CODE = 1_600
const MOST_CODE_BLOCKS = 2
const MOST_PASSAGES = 5

/** Minimum score relative to the best unit. The lower bound applies while the answer is short. */
const WORTH = 0.45
const WORTH_WHILE_SHORT = 0.28
const SHORT = 350

/** Maximum discount for a unit whose question terms are already covered. */
const REPETITION = 0.5

/** Openings of a sentence that depends on the one before. */
const LEANS_BACK =
  /^(?:this|that|these|those|it|they|he|she|its|their|such|otherwise|however|also|then|instead|therefore|for example|in this case)\b/i

/**
 * Chooses the units of an answer greedily, best first. Discounts terms covered already. Adds the sentence that a unit
 * depends on and the example after it. Stops at the length limits.
 */
export function selectUnits({ units, weights }: ScoringEvidence): ScoredUnit[] {
  const best = Math.max(...units.map(({ score }) => score), 0)
  const chosen = new Set<ScoredUnit>()
  const said = new Set<string>()
  const open = units.filter(({ score }) => score > 0)
  while (open.length > 0) {
    const next = takeBest(open, (unit) => unit.score * (1 - REPETITION * repeated(unit, said, weights)))
    const length = [...chosen].reduce((sum, { text }) => sum + text.length, 0)
    if (!next || next.value < best * (length < SHORT ? WORTH_WHILE_SHORT : WORTH)) break
    for (const unit of [...leanedOn(next.unit, units), next.unit, ...introduced(next.unit, units)]) {
      if (!fits(unit, chosen)) continue
      chosen.add(unit)
      for (const term of unit.covers) said.add(term)
    }
  }
  return units.filter((unit) => chosen.has(unit))
}

function takeBest(open: ScoredUnit[], valueOf: (unit: ScoredUnit) => number) {
  let at = -1
  let value = 0
  for (const [index, unit] of open.entries()) {
    const candidate = valueOf(unit)
    if (candidate > value) {
      at = index
      value = candidate
    }
  }
  const [unit] = at < 0 ? [] : open.splice(at, 1)
  return unit && { unit, value }
}

/** Share of a unit's coverage that repeats terms covered already. */
function repeated({ covers }: ScoredUnit, said: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  const whole = share(covers, weights)
  if (whole === 0) return said.size > 0 ? 1 : 0
  return share(new Set([...covers].filter((term) => said.has(term))), weights) / whole
}

function leanedOn(unit: ScoredUnit, units: readonly ScoredUnit[]): ScoredUnit[] {
  if (unit.kind !== 'sentence' || !LEANS_BACK.test(unit.text)) return []
  const before = neighbour(unit, units, -1)
  return before?.kind === 'sentence' && before.group === unit.group ? [before] : []
}

/** The unit introduced by this one: an example, or the block after a colon. */
function introduced(unit: ScoredUnit, units: readonly ScoredUnit[]): ScoredUnit[] {
  const after = neighbour(unit, units, 1)
  if (unit.kind === 'code' || !after || after.kind === 'sentence') return []
  return after.kind === 'code' || unit.text.endsWith(':') ? [after] : []
}

function neighbour(unit: ScoredUnit, units: readonly ScoredUnit[], step: 1 | -1): ScoredUnit | undefined {
  const other = units[units.indexOf(unit) + step]
  return other?.passage === unit.passage ? other : undefined
}

function fits(unit: ScoredUnit, chosen: ReadonlySet<ScoredUnit>): boolean {
  if (chosen.has(unit)) return false
  const same = [...chosen].filter(({ kind }) => (kind === 'code') === (unit.kind === 'code'))
  const length = same.reduce((sum, { text }) => sum + text.length, unit.text.length)
  const passages = new Set([...chosen].map(({ passage }) => passage)).add(unit.passage)
  if (passages.size > MOST_PASSAGES) return false
  if ([...chosen].some(({ text }) => text === unit.text)) return false
  if (unit.kind !== 'code') return length <= MOST_PROSE || same.length === 0
  return same.length < MOST_CODE_BLOCKS && length <= MOST_CODE
}
