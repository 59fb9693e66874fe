import { withoutSection } from '#lib/addresses/page-address.ts'
import type { ScoredUnit, Section } from './sections.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'
import { isFact, isPointer } from './units.ts'

/** Units of one section, in order. */
export type Excerpt = { section: Section; units: ScoredUnit[] }

/**
 * Maximum characters of an answer, of the best section alone, and of the best and the second section together. With the
 * heading and the marks, an answer stays within 1,200. Chosen like the values in `sections.ts`.
 */
export const MOST = { together: 1_130, alone: 960, first: 770, second: 360 } as const

/** The second section is one of this many after the best. */
const CANDIDATES = 2

/** Share of the question that the second section must add, and the share above which nothing is missing. */
const GAIN = 0.07
const COMPLETE = 0.9

/** Weight of the added share relative to the section's value. */
const GAIN_WEIGHT = 3

/** A best section with fewer characters gets company even if that adds no question term. */
const SHORT = { length: 250, value: 0.6 } as const

/** Added to the gain of the options of the thing that the best section describes: its page lists them in a subsection. */
const OPTIONS = 0.3
const OPTIONS_HEADING = /^(?:options|parameters|arguments|usage|syntax|examples?)$/i

/** Quotes the best section, and a second one if it adds question terms. */
export function chooseExcerpts([best, ...others]: readonly Section[], asked: AskedTerms): Excerpt[] {
  if (!best) return []
  const needsCompany = isShort(best)
  const known = shareOf(best.covers, asked)
  // The other side of a comparison adds to the answer even if the best section mentions it.
  const isOtherSide = ({ topic }: Section) => !topic.isSubsetOf(best.topic)
  // A section about the thing that the question names is the answer, even if others have more of its words.
  const isEnough = best.isEntry || ((known >= COMPLETE || best.topic.size > 0) && !needsCompany)
  const hasOptions = (section: Section) => isOptionsOf(best, section) || isOptionsOf(section, best)
  const candidates = isEnough ? [] : [...others.slice(0, CANDIDATES), ...others.filter(hasOptions)]
  const [second] = [...new Set([...others.filter(isOtherSide), ...candidates])]
    .map((section) => ({
      section,
      gain:
        shareOf(section.covers.union(best.covers), asked) -
        known +
        (isOtherSide(section) ? 1 : 0) +
        (hasOptions(section) ? OPTIONS : 0),
      value: section.value / best.value,
    }))
    .filter(({ gain, value }) => gain >= GAIN || (needsCompany && value >= SHORT.value))
    .sort((a, b) => b.value + GAIN_WEIGHT * b.gain - a.value - GAIN_WEIGHT * a.gain)
  if (!second) return [excerptOf(best, MOST.alone)]
  const first = excerptOf(best, MOST.first)
  const left = MOST.together - lengthOf(first)
  const further = excerptOf(second.section, Math.min(MOST.second, left))
  return lengthOf(further) <= left ? [first, further] : [first]
}

function isOptionsOf({ passage: best }: Section, { passage }: Section): boolean {
  const isBelow =
    passage.headings.length > best.headings.length && best.headings.every((each, at) => each === passage.headings[at])
  return (
    isBelow &&
    withoutSection(passage.url) === withoutSection(best.url) &&
    OPTIONS_HEADING.test(passage.headings.at(-1) ?? '')
  )
}

/** The best unit and those around it, as many as fit. A single unit may be longer. */
export function excerptOf(section: Section, most: number): Excerpt {
  const { units } = section
  const lengths = units.map(({ text }) => text.length + 1)
  const scoreAt = (at: number) => units[at]?.score ?? -1
  const fits = (at: number) => (lengths[at] ?? 0) <= most
  const strongest = () =>
    units.reduce((best, { score }, at) => (fits(at) && (!fits(best) || score > scoreAt(best)) ? at : best), 0)
  let from = section.isTopic && fits(0) ? 0 : strongest()
  let to = from
  let left = most - (lengths[from] ?? 0)
  for (;;) {
    const up = (lengths[from - 1] ?? Infinity) <= left ? scoreAt(from - 1) : -1
    const down = (lengths[to + 1] ?? Infinity) <= left ? scoreAt(to + 1) : -1
    if (up < 0 && down < 0) break
    left -= (down >= up ? lengths[++to] : lengths[--from]) ?? 0
  }
  const chosen = units.slice(from, to + 1)
  const telling = chosen.filter(({ text }) => !isFact(text))
  return { section, units: withoutTail(telling.length > 0 ? telling : chosen) }
}

/**
 * Drops the paragraphs at the end that have no question terms, and a sentence at the end that introduces what is not
 * quoted or only links elsewhere, unless it is the best unit.
 */
function withoutTail(units: readonly ScoredUnit[]): ScoredUnit[] {
  const last = units.findLast(({ kind, covers }) => kind !== 'sentence' || covers.size > 0)
  const kept = last ? units.filter(({ group }) => group <= last.group) : [...units]
  const best = Math.max(...kept.map(({ score }) => score))
  const end = kept.findLastIndex(
    ({ kind, text, score }) => kind !== 'sentence' || score === best || !(/[:：]$/.test(text) || isPointer(text)),
  )
  return kept.slice(0, end + 1)
}

/** True if there is so little to quote that a second section is welcome. */
export function isShort(quoted: Pick<Excerpt, 'units'>): boolean {
  return lengthOf(quoted) < SHORT.length
}

/** Characters of the units with the space between them. */
export function lengthOf({ units }: Pick<Excerpt, 'units'>): number {
  return units.reduce((sum, { text }) => sum + text.length + 1, 0)
}
