import { closeFences } from '#search/passage.ts'
import type { OpenPage } from '#documents/library-page.ts'
import { addressForClients, note, oneLine, paragraphs, quote } from '../passages/format-citation.ts'
import { type SerialisedMembers, serialiseMembers, ToolError } from '../definition/tool-result.ts'
import type { ToolContext } from '../definition/tool.ts'
import { findPage } from './page-answer.ts'
import { cutNote, readableChunks, sectionAt, sectionEnd, type SectionPlace, textBetween } from './page-sections.ts'
import { readWebAddress, webPath } from './web-pages.ts'
import { PAGE_TYPE } from './list-resources.ts'

/** Parameter in the fragment of an address that selects a part of a long page. Only this service reads it. */
const PART = /[#&]docent-part=(\d{1,4})$/

/** Characters of a part: about 10,000 tokens. Clients put a resource into the context of a model as a whole. */
const PART_CHARACTERS = 40_000

/** Numbers of the first passage of a text, and of the one after its last. */
type Range = { from: number; to: number }

/**
 * Reads the page at an address in the format of `resources/read`: as Markdown, or only the section with its subsections
 * if the address has a fragment. A long page has parts, and a note at the end of each has the address of the next. Lines
 * that imitate a note or a citation are escaped. Throws a `ToolError` if there is no such page or part.
 */
export async function readResource(context: PageContext, uri: string): Promise<SerialisedMembers> {
  const { page, text } = await readPage(context, uri)
  return serialiseMembers({ contents: [{ uri, mimeType: PAGE_TYPE, text }] }, [
    { sourceId: page.sourceId, url: page.url, title: page.title, rank: 1, score: 1 },
  ])
}

type PageContext = Pick<ToolContext, 'server' | 'library' | 'search'>

/** Reads the text of `readResource`. `isWhole`: it is the whole page. */
export async function readPage(context: PageContext, uri: string) {
  const web = readWebAddress(uri, context.server)
  const { url, part } = web ? { url: web.urls[0] ?? uri, part: web.part } : splitPartAddress(uri)
  const page = await findPage(context, web ? uri : url)
  const parts = partsOf(page)
  const addressOf = (number: number) =>
    addressForClients(
      web ? `${context.server.pagesAddress}${webPath(page.url)}?part=${number}` : partAddress(page.url, number),
    )
  const place = part === null ? sectionAt(page, url) : null
  const isSection = place !== null && place.depth > 0
  const { range, notes } = isSection
    ? sectionPart(page, parts, { place, addressOf })
    : wholePart(page, parts, { part: part ?? 1, addressOf })
  const isUnknown = part === null && place === null
  const unknown = isUnknown ? [`The page has no section at ${oneLine(url, 300)}. This is its beginning.`] : []
  const read = textBetween(page, range.from, range.to)
  const [first] = read.blocks
  const isTitled = first?.kind === 'heading' && first.level === 1
  const title = range.from === 0 && !isSection && !isTitled ? `# ${oneLine(page.title)}` : ''
  const text = paragraphs(title, quote(closeFences(read)), [...unknown, ...notes].map(note).join('\n'))
  return { page, text, isWhole: parts.length === 1 && !isSection }
}

type Shown = { range: Range; notes: string[] }
type AddressOf = (part: number) => string

function wholePart(
  page: OpenPage,
  parts: readonly Range[],
  { part, addressOf }: { part: number; addressOf: AddressOf },
): Shown {
  const range = parts[part - 1]
  if (range === undefined) {
    const count = parts.length === 1 ? '1 part' : `${parts.length} parts`
    throw new ToolError('arguments', `The page ${addressForClients(page.url)} has ${count}, and no part ${part}.`)
  }
  const next = `The page goes on at ${addressOf(part + 1)}`
  const notes = part < parts.length ? [`Part ${part} of ${parts.length}. ${next}`] : cutNote(page)
  return { range, notes }
}

/** A section with its subsections, or the beginning of a long one. */
function sectionPart(
  page: OpenPage,
  parts: readonly Range[],
  { place, addressOf }: { place: SectionPlace; addressOf: AddressOf },
): Shown {
  const end = sectionEnd(page, place)
  const to = partEnd(page, place.at, end)
  const part = parts.findIndex((range) => to < range.to) + 1
  return { range: { from: place.at, to }, notes: to < end ? [`The section goes on in ${addressOf(part)}`] : [] }
}

/** Divides a page between its passages. A page without text has one empty part. */
function partsOf(page: OpenPage): Range[] {
  const { length } = readableChunks(page)
  const parts: Range[] = []
  for (let from = 0; from < length || parts.length === 0;) {
    const to = partEnd(page, from, length)
    parts.push({ from, to })
    from = to
  }
  return parts
}

/** The end of the part that begins with passage `from`. It has at least one passage. */
function partEnd(page: OpenPage, from: number, end: number): number {
  const chunks = readableChunks(page)
  const start = chunks[from]?.start ?? 0
  const full = chunks.findIndex((chunk, at) => at > from && chunk.end - start > PART_CHARACTERS)
  return full < 0 ? end : Math.min(full, end)
}

function partAddress(url: string, part: number): string {
  return `${url}${url.includes('#') ? '&' : '#'}docent-part=${part}`
}

/** The address of a page, and the number of the part if the address selects one. */
function splitPartAddress(address: string): { url: string; part: number | null } {
  const match = PART.exec(address)
  return match === null ? { url: address, part: null } : { url: address.slice(0, match.index), part: Number(match[1]) }
}
