import { elementAt } from '#lib/arrays.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { declaresType, isOrdinaryValue, kindMask, kindsOf } from '#search/catalogue/page-kind.ts'
import { type Passage, type PassagePlace, addressInPassage } from '#search/passage.ts'
import { type OpenPage, addressOfText, headingPath, isOfApi, pageAddress } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import type { Block, Section, Span } from '../model/document.ts'
import { plainInline } from '../model/markdown-blocks.ts'
import { type Place, findPlaces } from '../reference/find-places.ts'
import { wholePage } from '../reference/read-named.ts'
import { createStemmer, stemsOf } from '../term-overlap.ts'
import { namesIn, thingsOn, withoutListed } from './name-things.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { removeSpans } from '#lib/text/replace-links.ts'
import { definitionsOf, itemsOf, sentencesOf } from '../model/read-block.ts'

/** One point of a summary: its place, its sentences, and the things that it names. */
export type Point = PassagePlace & { sentences: string[]; names: string[] }

/** Sentences of the lead of a page, of another section, and of a section about a topic. */
const OF_LEAD = 2
const OF_SECTION = 1
const OF_TOPIC = 3
const MOST_POINTS = 24
/** Characters at the start of a page that introduce it. */
const BEGINNING = 3_000

/** What a page is for: the first sentences of its introduction. Empty for a page without prose. */
export function leadOf({ markdown, sections }: Pick<OpenPage, 'markdown' | 'sections'>): string[] {
  const beginning = sections.filter(({ start }) => start < BEGINNING)
  const sentences = beginning.flatMap(({ blocks }) => tellingSentences(markdown, blocks))
  return textsOf(sentences.slice(0, OF_LEAD))
}

const CONTENTS = /^\W*(?:(?:table of )?contents|toc|on this page)\W*$/i

/** The points of a page in reading order: how each section begins, and the things that it names. */
function pointsOf(page: OpenPage): { section: Section; point: Point }[] {
  const { markdown, title, sourceId, sections } = page
  const things = thingsOn(page)
  const shown = withoutListed(sections, things)
  const named = new Set<string>()
  let limit = OF_LEAD
  return shown.flatMap((section, index) => {
    const { level, start, continues } = section
    // The rest of a section around its definitions, and a list of links to sections.
    if (continues || CONTENTS.test(section.heading)) return []
    const sentences = tellingSentences(markdown, section.blocks).slice(0, limit)
    if (sentences.length > 0) limit = OF_SECTION
    const isTop = level <= 1 && (section.heading === '' || section.heading === title)
    // Its own name is the heading.
    const below = things.filter((thing) => thing.start > start || isTop)
    const names = namesIn(page, below, { start, end: shown[index + 1]?.start ?? markdown.length })
    const fresh = names.filter((name) => !named.has(name))
    for (const name of fresh) named.add(name)
    const heading = isTop ? '' : headingPath(page, section)
    if (sentences.length + fresh.length === 0) return []
    // A section of a PDF has several pages.
    const parts = Map.groupBy(sentences, (sentence) => addressOfText(page, section, sentence.start))
    const placed = parts.size > 0 ? [...parts] : [[addressOfText(page, section, start), []] as const]
    return placed.map(([url, own], at) => {
      const point = { title, heading, url, sourceId, sentences: textsOf(own), names: at === 0 ? fresh : [] }
      return { section, point }
    })
  })
}

/** Summarises a page, or the section at the fragment of `url`. Prefers the introduction and the top levels. */
export function summarizeAt(page: OpenPage, url: string): Point[] {
  const fragmentOf = (address: string) => address.slice(withoutSection(address).length)
  const fragment = fragmentOf(url)
  const all = pointsOf(page)
  const first = fragment === '' ? undefined : all.find(({ point }) => fragmentOf(point.url) === fragment)?.section
  const inside = all.filter(({ section: { start } }) => !first || (start >= first.start && start < first.close))
  const levels = inside.map(({ section }) => (section === page.sections[0] ? 0 : section.level))
  const deepest = levels.toSorted((a, b) => a - b)[MOST_POINTS - 1] ?? Infinity
  const shown = inside.filter((_, at) => elementAt(levels, at) <= deepest)
  return shown.slice(0, MOST_POINTS).map(({ point }) => point)
}

const PASSAGES = 16
/** Passages below this share of the best score are off topic. */
const LEAST_SCORE = 0.45
const PASSAGE_BYTES = 40_000
/** Sections with the topic as their heading. More are about different things. */
const MOST_PLACES = 2
const OF_PASSAGE = 2
const NEWS = kindMask(['release', 'changelog'])

