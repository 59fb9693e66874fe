import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import { stemsOf } from '../term-overlap.ts'
import type { Library } from '../library.ts'
import { chunksOf, isOfApi, type LibraryPage } from '../library-page.ts'
import { passageOfPage } from '../find-named.ts'

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

/** A call in a question: `POST /users`, with or without the host. */
const CALL = /\b([A-Z]{3,7})\s+(?:https?:\/\/[^\s/]+)?(\/(?:[^\s?#"'`]*[^\s?#"'`.,;:!)])?)/
/** Words of a question about a whole call: `What does it return?` */
const ABOUT_CALL = stemsOf(
  'explain describe use mean work parameter argument body field example send call return respond response answer result',
)

/** Characters read of an operation's page: a millisecond of work. A sample comes last, and is missing on longer pages. */
const MOST_READ = 30_000

/** An API operation by its page: the first passage, and the whole page as one passage. */
export type Endpoint = { first: Passage; page: Passage }

/** Cost of an operation described with another verb: higher than any title length. */
const UNSAID = 100

/** The title of an operation's page: `Create a user: POST /users`, or the call alone. */
const OPERATION = /^(?:(?<said>.*): )?(?<method>[A-Z]{3,7}) (?<path>\/\S*)$/s

/**
 * Finds the operation that a question asks about: the one whose call it has, or the one that does its task. Candidates
 * for a task are the retrieved passages. The method must match the question's verb, and the title must contain all its
 * other words. The passages of the operation get `score`. Null if no operation matches.
 */
export async function askedEndpoint(
  library: Library,
  question: string,
  { passages, score }: { passages: readonly Passage[]; score: number },
): Promise<Endpoint | null> {
  const call = CALL.exec(question)
  const page = call ? await pageOfCall(library, question, call) : await pageOfTask(library, question, passages)
  return page ? openEndpoint(library, page, score) : null
}

/** The page of a call in a question, if the question has no other words than its title. */
async function pageOfCall(
  library: Library,
  question: string,
  [said, method = '', path = '']: RegExpExecArray,
): Promise<LibraryPage | null> {
  const named = await library.named({ name: `${method} ${path}` })
  const page = named.find((place) => isOfApi(place.page) && OPERATION.test(place.page.title))?.page ?? null
  const titled = stemsOf(page?.title ?? '')
  // With a word of any question about a call, "What does it do?" has no others.
  const others = [...stemsOf(question.replace(said, 'call'))]
  const isKnown = (stem: string) => ANY.has(stem) || ABOUT_CALL.has(stem) || METHODS.has(stem) || titled.has(stem)
  return others.every(isKnown) ? page : null
}

async function pageOfTask(
  library: Library,
  question: string,
  passages: readonly Passage[],
): Promise<LibraryPage | null> {
  const asked = stemsOf(question)
  const verbs = [...asked].filter((stem) => METHODS.has(stem))
  const things = [...asked].filter((stem) => !METHODS.has(stem) && !ANY.has(stem))
  if (verbs.length === 0 || things.length === 0) return null
  const fitting = passages.filter(isOfApi).flatMap((passage) => {
    const { said = '', method = '', path = '' } = OPERATION.exec(passage.title)?.groups ?? {}
    const words = [...stemsOf(`${said} ${path.replaceAll(/[/{}_.:-]+/g, ' ')}`)]
    const ranks = verbs.flatMap((verb) => METHODS.get(verb)?.methods.indexOf(method) ?? []).filter((rank) => rank >= 0)
    if (ranks.length === 0 || !things.every((thing) => words.includes(thing))) return []
    const isSaid = verbs.some((verb) => words.includes(verb))
    // A POST may create, change or delete; the title says which.
    if (!isSaid && words.some((word) => METHODS.has(word) && !isLike(word, verbs))) return []
    const unsaid = isSaid ? 0 : UNSAID * (1 + Math.min(...ranks))
    // "Create a server" is about servers, "Create a key for a server" about keys.
    const place = Math.max(...things.map((thing) => words.indexOf(thing)))
    return [{ passage, cost: unsaid + words.length + path.split('/').length + place }]
  })
  // The sort is stable, so the search rank breaks ties.
  const [best] = fitting.toSorted((a, b) => a.cost - b.cost)
  if (!best) return null
  const { url, sourceId } = best.passage
  return (await library.pagesAt([withoutSection(url)], { sourceId }))[0] ?? null
}

/** True if a verb means the same action as one of the others. */
function isLike(word: string, verbs: readonly string[]): boolean {
  return verbs.some((verb) => METHODS.get(verb)?.methods === METHODS.get(word)?.methods)
}

async function openEndpoint(library: Library, found: LibraryPage, score: number): Promise<Endpoint | null> {
  const [page] = await library.open([found])
  const [chunk] = page ? chunksOf(page) : []
  if (!page || !chunk) return null
  const whole = { ...chunk, end: Math.min(page.markdown.length, MOST_READ) }
  return { first: passageOfPage(page, chunk, { score }), page: passageOfPage(page, whole, { score }) }
}
