import { withoutSection } from '#lib/addresses/page-address.ts'
import { passageOfChunk } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import type { Library } from '../library.ts'
import { chunksOf, isOfApi } from '../library-page.ts'
import { stemsOf } from '../term-overlap.ts'

/** Verbs of questions, and the HTTP methods of matching endpoints. */
const ACTIONS: readonly (readonly [words: string, methods: readonly string[]])[] = [
  ['create add register insert new post submit upload send start', ['POST', 'PUT']],
  ['get fetch read retrieve show view list search find query download', ['GET', 'POST', 'QUERY']],
  ['update change modify edit rename set patch replace', ['PATCH', 'PUT', 'POST']],
  ['delete remove destroy cancel revoke', ['DELETE', 'POST']],
]
const METHODS = new Map<string, { methods: readonly string[] }>(
  ACTIONS.flatMap(([words, methods]) =>
    words.split(' ').flatMap((word) => [...stemsOf(word)].map((stem) => [stem, { methods }] as const)),
  ),
)
/** Words that apply to any endpoint and so identify none. */
const ANY = stemsOf(
  'api rest http endpoint request call curl operation route via through existing single programmatically',
)

/** Cost of an operation described with another verb: higher than any title length. */
const UNSAID = 100

/** The title of an operation's page: `Create a user: POST /users`, or the call alone. */
const OPERATION = /^(?:(?<said>.*): )?(?<method>[A-Z]{3,7}) (?<path>\/\S*)$/s

/**
 * Finds the operation that does the task in a question, and returns the first passage of its page. Candidates are the
 * retrieved passages. The method must match the question's verb, and the title must contain all its other words. Null
 * if no operation matches.
 */
export async function askedEndpoint(
  library: Library,
  question: string,
  passages: readonly Passage[],
): Promise<Passage | null> {
  const asked = stemsOf(question)
  const verbs = [...asked].filter((stem) => METHODS.has(stem))
  const things = [...asked].filter((stem) => !METHODS.has(stem) && !ANY.has(stem))
  if (verbs.length === 0 || things.length === 0) return null
  const fitting = passages.filter(isOfApi).flatMap((passage) => {
    const { said = '', method = '', path = '' } = OPERATION.exec(passage.title)?.groups ?? {}
    const words = stemsOf(`${said} ${path.replaceAll(/[/{}_.:-]+/g, ' ')}`)
    const ranks = verbs.flatMap((verb) => METHODS.get(verb)?.methods.indexOf(method) ?? []).filter((rank) => rank >= 0)
    if (ranks.length === 0 || !things.every((thing) => words.has(thing))) return []
    const isSaid = verbs.some((verb) => words.has(verb))
    // A POST may create, change or delete; the title says which.
    if (!isSaid && [...words].some((word) => METHODS.has(word) && !isLike(word, verbs))) return []
    const unsaid = isSaid ? 0 : UNSAID * (1 + Math.min(...ranks))
    return [{ passage, cost: unsaid + words.size + path.split('/').length }]
  })
  // The sort is stable, so the search rank breaks ties.
  const [best] = fitting.toSorted((a, b) => a.cost - b.cost)
  return best ? beginningOf(library, best.passage) : null
}

/** True if a verb means the same action as one of the others. */
function isLike(word: string, verbs: readonly string[]): boolean {
  return verbs.some((verb) => METHODS.get(verb)?.methods === METHODS.get(word)?.methods)
}

/** First passage of an operation's page, which has its method and URL. */
async function beginningOf(library: Library, passage: Passage): Promise<Passage | null> {
  const found = await library.pageAt(withoutSection(passage.url), { sourceId: passage.sourceId })
  const [page] = found ? await library.open([found]) : []
  const [chunk] = page ? chunksOf(page) : []
  if (!page || !chunk) return null
  return { ...passage, ...passageOfChunk({ url: page.url, markdown: page.markdown, chunk }) }
}
