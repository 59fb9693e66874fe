import type { Passage } from '#search/passage.ts'
import { isSameName, nameKeys } from '#search/catalogue/name-key.ts'
import { isOnlyImports } from './is-only-imports.ts'
import { termsOf } from './terms.ts'
import { unitsOf, type Unit } from './units.ts'

/** A unit of a passage with its score. */
export type ScoredUnit = Unit & {
  passage: Passage
  text: string
  /** Index of the unit in its passage. */
  index: number
  /** Question terms in the unit. */
  covers: ReadonlySet<string>
  score: number
}

export type ScoringEvidence = {
  units: ScoredUnit[]
  /** Weight of each question term. Terms that are rarer among the units weigh more. */
  weights: ReadonlyMap<string, number>
  /** Question terms found in each passage or its headings, in passage order. */
  covered: ReadonlySet<string>[]
}

/** Weight of a term in the headings above a unit, relative to one in the unit. */
const HEADING_SHARE = 0.5

/** The same if the innermost heading is a name in the question: the whole section is about it. */
const NAME_SHARE = 1

/** Factor for a sentence fragment that continues after a code block: it says little alone. */
const TORN_OFF = 0.5

/** Share of a unit's score independent of its passage's rank, so that a good sentence lower down can win. */
const RANK_FREE = 0.4

/** Decay per rank of the passage: scores of neighbouring passages are often close. */
const RANK_DECAY = 0.12

/** Characters. Units far outside this range say too little, or too much else. */
const BEST_LENGTH = { from: 40, to: 320 }
const LONG_CODE = 1_500

/**
 * Scores every unit by question coverage, where terms in its headings count half, by its passage's score, and by its
 * length and position. Weights terms by rarity among these units, like inverse document frequency over a corpus. A term
 * found in every sentence cannot distinguish any.
 */
export function scoreUnits(
  passages: readonly Passage[],
  terms: readonly string[],
  names: ReadonlySet<string> = new Set(),
): ScoringEvidence {
  const asked = new Set(terms)
  // A named heading covers the whole name, even if the heading splits it in two.
  const spoken = covered([...names].join(' '), asked)
  const drafts = passages.map((passage, place) => ({
    place,
    passage,
    isNamed: isNamed(passage, names),
    above: covered(`${passage.title} ${passage.heading}`, asked).union(
      isNamed(passage, names) ? spoken : new Set<string>(),
    ),
    units: unitsOf(passage.passage).map((unit, index) => {
      const text = passage.passage.slice(unit.start, unit.end)
      return { ...unit, passage, text, index, covers: covered(text, asked) }
    }),
  }))
  const weights = rarity(
    terms,
    drafts.flatMap(({ units }) => units),
  )
  const best = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE)
  const units = drafts.flatMap(({ above, isNamed: whole, passage, place, units: drafted }) => {
    const namedUntil = whole ? endOfFirstSection(passage.passage, drafted) : 0
    return drafted.map((unit, at) => {
      const named = unit.start < namedUntil
      const headings = (named ? NAME_SHARE : HEADING_SHARE) * share(above.difference(unit.covers), weights)
      // The section about a named thing answers the question at any search rank.
      const rank = named
        ? 1
        : (RANK_FREE + (1 - RANK_FREE) * Math.max(0, unit.passage.score / best)) / (1 + RANK_DECAY * place)
      const fit = lengthFactor(unit) * placeFactor(unit) * (isTornOff(unit, drafted[at - 1]) ? TORN_OFF : 1)
      return { ...unit, score: (share(unit.covers, weights) + headings) * rank * fit }
    })
  })
  const together = drafts.map(({ above, units: own }) => own.reduce((all, { covers }) => all.union(covers), above))
  return { units, weights, covered: together }
}

/** True if the innermost heading of a passage is one of the names: alone, or as a member of the page title. */
export function isNamed({ title, heading }: Passage, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  const keys = nameKeys(heading.split(' › ').at(-1) ?? '')
  if (keys.some((key) => names.has(key))) return true
  const [owner] = nameKeys(title)
  if (owner === undefined) return false
  return keys.some((key) =>
    [...names].some((name) => name.endsWith(`.${key}`) && isSameName(owner, name.slice(0, -key.length - 1))),
  )
}

/** Offset of the next heading. Small sections share a passage, which has the heading of the first. */
function endOfFirstSection(text: string, units: readonly Unit[]): number {
  const begun = units[0]?.start ?? 0
  const isCode = (at: number) => units.some(({ kind, start, end }) => kind === 'code' && start <= at && at < end)
  for (const { index } of text.matchAll(/^ {0,3}#{1,6}\s/gm)) if (index > begun && !isCode(index)) return index
  return text.length
}

function isTornOff({ kind, text }: { kind: Unit['kind']; text: string }, before: { kind: Unit['kind'] } | undefined) {
  return kind === 'sentence' && before?.kind === 'code' && /^\p{Ll}/u.test(text)
}

/** Weighted share of the question, 0 to 1, covered by a set of its terms. */
export function share(terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let whole = 0
  let part = 0
  for (const [term, weight] of weights) {
    whole += weight
    if (terms.has(term)) part += weight
  }
  return whole === 0 ? 0 : part / whole
}

/** Question terms found in a text. */
function covered(text: string, asked: ReadonlySet<string>): Set<string> {
  return new Set(termsOf(text).filter((term) => asked.has(term)))
}

function rarity(terms: readonly string[], units: readonly { covers: ReadonlySet<string> }[]): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const frequency = units.filter(({ covers }) => covers.has(term)).length
      return [term, Math.log(1 + (units.length + 1) / (frequency + 0.5))] as const
    }),
  )
}

function lengthFactor({ kind, text }: { kind: Unit['kind']; text: string }): number {
  if (kind === 'code' && isOnlyImports(text.split('\n').slice(1, -1).join('\n'))) return 0.1
  if (kind === 'code') return text.length > LONG_CODE ? 0.4 : 0.8
  if (text.length < BEST_LENGTH.from) return 0.6
  return text.length > BEST_LENGTH.to ? 0.8 : 1
}

/** Prefers the first sentences below a heading: they summarise the section. */
function placeFactor({ kind, index }: Pick<ScoredUnit, 'kind' | 'index'>): number {
  return kind !== 'code' && index < 2 ? 1.15 : 1
}