type Deps = { library: Library; search: Search }

/** What the sources say of a topic: the page or section about it first, then the best passages, change notes last. */
export async function summarizeTopic(
  { library, search }: Deps,
  { topic, scope }: { topic: string; scope: Scope },
  signal: AbortSignal | undefined,
): Promise<Point[]> {
  const { passages } = await search({ query: topic, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }, signal)
  const about = await placesAbout({ library, search }, { topic, scope, passages }, signal)
  const first = about.flatMap((place) => placePoint(place) ?? [])
  const best = passages[0]?.score ?? 0
  const others = passages.filter((passage) => !about.some((place) => isOf(passage, place)))
  const telling = others.filter(({ score }) => score >= best * LEAST_SCORE)
  const points = summarizePassages(telling, { topic, told: first.flatMap(({ sentences }) => sentences) })
  // The best passages can consist of code and tables only.
  return first.length + points.length > 0 ? [...first, ...points] : summarizePassages(others, { topic, told: [] })
}

type Wanted = { topic: string; scope: Scope; passages: readonly Passage[] }
type About = Pick<Place, 'page' | 'section' | 'sections' | 'form'>

/** The page with the topic as its title or in it, or else the few sections with it as their heading. */
async function placesAbout(deps: Deps, { topic, scope, passages }: Wanted, signal?: AbortSignal): Promise<About[]> {
  const { places } = await findPlaces(deps, { name: topic, scope, passages }, signal)
  const exact = places.filter(({ match }) => match === 'exact')
  const [page] = exact.filter(({ form }) => form === 'page')
  if (page) return [page]
  const asked = stemsOf(topic)
  const isTitled = ({ title }: Passage) => asked.isSubsetOf(stemsOf(title))
  const titled = passages.find((passage) => isTitled(passage) && (kindsOf(passage) & NEWS) === 0)
  const { library } = deps
  const found = titled ? await library.open(await library.pagesAt([withoutSection(titled.url)], scope)) : []
  if (found.length > 0) return found.slice(0, 1).map(wholePage)
  const isValue = ({ section: { heading, path } }: Place) => isOrdinaryValue(heading) || declaresType(path.at(-1) ?? '')
  const headed = exact.filter((place) => place.form === 'section' && !isValue(place))
  return headed.length <= MOST_PLACES ? headed : []
}

function placePoint({ page, section, sections, form }: About): Point | null {
  const isPage = form === 'page'
  // What an operation returns if it fails is the same for all.
  const failure = isOfApi(page) ? sections.find(({ heading }) => FAILURE.test(heading)) : undefined
  const end = failure?.start ?? (isPage ? page.markdown.length : section.close)
  const beginning = Math.min(end, section.start + BEGINNING)
  const blocks = sections.filter(({ start }) => start < beginning).map((each) => each.blocks)
  const sentences = blocks.flatMap((own) => tellingSentences(page.markdown, own)).slice(0, OF_TOPIC)
  const things = thingsOn(page).filter(({ start }) => isPage || start > section.start)
  const names = namesIn(page, things, { start: section.start, end })
  if (sentences.length + names.length === 0) return null
  const { title, sourceId } = page
  const url = isPage ? pageAddress(page) : addressOfText(page, section, section.start)
  const heading = isPage ? '' : headingPath(page, section)
  return { title, heading, url, sourceId, sentences: textsOf(sentences), names }
}

const FAILURE = /^(?:[45](?:\d\d|XX)|default)\b/i

/** True for a passage of a place. Of a page, only its beginning. */
function isOf({ url, sourceId, start }: Passage, { page, section, form }: About): boolean {
  if (withoutSection(url) !== page.url || sourceId !== page.sourceId) return false
  return form === 'page' ? start < BEGINNING : start >= section.start && start < section.close
}

