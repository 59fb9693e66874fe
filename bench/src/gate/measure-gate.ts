import { z } from 'zod'
import { ndcg10 } from '#eval/eval-metrics.ts'
import { type GateQuestion, hasFact } from './gate-questions.ts'
import { type CallTool, HOST } from './open-docs.ts'

/**
 * Figures of search and answers, each a share from 0 to 1. Those of answers with confidence count in both directions, so
 * that no threshold can move unnoticed.
 */
export type GateFigures = {
  /** The first passage is in a right section. */
  hit1: number
  /** nDCG of the right sections among ten passages. */
  ndcg10: number
  /** The first passage has the key fact. */
  factInFirstPassage: number
  /** The answer has the key fact. */
  factInAnswer: number
  /** Answers with confidence `high` that have the key fact, of those with confidence `high`. */
  correctAtHigh: number
  /** The same, of all questions that have an answer. */
  rightAtHigh: number
  /** Answers with confidence `high` or `medium` that have the key fact, of all questions that have an answer. */
  rightAtMedium: number
  /** Questions without an answer that get confidence `low` or `none`. */
  declined: number
}

/** What search and ask gave for a question. */
export type GateResult = GateQuestion & {
  /** Right places in the order in which the passages have them; null for a passage elsewhere. */
  found: (string | null)[]
  first: string
  factInFirst: boolean
  factInAnswer: boolean
  confidence: 'high' | 'medium' | 'low' | 'none'
  answer: string
}

const Search = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string(), heading: z.string(), passage: z.string() })),
})
const Answer = z.object({ answer: z.string(), confidence: z.enum(['high', 'medium', 'low', 'none']) })

/** Asks all questions with `search_docs` and `ask_question`. */
export async function askGate(call: CallTool, questions: readonly GateQuestion[]): Promise<GateResult[]> {
  const results: GateResult[] = []
  for (const asked of questions) {
    const { results: passages } = Search.parse(await call('search_docs', { query: asked.question, limit: 10 }))
    const { answer, confidence } = Answer.parse(await call('ask_question', { question: asked.question }))
    const [first] = passages
    results.push({
      ...asked,
      found: passages.map((passage) => asked.places.find((place) => isIn(passage, place)) ?? null),
      first: first ? `${first.url.replace(HOST, '')} | ${first.heading}` : '',
      factInFirst: first !== undefined && hasFact(asked, first.passage),
      factInAnswer: confidence !== 'none' && hasFact(asked, answer),
      confidence,
      answer,
    })
  }
  return results
}

type Passage = z.output<typeof Search>['results'][number]

/** Whether a passage is on the page and in the section of a place, or contains the section's heading. */
function isIn({ url, title, heading, passage }: Passage, place: string): boolean {
  const [page, section] = place.split('#', 2)
  if (url.replace(/#.*/s, '') !== `${HOST}${page}`) return false
  if (section === undefined || heading.split(' › ').includes(section)) return true
  if (heading === '' && title === section) return true
  return passage.split('\n').some((line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, '') === section)
}

export function figuresOf(results: readonly GateResult[]): GateFigures {
  const known = results.filter(({ places }) => places.length > 0)
  const unknown = results.filter(({ places }) => places.length === 0)
  const isRight = (levels: readonly string[]) => (one: GateResult) =>
    one.factInAnswer && levels.includes(one.confidence)
  const high = results.filter(({ confidence }) => confidence === 'high')
  return {
    hit1: share(known, ({ found }) => (found[0] ?? null) !== null),
    ndcg10: known.reduce((sum, one) => sum + ndcgOf(one), 0) / known.length,
    factInFirstPassage: share(known, ({ factInFirst }) => factInFirst),
    factInAnswer: share(known, ({ factInAnswer }) => factInAnswer),
    correctAtHigh: share(high, ({ factInAnswer }) => factInAnswer),
    rightAtHigh: share(known, isRight(['high'])),
    rightAtMedium: share(known, isRight(['high', 'medium'])),
    declined: share(unknown, ({ confidence }) => confidence === 'low' || confidence === 'none'),
  }
}

/** Each right place has grade 1, at the first passage of it. */
function ndcgOf({ places, found }: GateResult): number {
  const ranking = found.map((place, at) => (place === null || found.indexOf(place) < at ? `elsewhere ${at}` : place))
  return ndcg10(new Map(places.map((place) => [place, 1])), ranking)
}

function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(test).length / all.length
}
