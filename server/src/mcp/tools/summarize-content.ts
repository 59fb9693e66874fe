import { z } from 'zod'
import type { Library } from '#documents/library.ts'
import { summarizeAt, leadOf, type Point, summarizeTopic } from '#documents/summary/summarize.ts'
import { isSourceAt, namedSource, sourceNames } from '../arguments/named-source.ts'
import { type EntryOf, pagedAnswer, pagedOutput } from '../results/paged-answer.ts'
import { cursorArgument, optionalTextArgument } from '../arguments/shared-arguments.ts'
import { defineReader, type ToolContext } from '../definition/tool.ts'
import type { SourcePart } from '#documents/summary/outline-source.ts'
import { findPage } from '../pages/page-answer.ts'
import { ToolError } from '../definition/tool-result.ts'
import { oneLine } from '../passages/format-citation.ts'

const BYTES = 12_000

const input = z.object({
  topic: optionalTextArgument(4_000, 'A subject: what all pages say of it'),
  url: optionalTextArgument(2_000, 'The address of one page'),
  source: z
    .string()
    .max(2_000)
    .optional()
    .describe('One source: its id, label or address. Alone: what is in it. With a topic: only its pages'),
  limit: z.int().min(1).max(40).default(12).describe('How many points'),
  cursor: cursorArgument,
})

const kind = z.enum(['page', 'topic', 'source'])

/** Members of a point in structured content. */
const summaryResult = {
  sentences: z.array(z.string()).describe('Of the sources, word for word'),
  names: z.array(z.string()).optional().describe('Options, members and other things that it names'),
  path: z.string().optional().describe('A part of the source'),
  pages: z.int().optional().describe('How many are in it'),
  also: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
}

const output = pagedOutput({ of: kind, topic: z.string().nullable(), url: z.string().nullable() }, summaryResult)

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>
type SummaryEntry = EntryOf<typeof summaryResult>
type Summary = { of: z.output<typeof kind>; entries: SummaryEntry[] }

export const summarizeContent = defineReader('summarize_content', {
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { of, entries } = await summarize(context, asked, { limit, signal })
    const paging = { tool: 'summarize_content', asked, cursor, limit }
    return pagedAnswer(context, paging, {
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
  const atUrl = server.sources.find((each) => url !== undefined && isSourceAt(each, url))
  const source = asked.source === undefined ? atUrl : namedSource(server, asked.source)
  const scope = source === undefined ? {} : { sourceId: source.id }
  if (url !== undefined && !(source && isSourceAt(source, url))) {
    const page = await findPage(context, url, scope)
    return { of: 'page', entries: summarizeAt(page, url).map(pointEntry) }
  }
  if (topic !== undefined) {
    const points = await summarizeTopic(context, { topic, scope }, signal)
    return { of: 'topic', entries: points.map(pointEntry) }
  }
  const [only] = server.sources
  const chosen = source ?? (server.sources.length === 1 ? only : undefined)
  if (chosen === undefined) {
    const names = sourceNames(server)
    const known = names.length > 0 ? ` The sources are: ${names.join(', ')}.` : ''
    throw new ToolError('arguments', `Give "topic", the "url" of a page, or a "source" to summarize.${known}`)
  }
  return { of: 'source', entries: await entriesOfSource(context.library, chosen.id, limit) }
}

/** Names shown of one part, and given as data. */
const NAMES_SHOWN = 40
const MOST_NAMES = 200

function pointEntry({ sentences, names, ...cited }: Point): SummaryEntry {
  const lines = sentences.map((sentence) => `- ${sentence}`)
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `\`${oneLine(name.replaceAll('`', ''), 80)}\``)
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  const named = names.length > 0 ? [`Names: ${shown.join(', ')}${more}`] : []
  const data = { sentences, ...(names.length > 0 ? { names: names.slice(0, MOST_NAMES) } : {}) }
  return { ...cited, text: [...lines, ...named].join('\n'), data }
}

/** A part of a source as a result. `leads` has the introductions of pages by address. */
function partEntry({ path, pages, first }: SourcePart, leads: ReadonlyMap<string, string[]>): SummaryEntry {
  const [top, ...others] = first
  const sentences = leads.get(top?.url ?? '') ?? []
  const also = others.map(({ title, url }) => `${oneLine(title, 80)} (${url})`)
  const text = [
    `${pages} ${pages === 1 ? 'page' : 'pages'} under ${oneLine(path, 200)}`,
    ...sentences.map((sentence) => `- ${sentence}`),
    ...(also.length > 0 ? [`Also: ${also.join('; ')}`] : []),
  ].join('\n')
  return {
    title: top?.title || path,
    heading: '',
    url: top?.url ?? '',
    sourceId: top?.sourceId ?? '',
    text,
    data: { path, pages, sentences, also: others.map(({ title, url }) => ({ title, url })) },
  }
}

/** The parts of a source with the lead of each part's first page. Only displayed pages are opened; the rest are counted. */
async function entriesOfSource(library: Library, id: string, limit: number): Promise<SummaryEntry[]> {
  const parts = await library.outline(id)
  const shown = parts.slice(0, limit + 1)
  const opened = await library.open(shown.flatMap(({ first }) => first.slice(0, 1)))
  const leads = new Map(opened.map((page) => [page.url, leadOf(page)]))
  return parts.map((part) => partEntry(part, leads))
}
