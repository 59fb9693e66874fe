import type { Library } from '#library/library.ts'
import { leadOf } from '#library/summary/summarize-page.ts'
import { z } from 'zod'
import type { SourcePart } from '#library/summary/outline-source.ts'
import type { Point } from '#library/summary/summarize-page.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import type { Entry } from './paged-answer.ts'

/** Members of a point in structured content. */
export const summaryResult = {
  sentences: z.array(z.string()).describe('Of the sources, word for word'),
  path: z.string().optional().describe('A part of the source'),
  pages: z.int().optional().describe('How many are in it'),
  also: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
}

export type SummaryEntry = Entry<z.output<z.ZodObject<typeof summaryResult>>>

/** A point of a page or a topic as a result. */
export function pointEntry({ sentences, ...cited }: Point): SummaryEntry {
  return { ...cited, text: sentences.map((sentence) => `- ${sentence}`).join('\n'), data: { sentences } }
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
    title: top?.title ?? path,
    heading: '',
    url: top?.url ?? '',
    sourceId: top?.sourceId ?? '',
    text,
    data: { path, pages, sentences, also: others.map(({ title, url }) => ({ title, url })) },
  }
}

/** The parts of a source with the lead of each part's first page. Only displayed pages are opened; the rest are counted. */
export async function entriesOfSource(library: Library, id: string, limit: number): Promise<SummaryEntry[]> {
  const parts = await library.outline(id)
  const shown = parts.slice(0, limit + 1)
  const opened = await library.open(shown.flatMap(({ first }) => first.slice(0, 1)))
  const leads = new Map(opened.map((page) => [page.url, leadOf(page)]))
  return parts.map((part) => partEntry(part, leads))
}
