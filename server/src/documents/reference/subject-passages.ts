import { withoutSection } from '#lib/addresses/page-address.ts'
import { declaresType, isDescription, isGlossary, isOrdinaryValue } from '#search/catalogue/page-kind.ts'
import type { Passage } from '#search/passage.ts'
import { askedKeys, nameKeys, subcommandOf } from '../model/name-key.ts'
import type { Library } from '../library.ts'
import { headingOf, type Named, passageOfEntry, passageOfPage } from '../find-named.ts'
import { chunksOf } from '../library-page.ts'

/** Maximum number of sections with the name as their heading. More of them mean different things. */
const MOST_SECTIONS = 2

/**
 * Looks up the subject of a question. Returns the description or the beginning of the page with this title, otherwise
 * the section with this heading, otherwise the page of this command. Prefers pages that the search found. The passage
 * gets the score of the first one found.
 */
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