/** Summarises passages on a topic: the sentences of each about it, in order. */
function summarizePassages(
  passages: readonly Passage[],
  { topic, told }: { topic: string; told: readonly string[] },
): Point[] {
  const analyse = createStemmer()
  const asked = stemsOf(topic, analyse)
  const known = new Set(told.map(plainInline))
  const shareOf = (text: string) => asked.intersection(stemsOf(text, analyse)).size
  const points = passages.flatMap((found): Point[] => {
    const { title, heading, headings, sourceId, passage, blocks } = found
    const sentences = tellingSentences(passage, blocks).filter(({ text }) => !known.has(plainInline(text)))
    const best = sentences
      .map((sentence) => ({ sentence, share: shareOf(sentence.text) }))
      .toSorted((a, b) => b.share - a.share)
      .slice(0, OF_PASSAGE)
      .map(({ sentence }) => sentence)
      .toSorted((a, b) => a.start - b.start)
    for (const { text } of best) known.add(plainInline(text))
    // An operation can have nothing but a title.
    if (best.length === 0 && isOfApi(found) && headings.length === 0)
      return [{ title, heading, url: found.url, sourceId, sentences: [title], names: [] }]
    const parts = Map.groupBy(best, ({ start }) => addressInPassage(found, start))
    return [...parts].map(([url, own]) => ({ title, heading, url, sourceId, sentences: textsOf(own), names: [] }))
  })
  // Several passages can be parts of one section.
  const sections = Map.groupBy(points, ({ url, heading }) => `${url} ${heading}`)
  const joined = [...sections.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, sentences: [first, ...others].flatMap(({ sentences }) => sentences).slice(0, OF_TOPIC) }] : [],
  )
  const isNews = (point: Point) => (kindsOf(point) & NEWS) !== 0
  return [...joined.filter((point) => !isNews(point)), ...joined.filter(isNews)]
}

const textsOf = (sentences: readonly Sentence[]): string[] => sentences.map(({ text }) => text)

/** A sentence of a text, verbatim except for line breaks, and its offset there. */
type Sentence = { text: string; start: number }

/** Bounds in characters: shorter sentences say too little, longer ones too much. */
const LEAST = 30
const MOST = 400
/** Fewer letters beside links, code and labels say nothing. */
const LEAST_BESIDE = 12
/** Sentences read of one part. A summary shows a few. */
const MOST_READ = 40

/**
 * The sentences of a part of a page that tell something, in order: those of its paragraphs, or else of its items and
 * definitions, or else the introductions of its code and lists. Linear in the length of the blocks.
 */
export function tellingSentences(text: string, blocks: readonly Block[]): Sentence[] {
  const paragraphs = blocks.filter(({ kind }) => kind === 'paragraph')
  const own = sentencesIn(text, paragraphs)
  const whole = own.filter(({ text: sentence }) => !sentence.endsWith(':'))
  if (whole.length > 0) return whole
  const listed = blocks.flatMap((block) => itemsIn(text, block)).slice(0, MOST_READ)
  const items = sentencesIn(text, listed).filter(({ text: sentence }) => /^[^\p{Ll}]/u.test(sentence))
  return items.length > 0 ? items : own
}

/** Texts of the items of a list, or of the definitions of a block. */
function itemsIn(text: string, block: Block): Span[] {
  if (block.kind === 'list') return itemsOf(text, block).map(({ body, end }) => ({ start: body, end }))
  return block.kind === 'definition' ? definitionsOf(text, block).map(({ body }) => body) : []
}

function sentencesIn(text: string, spans: readonly Span[]): Sentence[] {
  const found: Sentence[] = []
  for (const { start, end } of spans) {
    const piece = text.slice(start, end)
    // A picture, a tag or the mark of a callout.
    if (/^\s*(?:\[?!\[|<|>)/.test(piece)) continue
    for (const span of sentencesOf(piece)) {
      const sentence = oneLine(piece.slice(span.start, span.end))
      if (isTelling(sentence)) found.push({ text: sentence, start: start + span.start })
    }
    if (found.length >= MOST_READ) break
  }
  return found
}

/** False for a fragment, a link, a label or a title without heading marks: `**Using ACLs and fetching samples**`. */
function isTelling(sentence: string): boolean {
  const visible = removeSpans(sentence, { opening: /\]\(/g, closing: ')' })
  if (visible.length < LEAST || sentence.length > MOST || /^!?\[!\[/.test(sentence)) return false
  if (/^\W*(?:related|see also|note|tip|read more|more)\b[^.]{0,80}$/i.test(sentence)) return false
  // List items may lack a full stop, but a few words without one are a label.
  if (!/[.!?。！？:)`*]$/u.test(sentence) && sentence.split(' ').length < 7) return false
  if (/^\*\*[^*]{1,200}\*\*$/.test(sentence) && !/[.!?:。！？]\*\*$/.test(sentence)) return false
  // A part of a link, whose text has a full stop.
  if (/\]\(/.test(sentence.replaceAll(/\[[^[\]]*\]\(/g, ''))) return false
  const beside = removeSpans(sentence, { opening: /\[/g, closing: ')' }).replaceAll(/`[^`]*`|\*\*[^*]*\*\*/g, '')
  return beside.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= LEAST_BESIDE
}
