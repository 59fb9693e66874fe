import { addressAt, entriesOn, headingPath, type OpenPage } from '../library-page.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { oneLine } from '#lib/text/one-line.ts'
import type { Scope } from '../library.ts'
import type { Section } from '../model/document.ts'
import { itemsOf } from '../model/read-block.ts'
import { stemsOf } from '../term-overlap.ts'
import type { EntryDeps } from './find-entries.ts'

/** The points of a list, or the steps of a guide, with their place. */
export type PointList = { page: OpenPage; heading: string; url: string; points: Point[] }
/** `text` is Markdown with its code. `url`: of the point itself. */
export type Point = { title: string; text: string; url: string }

/** `about`: further words, which count less. */
type Wanted = { query: string; about?: string | undefined; scope: Scope }

const PASSAGES = { limit: 12, budget: 60_000 } as const
const LEAST_POINTS = 2
const MOST_POINTS = 30
const MOST_TEXT = 2_500
/** Headings and sentences before lists of things to check. */
const CHECKS =
  /\b(?:check(?:list|s)?|verif\w*|before|make sure|ensure|require\w*|must|pre-?flight|go(?:ing)? live|ready|readiness|recommend\w*|best practices?|do not forget)\b|prufen|sicherstellen|vor dem|avant|verifier|antes|comprob\w*|verific\w*|prima|检查|確認/i
/** Weights of the rank of the page, of the words of the place, and of words of checking. */
const RANK = 0.6
const CHECKING = 0.8
/** Weight of further words, and the least share of the query that a place must have. */
const ABOUT = 0.4
const LEAST = 0.3

/** The list that says best what to check: items of one list below its heading. */
export async function findChecklist(deps: EntryDeps, wanted: Wanted, signal?: AbortSignal): Promise<PointList[]> {
  const { shareOf, pages } = await readPages(deps, wanted, signal)
  const rated = pages.flatMap((page, rank) =>
    page.sections.flatMap((section) => {
      const list = listOf(page, section)
      if (list === null) return []
      const said = `${page.title} ${section.path.join(' ')} ${section.heading} ${list.lead}`
      const share = shareOf(said)
      const isCheck = CHECKS.test(`${section.heading} ${list.lead}`)
      const worth = share + RANK * (1 - rank / pages.length) + (isCheck ? CHECKING : 0) - (list.isLinks ? 1 : 0)
      return share > 0 ? [{ list: list.found, worth }] : []
    }),
  )
  return rated.toSorted((one, other) => other.worth - one.worth).map(({ list }) => list)
}

/** The pages that a search finds, and the share of the asked words in a text, with a bonus for the further ones. */
async function readPages({ library, search }: EntryDeps, { query, about = '', scope }: Wanted, signal?: AbortSignal) {
  const { passages } = await search({ query: `${query} ${about}`.trim(), ...PASSAGES, ...scope }, signal)
  const urls = [...new Set(passages.map(({ url }) => withoutSection(url)))]
  const analyse = library.analyserOf('en')
  const [asked, further] = [stemsOf(query, analyse), stemsOf(about, analyse)]
  const shareOf = (text: string) => {
    const own = stemsOf(text, analyse)
    const share = (some: ReadonlySet<string>) => some.intersection(own).size / Math.max(1, some.size)
    const [main, extra] = [share(asked), share(further)]
    return main < LEAST ? 0 : main + ABOUT * extra
  }
  return { shareOf, pages: await library.open(await library.pagesAt(urls, scope)) }
}

