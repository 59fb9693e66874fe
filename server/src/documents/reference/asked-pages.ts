import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import { stemsOf } from '../term-overlap.ts'
import type { Library, Scope } from '../library.ts'
import {
  chunksOf,
  headingOf,
  isOfApi,
  type LibraryPage,
  type Named,
  passageOfEntry,
  passageOfPage,
} from '../library-page.ts'
import { parseVersion, type Version } from '#lib/text/version.ts'
import { findReleases, passageOfRelease } from '../changelog/find-releases.ts'
import { declaresType, isDescription, isGlossary, isOrdinaryValue } from '#search/catalogue/page-kind.ts'
import { askedKeys, nameKeys, subcommandOf } from '../model/name-key.ts'

/** Verbs of questions, and the HTTP methods of matching endpoints. */
const ACTIONS: readonly (readonly [words: string, methods: readonly string[]])[] = [
  ['create add register insert new post submit upload send start', ['POST', 'PUT']],
  ['get fetch read retrieve show view list search find query download', ['GET', 'POST', 'QUERY']],
  ['update change modify edit rename set patch replace', ['PATCH', 'PUT', 'POST']],
  ['delete remove destroy cancel revoke', ['DELETE', 'POST']],
]
const METHODS = new Map(
  ACTIONS.flatMap(([words, methods]) =>
    words.split(' ').flatMap((word) => [...stemsOf(word)].map((stem) => [stem, methods] as const)),
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
  const things = [...asked].filter((stem) => !METHODS.has(stem) && !ANY.has(stem) && !ABOUT_CALL.has(stem))
  if (verbs.length === 0 || things.length === 0) return null
  const actions = new Set(verbs.map((verb) => METHODS.get(verb)))
  const fitting = passages.filter(isOfApi).flatMap((passage) => {
    const { said = '', method = '', path = '' } = OPERATION.exec(passage.title)?.groups ?? {}
    const words = [...stemsOf(`${said} ${path.replaceAll(/[/{}_.:-]+/g, ' ')}`)]
    const ranks = verbs.flatMap((verb) => METHODS.get(verb)?.indexOf(method) ?? []).filter((rank) => rank >= 0)
    if (ranks.length === 0 || !things.every((thing) => words.includes(thing))) return []
    const isSaid = verbs.some((verb) => words.includes(verb))
    // A POST may create, change or delete; the title says which.
    if (!isSaid && words.some((word) => METHODS.has(word) && !actions.has(METHODS.get(word)))) return []
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

async function openEndpoint(library: Library, found: LibraryPage, score: number): Promise<Endpoint | null> {
  const [page] = await library.open([found])
  const [chunk] = page ? chunksOf(page) : []
  if (!page || !chunk) return null
  const whole = { ...chunk, end: Math.min(page.markdown.length, MOST_READ) }
  return { first: passageOfPage(page, chunk, { score }), page: passageOfPage(page, whole, { score }) }
}

const RELEASE = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){0,3})(?![\w.]*\d)/
/** Questions about the contents of a release: `What is new in 2.1?`, `changes in version 3`. */
const CHANGES =
  /\b(?:what(?: is|['’]s| are| was| were)? (?:new|changed|different|added|removed|deprecated|fixed)|what did [^?]{1,60} (?:change|add|remove|deprecate|fix)|changes?|new features|release notes|changelog)\b/i
/** A number without a point is a release only after such a word or a capitalised name. */
const WHOLE_NUMBER = /(?:\b(?:version|release)|\b\p{Lu}[\p{L}.]{1,30}) v?\d{1,4}(?![\w.]*\d)/u

/** The release whose changes a question asks for, or null. */
export function askedRelease(question: string): Version | null {
  const number = RELEASE.exec(question)?.[1]
  if (number === undefined || !CHANGES.test(question)) return null
  return number.includes('.') || WHOLE_NUMBER.test(question) ? parseVersion(number) : null
}

/** The entry of the release whose changes a question asks for, the exact one before its line. Null without one. */
export async function releasePassage(
  library: Library,
  question: string,
  { score, scope = {} }: { score: number; scope?: Scope },
): Promise<Passage | null> {
  const asked = askedRelease(question)
  const found = asked && (await findReleases(library, { version: asked.text }, scope))
  const [release] = found === null || typeof found === 'string' ? [] : found.found
  return release ? passageOfRelease(release, { score }) : null
}

/** Maximum number of sections with the name as their heading. More of them mean different things. */
const MOST_SECTIONS = 2

/** The page with the subject as its title, else the section with this heading, else the page of this command. */
export async function subjectPassages(
  library: Library,
  subject: string,
  passages: readonly Passage[],
): Promise<Passage[]> {
  const found = new Set(passages.map(({ url }) => withoutSection(url)))
  const forms = await Promise.all(formsOf(subject).map((form) => placesOf(library, form, found)))
  const titled = forms.find((form) => form.titled)?.titled
  const headed = forms.find((form) => form.headed)?.headed
  const whole = titled ?? (headed ? undefined : forms.find((form) => form.command)?.command)
  const place = whole ?? headed
  const [page] = place ? await library.open([place.page]) : []
  if (!place || !page) return []
  const chunks = chunksOf(page)
  const described = chunks.find(({ headings }) => isDescription(headings.at(-1) ?? ''))
  const score = passages[0]?.score ?? 0
  if (!whole) return [passageOfEntry(page, place, { score })]
  const chunk = described ?? chunks[0]
  return chunk ? [passageOfPage(page, chunk, { score })] : []
}

/** Spellings of the subject in headings: with an article, in the other number, with hyphens. */
function formsOf(subject: string): string[] {
  const otherNumber = subject.endsWith('s') ? subject.slice(0, -1) : `${subject}s`
  return [subject, `the ${subject}`, otherNumber, ...(subject.includes(' ') ? [subject.replaceAll(' ', '-')] : [])]
}

type Place = Named & { heading: string }

/** Finds the pages and the section about a name. Prefers `found` pages. */
async function placesOf(library: Library, name: string, found: ReadonlySet<string>) {
  const { whole } = askedKeys(name)
  const places = (await library.named({ name }))
    .flatMap((named): Place[] => {
      const heading = headingOf(named)?.text
      return named.entry !== null && heading === undefined ? [] : [{ ...named, heading: heading ?? '' }]
    })
    .toSorted((a, b) => Number(found.has(b.page.url)) - Number(found.has(a.page.url)))
  const isCommand = ({ page }: Place) => whole.includes(subcommandOf(page.title) ?? '')
  const isTitled = ({ page }: Place) => nameKeys(page.title).some((key) => whole.includes(key))
  return {
    command: places.find(isCommand),
    titled: places.find((place) => isTitled(place) && !isCommand(place)),
    headed: sectionOf(places, whole),
  }
}

/** Chooses the section about a name: a type declaration, otherwise a glossary entry, otherwise the first of few. */
function sectionOf(places: readonly Place[], names: readonly string[]): Place | undefined {
  const own = places.filter(({ heading }) => !isOrdinaryValue(heading))
  // `Old float_level` has the name as well, but not first.
  const firstOf = ({ heading }: Place) => nameKeys(heading)[0] ?? ''
  const exact = own.filter((place) => names.includes(firstOf(place)))
  const qualified = own.filter((place) => names.some((name) => firstOf(place).endsWith(`.${name}`)))
  const headed = exact.length > 0 ? exact : qualified
  const type = [...exact, ...qualified].find(({ heading }) => declaresType(heading))
  const entry = exact.find(({ page }) => isGlossary(page.title))
  return type ?? entry ?? (headed.length <= MOST_SECTIONS ? headed[0] : undefined)
}
