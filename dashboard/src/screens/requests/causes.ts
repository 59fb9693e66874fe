import { isWithoutAnswer } from '@docent/contract/values/outcomes'
import type { Output } from '@docent/sdk'
import { number, shortAddress } from '../../lib/format.ts'
import { pageOf } from '../../rules/suggest-rule.ts'

type Trace = Output<'calls.trace'>

/** Candidates whose scores differ by less than this part are equally good. */
const CLOSE = 0.03
/** A word that no page has. Shares are smoothed, so that they are never 0. */
const MISSING = 0.0001

/** Why a call got this answer, in sentences. The first is the most likely cause. */
export function causesOf(trace: Trace): string[] {
  const { searches, version, remark } = trace
  const [search] = searches
  const causes = search ? [...wordCauses(search), ...rankCauses(search)] : []
  const isWeak = isWithoutAnswer(trace.outcome)
  return [
    isWeak ? 'The sources say little or nothing about this.' : '',
    ...causes,
    search && causes.length === 0 && !isWeak ? 'The first passages fit the words of the question best.' : '',
    ...ruleCauses(trace),
    ...pinCauses(trace),
    version === 'changed' ? 'The sources have been indexed again since, so this is how it would read them today.' : '',
    search ? (remark ?? '') : '',
  ].filter(Boolean)
}

type Search = Trace['searches'][number]

function wordCauses({ words, repaired, embeddings, candidates, query }: Search): string[] {
  const missing = words.filter(({ share }) => share < MISSING).map(({ word }) => `“${word}”`)
  return [
    candidates.length === 0 ? `No passage fits “${query}”.` : '',
    missing.length > 0 ? `No page has ${missing.join(' or ')}.` : '',
    ...repaired.map(({ given, used }) => `“${given}” was read as “${used}”.`),
    embeddings === 'failed' ? 'The embedding model did not answer, so the search used words only.' : '',
  ].filter(Boolean)
}

function rankCauses({ candidates }: Search): string[] {
  const [first, second] = candidates
  if (!first || !second || first.score <= 0) return []
  const other = candidates.find(({ url }) => pageOf(url) !== pageOf(first.url))
  if (!other || (first.score - other.score) / first.score > CLOSE) return []
  return [`“${first.title}” and “${other.title}” fit almost equally well: ${score(first)} and ${score(other)}.`]
}

const score = (candidate: { score: number }): string => candidate.score.toFixed(2)

/** Effects of rules. The screen of rules shows those without an effect. */
function ruleCauses({ rules, searches }: Trace): string[] {
  const isAt = (ruleId: string) =>
    searches.some((search) =>
      search.rules.some(
        ({ ruleId: id, applies, raised, lowered, pagesLeftOut, sourcesLeftOut, added, perSource }) =>
          id === ruleId &&
          applies &&
          (raised + lowered + pagesLeftOut + sourcesLeftOut + added.length > 0 || perSource !== null),
      ),
    )
  return rules.flatMap(({ ruleId, naturalLanguage, effect }) =>
    isAt(ruleId) ? [`The rule “${naturalLanguage}” applied. ${effect}`] : [],
  )
}

/** What the pins of the question did. */
function pinCauses({ searches }: Trace): string[] {
  const pins = new Map(searches.flatMap((search) => search.pins).map((pin) => [pin.pinId, pin]))
  return [...pins.values()].map(({ effect, url, heading, outcome }) => {
    const section = `“${heading || shortAddress(url)}”`
    if (outcome === 'stale') return `The pin of ${section} did nothing: its section is gone.`
    if (outcome === 'filtered') return `The pin of ${section} did nothing: the call asked for other pages.`
    return effect === 'first' ? `A pin shows ${section} first.` : `A pin leaves ${section} out.`
  })
}

/** How many passages were ranked, for the head of the list. */
export function rankedWords({ searches }: Trace): string {
  const ranked = searches.reduce((sum, { candidates }) => sum + candidates.length, 0)
  return `${number(ranked)} ranked`
}
