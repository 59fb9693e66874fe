import { builtInTool } from '@docent/contract/values/tools'
import { z } from 'zod'
import type { Scope } from '#library/library.ts'
import { summarizeAt } from '#library/summary/summarize-page.ts'
import { summarizeTopic } from '#library/summary/summarize-topic.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import { isSourceAt, namedSource, sourceAt, sourceNames } from '#mcp/arguments/named-source.ts'
import { findPage } from '../pages/find-page.ts'
import { pagedAnswer, pagedOutput } from '#mcp/results/paged-answer.ts'
import { entriesOfSource, pointEntry, type SummaryEntry, summaryResult } from '../results/summary-result.ts'
import { cursorArgument, optionalTextArgument } from '#mcp/arguments/shared-arguments.ts'
import { defineTool, READ_ONLY, type ToolContext } from '#mcp/definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'

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
const output = pagedOutput({ of: kind, topic: z.string().nullable(), url: z.string().nullable() }, summaryResult)

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>
type Summary = { of: z.output<typeof kind>; entries: SummaryEntry[] }

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
  const source = chosenSource(server, asked)
  const scope = source === undefined ? {} : { sourceId: source.id }
  if (url !== undefined && !(source && isSourceAt(source, url))) return summaryOfPage(context, url, scope)
  if (topic !== undefined) {
    const points = await summarizeTopic(context.search, { topic, scope }, signal)
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

function chosenSource(server: ServedServer, { source, url }: Asked): ServedSource | undefined {
  if (source !== undefined) return namedSource(server, source)
  return url === undefined ? undefined : sourceAt(server, url)
}

async function summaryOfPage(context: ToolContext, url: string, scope: Scope): Promise<Summary> {
  const page = await findPage(context, url, scope)
  return { of: 'page', entries: summarizeAt(page, url).map(pointEntry) }
}