/** The longest list of a section, with the text before it. Null if it has none. */
function listOf(page: OpenPage, section: Section): { found: PointList; lead: string; isLinks: boolean } | null {
  const { markdown } = page
  const lists = section.blocks.filter(({ kind }) => kind === 'list')
  const read = lists.map((block) => ({ block, items: itemsOf(markdown, block) }))
  const [best] = read.toSorted((one, other) => other.items.length - one.items.length)
  if (best === undefined || best.items.length < LEAST_POINTS) return null
  const url = addressAt(page, section)
  const points = best.items.slice(0, MOST_POINTS).map(({ body, end }) => {
    const text = oneLine(markdown.slice(body, Math.min(end, body + 600)))
    return { title: text, text, url }
  })
  const lead = oneLine(markdown.slice(Math.max(section.body, best.block.start - 300), best.block.start))
  const isLinks = points.filter(({ text }) => /^\[[^\]]*\]\([^)]*\)/.test(text)).length * 2 > points.length
  return { found: { page, heading: headingPath(page, section), url, points }, lead, isLinks }
}

/** The steps of the guide that fits best: numbered headings, an ordered list, or sections with commands. */
export async function findSteps(deps: EntryDeps, wanted: Wanted, signal?: AbortSignal): Promise<PointList[]> {
  const { shareOf, pages } = await readPages(deps, wanted, signal)
  const rated = pages.flatMap((page, rank) =>
    guidesOn(page).flatMap(({ guide, said, form }) => {
      const share = shareOf(`${page.title} ${page.url} ${said}`)
      const worth = 1.5 * share + RANK * (1 - rank / pages.length) + FORMS[form]
      return share > 0 ? [{ guide, worth }] : []
    }),
  )
  return rated.toSorted((one, other) => other.worth - one.worth).map(({ guide }) => guide)
}

/** Ordered lists and numbered headings are steps by their form; sections with code may be. */
const FORMS = { ordered: 0.5, numbered: 0.5, sections: 0 } as const

type Guide = { guide: PointList; said: string; form: keyof typeof FORMS }

function guidesOn(page: OpenPage): Guide[] {
  const { markdown, sections, title, url } = page
  const starts = new Set(entriesOn(page, 'step').map(({ start }) => start))
  const numbered = sections.filter(({ start }) => starts.has(start))
  const coded = sections.filter(({ level, blocks }) => level > 1 && blocks.some(({ kind }) => kind === 'code'))
  const bySection = (some: readonly Section[]) =>
    some.slice(0, MOST_POINTS).map((section) => ({
      title: section.heading,
      text: markdown.slice(section.body, Math.min(section.end, section.body + MOST_TEXT)).trim(),
      url: addressAt(page, section),
    }))
  const whole = (points: Point[]): PointList => ({ page, heading: '', url, points })
  const lists = sections.flatMap((section): Guide[] =>
    section.blocks.flatMap((block): Guide[] => {
      const items = block.kind === 'list' ? itemsOf(markdown, block) : []
      const outer = items.filter(({ ordered, indent }) => ordered && indent === items[0]?.indent)
      if (outer.length < LEAST_POINTS) return []
      const at = addressAt(page, section)
      const points = outer.slice(0, MOST_POINTS).map(({ body }, index) => {
        const end = Math.min(outer[index + 1]?.start ?? block.end, body + MOST_TEXT)
        return { title: '', text: markdown.slice(body, end).trim(), url: at }
      })
      const said = `${section.path.join(' ')} ${section.heading} ${points.map(({ text }) => text).join(' ')}`
      return [{ guide: { page, heading: headingPath(page, section), url: at, points }, said, form: 'ordered' }]
    }),
  )
  return [
    ...(numbered.length >= LEAST_POINTS
      ? [
          {
            guide: whole(bySection(numbered)),
            said: `${title} ${numbered.map(({ heading }) => heading).join(' ')}`,
            form: 'numbered' as const,
          },
        ]
      : []),
    ...lists,
    ...(numbered.length === 0 && coded.length >= LEAST_POINTS
      ? [
          {
            guide: whole(bySection(coded)),
            said: `${title} ${coded.map(({ heading }) => heading).join(' ')}`,
            form: 'sections' as const,
          },
        ]
      : []),
  ]
}
