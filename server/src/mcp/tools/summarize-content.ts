import { withoutSection } from '#lib/addresses/page-address.ts'
import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import type { SourcePart } from '#library/summary/outline-source.ts'
import { leadOf, type Point, summarizePage } from '#library/summary/summarize-page.ts'
import { summarizePassages } from '#library/summary/summarize-passages.ts'
import type { ServedSource } from '#store/servers/served.ts'
import { oneLine } from '../frame.ts'
import { namedSource } from '../named-source.ts'
import { type Entry, pagedAnswer, pagedOutput } from '../paged-answer.ts'
import { cursorArgument } from '../shared-arguments.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { ToolError } from '../tool-error.ts'

const PASSAGES = 16
/** Passages below this share of the best score are off topic. */
const LEAST_SCORE = 0.45
const PASSAGE_BYTES = 40_000
const MOST_POINTS = 60
const BYTES = 12_000

const input = z.object({
  topic: z.string().trim().max(4_000).optional().describe('A subject: what all pages say of it'),
  url: z.string().trim().max(2_000).optional().describe('The address of one page'),
  source: z
    .string()
    .max(2_000)
    .optional()
    .describe('One source: its id, label or address. Alone: what is in it. With a topic: only its pages'),
  limit: z.int().min(1).max(40).default(12).describe('How many points'),
  cursor: cursorArgument,
})

const kind = z.enum(['page', 'topic', 'source'])
const result = {
  sentences: z.array(z.string()).describe('Of the sources, word for word'),
  path: z.string().optional().describe('A part of the source'),
  pages: z.int().optional().describe('How many are in it'),
  also: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
}
const output = pagedOutput({ of: kind, topic: z.string().nullable(), url: z.string().nullable() }, result)
type Data = z.output<z.ZodObject<typeof result>>

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>
type Summary = { of: z.output<typeof kind>; entries: Entry<Data>[] }

export const summarizeContent = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('summarize_content'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { of, entries } = await summarize(context, asked, { limit, signal })
    return pagedAnswer(context, {
      tool: 'summarize_content',
      asked,
      cursor,
      limit,
      bytes: BYTES,
      entries,
      nothing:
        'There is nothing to summarize: no sentence of the sources speaks of this. Try another topic, or search_docs.',
      about: { of, topic: asked.topic ?? null, url: asked.url ?? null },
    })
  },
})

type How = { limit: number; signal: AbortSignal | undefined }

async function summarize(context: ToolContext, asked: Asked, { limit, signal }: How): Promise<Summary> {
  const { server } = context
  const { topic, url } = asked
  const source = asked.source === undefined ? sourceAt(server.sources, url) : namedSource(server, asked.source)
  const scope = source === undefined ? {} : { sourceId: source.id }
  if (url !== undefined && !isWholeSource(source, url)) return summaryOfPage(context, url, scope)
  if (topic !== undefined) {
    const { passages } = await context.search(
      { query: topic, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope },
      signal,
    )
    const best = passages[0]?.score ?? 0
    const telling = passages.filter(({ score }) => score >= best * LEAST_SCORE)
    const points = summarizePassages(telling, topic)
    // The best passages can consist of code and tables only.
    return { of: 'topic', entries: (points.length > 0 ? points : summarizePassages(passages, topic)).map(entryOf) }
  }
  const [only] = server.sources
  const chosen = source ?? (server.sources.length === 1 ? only : undefined)
  if (chosen === undefined) {
    const names = server.sources.map((each) => oneLine(each.label ?? each.url)).slice(0, 20)
    const known = names.length > 0 ? ` The sources are: ${names.join(', ')}.` : ''
    throw new ToolError('arguments', `Give "topic", the "url" of a page, or a "source" to summarize.${known}`)
  }
  return { of: 'source', entries: await entriesOfSource(context, chosen, limit) }
}

/** The source with this address. */
function sourceAt(sources: readonly ServedSource[], url: string | undefined): ServedSource | undefined {
  return url === undefined ? undefined : sources.find((source) => isWholeSource(source, url))
}

function isWholeSource(source: ServedSource | undefined, url: string): boolean {
  const plain = (address: string) =>
    address
      .replace(/^https?:\/\//i, '')
      .replace(/(?<!\/)\/+$/, '')
      .toLowerCase()
  return source !== undefined && plain(source.url) === plain(url)
}

async function summaryOfPage(
  { library, search }: ToolContext,
  url: string,
  scope: { sourceId?: string },
): Promise<Summary> {
  const page = await library.pageAt(url, scope)
  const [opened] = page === null ? [] : await library.open([page])
  if (opened === undefined) {
    const words = url
      .replace(/^[a-z]+:\/\/[^/]*/i, '')
      .replaceAll(/\W+/g, ' ')
      .trim()
    const { passages } = words === '' ? { passages: [] } : await search({ query: words, limit: 3, ...scope })
    const like = [...new Set(passages.map((each) => withoutSection(each.url)))]
    const others = like.length > 0 ? ` Pages like it: ${like.join(', ')}.` : ''
    throw new ToolError('arguments', `No page with the address ${oneLine(url, 300)} is indexed.${others}`)
  }
  const section = sectionOf(url)
  const points = summarizePage(opened, MOST_POINTS)
  const below = section === '' ? [] : points.filter((point) => sectionOf(point.url) === section)
  const first = below[0]
  // A fragment selects that section and its subsections.
  const part = first ? points.filter(({ heading }) => `${heading} › `.startsWith(`${first.heading} › `)) : points
  return { of: 'page', entries: part.map(entryOf) }
}

function entryOf({ sentences, ...cited }: Point): Entry<Data> {
  return { ...cited, text: sentences.map((sentence) => `- ${sentence}`).join('\n'), data: { sentences } }
}

async function entriesOfSource({ library }: ToolContext, { id }: ServedSource, limit: number): Promise<Entry<Data>[]> {
  const parts = await library.outline(id)
  // Only displayed pages are opened. The rest are counted.
  const shown = parts.slice(0, limit + 1)
  const opened = await library.open(shown.flatMap(({ first }) => first.slice(0, 1)))
  const leads = new Map(opened.map((page) => [page.url, leadOf(page)]))
  return parts.map((part) => partEntry(part, leads))
}

function partEntry({ path, pages, first }: SourcePart, leads: ReadonlyMap<string, string[]>): Entry<Data> {
  const [top, ...others] = first
  const sentences = leads.get(top?.url ?? '') ?? []
  const also = others.map(({ title, url }) => `${oneLine(title, 80)} (${url})`)
  const text = [
    `${pages} ${pages === 1 ? 'page' : 'pages'} under ${oneLine(path, 200)}`,
    ...sentences.map((sentence) => `- ${sentence}`),
    ...(also.length > 0 ? [`Also: ${also.join('; ')}`] : []),
  ].join('\n')
  return {
    title: top?.title ?? path,
    heading: '',
    url: top?.url ?? '',
    sourceId: top?.sourceId ?? '',
    text,
    data: { path, pages, sentences, also: others.map(({ title, url }) => ({ title, url })) },
  }
}

/** The part of an address after its page. */
const sectionOf = (url: string): string => url.slice(withoutSection(url).length)
