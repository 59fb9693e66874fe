import { setImmediate as nextTurn } from 'node:timers/promises'
import { COMPARED_QUESTIONS, DETAILS_PAGE_SIZE as PAGE_SIZE } from '@docent/contract/operations/analytics-details'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { argumentsOfCalls, unansweredQueries } from '#store/calls/read-calls.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import { isoTimes } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { analyseQuery } from '#search/rank/analyse-query.ts'
import { createWordAnalyser } from '#search/analyse/word-analyser.ts'
import type { Handler } from '../operation.ts'
import { pagingOf } from '../paging.ts'
import { startOf } from './series.ts'

const EXAMPLES = 5

export const listUnanswered: Handler<'analytics.unanswered'> = async ({ deps, server }, { range, page }) => {
  await deps.flushCalls()
  const since = startOf(range, deps.clock())
  const asked = await unansweredQueries(deps.store.read, server.id, { since, limit: COMPARED_QUESTIONS + 1 })
  const groups = await groupQuestions(asked.slice(0, COMPARED_QUESTIONS), synonymsOf(server))
  const shown = groups
    .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    .map((group) => ({ ...group, examples: group.questions.slice(0, EXAMPLES) }))
  const reportIds = shown.flatMap(({ examples }) => examples.flatMap(({ reportId }) => reportId ?? []))
  const reports = await argumentsOfCalls(deps.store.read, reportIds)
  const present = ({ reportId, ...example }: Asked) => {
    const report = reportId === null ? undefined : reports.get(reportId)
    return { ...isoTimes(example), ...defined({ problem: report && problemIn(report) }) }
  }
  return {
    range,
    groups: shown.map(({ questions, examples, ...group }) => ({
      ...isoTimes(group),
      question: questions[0]?.query ?? '',
      wordings: questions.length,
      examples: examples.map(present),
    })),
    complete: asked.length <= COMPARED_QUESTIONS,
    ...pagingOf(page, PAGE_SIZE, groups.length),
  }
}

export type Asked = Counted & { query: string; callId: string; reportId: string | null }
type Counted = { calls: number; lastAskedAt: number; notHelpful: number; reports: number }

/** What a caller wrote. Undefined if it is not text, as after a redaction. */
function problemIn(json: string): string | undefined {
  const { problem } = JSON.parse(json) as { problem?: unknown }
  return typeof problem === 'string' ? problem : undefined
}

/** Words that mean the same, by a rule of the server. */
export type Synonyms = readonly { from: string; to: readonly string[] }[]

function synonymsOf({ rules }: ServerRow): Synonyms {
  const effects = (JSON.parse(rules) as { effects: RuleEffect[] }[]).flatMap((rule) => rule.effects)
  return effects.flatMap((effect) => (effect.kind === 'expand_terms' ? [{ from: effect.from, to: effect.to }] : []))
}

export type QuestionGroup = Counted & { questions: Asked[] }

/** Smallest similarity in a group: one word of three may be added or left out, but not exchanged. */
const SIMILAR = 0.66
/** Wordings per turn of the event loop, a few milliseconds. */
const PER_TURN = 100

type Group = QuestionGroup & { terms: ReadonlySet<string>; weight: number }

/**
 * Groups wordings by their content words, as the search engine analyses them: lower case, stems, no function words. The
 * most frequent wording leads its group. Others join the group with the greatest weighted Jaccard similarity to its
 * leader, where a word weighs more the fewer wordings have it. `questions` are sorted by calls, most first; so are the
 * groups of the result.
 */
export async function groupQuestions(questions: readonly Asked[], synonyms: Synonyms): Promise<QuestionGroup[]> {
  const termsOf = createTerms(synonyms)
  const analysed = questions.map((question) => ({ question, terms: termsOf(question.query) }))
  const weigh = createWeights(analysed.map(({ terms }) => terms))
  const groups: Group[] = []
  const byTerm = new Map<string, Group[]>()
  for (const [n, { question, terms }] of analysed.entries()) {
    if (n % PER_TURN === PER_TURN - 1) await nextTurn()
    const weight = weigh(terms)
    const group = mostSimilar({ terms, weight }, byTerm, weigh)
    if (group) {
      group.questions.push(question)
      group.calls += question.calls
      group.notHelpful += question.notHelpful
      group.reports += question.reports
      group.lastAskedAt = Math.max(group.lastAskedAt, question.lastAskedAt)
      continue
    }
    const { calls, lastAskedAt, notHelpful, reports } = question
    const made: Group = { terms, weight, calls, lastAskedAt, notHelpful, reports, questions: [question] }
    groups.push(made)
    for (const term of terms) byTerm.set(term, [...(byTerm.get(term) ?? []), made])
  }
  return groups.toSorted((a, b) => b.calls - a.calls || b.lastAskedAt - a.lastAskedAt)
}

type Terms = { terms: ReadonlySet<string>; weight: number }
type Weigh = (terms: Iterable<string>) => number

/**
 * The group with the most similar leader. A leader that shares none of the rarest words cannot be similar enough, so
 * only those are looked up (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).
 */
function mostSimilar({ terms, weight }: Terms, byTerm: ReadonlyMap<string, readonly Group[]>, weigh: Weigh) {
  const rarestFirst = [...terms].map((term) => ({ term, own: weigh([term]) })).toSorted((a, b) => b.own - a.own)
  const candidates = new Set<Group>()
  let rest = weight
  for (const { term, own } of rarestFirst) {
    if (rest < SIMILAR * weight) break
    for (const group of byTerm.get(term) ?? []) candidates.add(group)
    rest -= own
  }
  let best: Group | null = null
  let most = SIMILAR
  for (const group of candidates) {
    let both = 0
    for (const { term, own } of rarestFirst) if (group.terms.has(term)) both += own
    const similarity = both / (weight + group.weight - both)
    if (similarity < most || (similarity === most && best)) continue
    best = group
    most = similarity
  }
  return best
}

/** Inverse document frequency, with all wordings as documents. */
function createWeights(all: readonly ReadonlySet<string>[]): Weigh {
  const counts = new Map<string, number>()
  for (const terms of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weights = new Map([...counts].map(([term, count]) => [term, 1 + Math.log(all.length / count)]))
  return (terms) => {
    let sum = 0
    for (const term of terms) sum += weights.get(term) ?? 0
    return sum
  }
}

/** The content words of a wording as terms, or the whole wording if it has none. Synonyms have one term. */
function createTerms(synonyms: Synonyms): (query: string) => ReadonlySet<string> {
  const analyse = createWordAnalyser(null)
  const termOf = (word: string) => analyse(word.trim()).term
  const canonical = new Map<string, string>()
  for (const { from, to } of synonyms) {
    const term = termOf(from)
    if (term === '') continue
    for (const word of to) canonical.set(termOf(word), canonical.get(term) ?? term)
  }
  return (query) => {
    const words = analyseQuery(query, [analyse]).filter(({ added }) => !added)
    const terms = words.flatMap(({ analyses: [word] }) => (word ? [canonical.get(word.term) ?? word.term] : []))
    return new Set(terms.length > 0 ? terms : [query.toLowerCase()])
  }
}
