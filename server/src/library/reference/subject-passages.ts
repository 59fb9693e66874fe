import type { Chunk } from '#search/page.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { askedKeys, declaresType, isDescription, isOrdinaryMember, nameKeys } from '#search/catalogue/name-key.ts'
import type { Passage } from '#search/passage.ts'
import type { Library } from '../library.ts'
import { type LibraryPage, chunksOf } from '../library-page.ts'
import { passageOfPage } from './passage-of-page.ts'

/** With more sections about it, a name means several things. */
const MOST_SECTIONS = 2

/**
 * The beginning of the page whose title is the subject, or its description, or the section whose heading is the subject.
 * Of several, the one on a page that the search found. The passage gets the score of the best one.
 */
export async function subjectPassages(
  library: Library,
  subject: string,
  passages: readonly Passage[],
): Promise<Passage[]> {
  const found = new Set(passages.map(({ url }) => withoutSection(url)))
  const forms = await Promise.all(formsOf(subject).map((form) => placesOf(library, form, found)))
  const titled = forms.flatMap((form) => form.titled)[0]
  const place = titled ?? forms.map(({ headed }) => theOne(headed)).find((one) => one !== undefined)
  const [page] = place ? await library.open([place.page]) : []
  if (!place || !page) return []
  const chunks = chunksOf(page)
  const described = chunks.find(({ headings }) => isDescription(headings.at(-1) ?? ''))
  const chunk = titled ? (described ?? chunks[0]) : place.chunk
  if (!chunk) return []
  return [passageOfPage(page, chunk, { score: passages[0]?.score ?? 0 })]
}

/** The subject as headings write it. */
function formsOf(subject: string): string[] {
  return [subject, `the ${subject}`, subject.endsWith('s') ? subject.slice(0, -1) : `${subject}s`]
}

type Place = { page: LibraryPage; chunk: Chunk | undefined; heading: string }

/** Places with a name as the title of their page, or as the first name of their heading. Those on `found` pages first. */
async function placesOf(library: Library, name: string, found: ReadonlySet<string>) {
  const { whole } = askedKeys(name)
  const places = (await library.named(name))
    .map(({ page, offset }): Place => {
      const chunk = chunksOf(page).find(({ start }) => start === offset)
      return { page, chunk, heading: chunk?.headings.at(-1) ?? '' }
    })
    .toSorted((a, b) => Number(found.has(b.page.url)) - Number(found.has(a.page.url)))
  return {
    titled: places.filter(({ page }) => nameKeys(page.title).some((key) => whole.includes(key))),
    // `Old float_level` has the name as well, but not first.
    headed: places.filter(({ heading }) => {
      const [first = ''] = nameKeys(heading)
      return !isOrdinaryMember(heading) && whole.some((key) => first === key || first.endsWith(`.${key}`))
    }),
  }
}

/** The section about a name: the declaration of a type, or one of few. */
function theOne(headed: readonly Place[]): Place | undefined {
  return headed.find(({ heading }) => declaresType(heading)) ?? (headed.length <= MOST_SECTIONS ? headed[0] : undefined)
}
