import { z } from 'zod'
import type { SourcePart } from '#library/summary/outline-source.ts'
import type { Point } from '#library/summary/summarize-page.ts'
import { oneLine } from '../frame.ts'
import type { Entry } from '../paged-answer.ts'

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
export function partEntry({ path, pages, first }: SourcePart, leads: ReadonlyMap<string, string[]>): SummaryEntry {
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
