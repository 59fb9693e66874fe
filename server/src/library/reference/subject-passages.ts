import { withoutSection } from '#lib/addresses/page-address.ts'
import { askedKeys, isDescription, nameKeys } from '#search/catalogue/name-key.ts'
import type { Passage } from '#search/passage.ts'
import type { Library } from '../library.ts'
import { chunksOf } from '../library-page.ts'
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
  const { whole } = askedKeys(subject)
  const found = new Set(passages.map(({ url }) => withoutSection(url)))
  const places = (await library.named(subject))
    .map(({ page, offset }) => ({ page, chunk: chunksOf(page).find(({ start }) => start === offset) }))
    .toSorted((a, b) => Number(found.has(b.page.url)) - Number(found.has(a.page.url)))
  const titled = places.find(({ page }) => nameKeys(page.title).some((key) => whole.includes(key)))
  // `Old float_level` has the name as well, but not first.
  const headed = places.filter(({ chunk }) => whole.includes(nameKeys(chunk?.headings.at(-1) ?? '')[0] ?? ''))
  const [place] = titled ? [titled] : headed.length <= MOST_SECTIONS ? headed : []
  const [page] = place ? await library.open([place.page]) : []
  if (!place || !page) return []
  const chunks = chunksOf(page)
  const described = chunks.find(({ headings }) => isDescription(headings.at(-1) ?? ''))
  const chunk = titled ? (described ?? chunks[0]) : place.chunk
  if (!chunk) return []
  return [passageOfPage(page, chunk, { score: passages[0]?.score ?? 0 })]
}
