import { addressInPassage } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import type { Scope, Search } from '../library.ts'
import { stemsOf } from '../term-overlap.ts'
import { byAddress, keySentences, wordWeights } from './key-sentences.ts'
import type { Point } from './summarize-page.ts'

const PASSAGES = 16
/** Passages below this share of the best score are off topic. */
const LEAST_SCORE = 0.45
const PASSAGE_BYTES = 40_000

const OF_PASSAGE = 2
/** Sentences of a section, whose passages can be several. */
const OF_SECTION = 3
/** Boost for a sentence about the topic. */
const TOPICAL = 2
/** Sentences scored per passage, because stemming is slow. */
const WEIGHED = 5

/** Searches the topic and summarises what the best passages say of it. */
export async function summarizeTopic(
  search: Search,
  { topic, scope }: { topic: string; scope: Scope },
  signal: AbortSignal | undefined,
): Promise<Point[]> {
  const { passages } = await search({ query: topic, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }, signal)
  const best = passages[0]?.score ?? 0
  const telling = passages.filter(({ score }) => score >= best * LEAST_SCORE)
  const points = summarizePassages(telling, topic)
  // The best passages can consist of code and tables only.
  return points.length > 0 ? points : summarizePassages(passages, topic)
}

/** Summarises passages on a topic: the most relevant sentences of each, in passage order. */
function summarizePassages(passages: readonly Passage[], topic: string): Point[] {
  const asked = stemsOf(topic)
  const weights = wordWeights(passages.map(({ passage }) => passage).join('\n\n'))
  const told = new Set<string>()
  const points = passages.flatMap((found): Point[] => {
    const { title, heading, sourceId, passage } = found
    const best = keySentences(passage, weights)
      .slice(0, WEIGHED)
      .map((sentence) => {
        const share = asked.intersection(stemsOf(sentence.text)).size / Math.max(1, asked.size)
        return { ...sentence, worth: sentence.worth * (1 + TOPICAL * share) }
      })
      .toSorted((a, b) => b.worth - a.worth)
      .filter(({ text }) => !told.has(text))
      .slice(0, OF_PASSAGE)
      .toSorted((a, b) => a.index - b.index)
    for (const { text } of best) told.add(text)
    return byAddress(best, ({ start }) => addressInPassage(found, start)).map((part) => ({
      title,
      heading,
      sourceId,
      ...part,
    }))
  })
  // Several passages can be parts of one section.
  return [...Map.groupBy(points, ({ url, heading }) => `${url} ${heading}`).values()].flatMap(([first, ...others]) =>
    first
      ? [{ ...first, sentences: [first, ...others].flatMap(({ sentences }) => sentences).slice(0, OF_SECTION) }]
      : [],
  )
}
