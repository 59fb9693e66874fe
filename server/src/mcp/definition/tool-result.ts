import type { Outcome } from '@docent/contract/values/outcomes'
import { z } from 'zod'
import { defined } from '#lib/objects.ts'
import { jsonBytes } from '#lib/text/bounded-json.ts'
import { SegmentFormatError } from '#search/segment/sections.ts'
import type { ToolCitation, ToolResult } from './tool.ts'
import type { ServedServer } from '#store/servers/served.ts'

/** Common members of structured content. */

export const citedMembers = {
  title: z.string().describe('Title of the page'),
  heading: z.string().describe('Headings below the title, joined with " › "; empty at the top of a page'),
  url: z.string(),
  sourceId: z.string(),
  readAt: z.string().optional().describe('When the page was last read'),
  changedAt: z.string().optional().describe('When it last changed, by the dates of its site'),
}

export const rankedMembers = { rank: z.int().min(1).describe('Counts on from page to page'), ...citedMembers }

export const scoreMember = z.number().describe('Comparable within one answer only')

export const codeMember = z.object({ language: z.string().nullable(), text: z.string() })

export const nextCursorMember = z.string().optional().describe('Given as "cursor", it leads to the next page')

export const sourceMember = z.object({ id: z.string(), url: z.string(), label: z.string().nullable() })

export function roundScore(score: number): number {
  return Math.round(score * 1_000) / 1_000
}

/** A function or endpoint parameter, or a schema field, in structured content. */
export const parameterMember = z.object({
  name: z.string(),
  type: z.string().nullable(),
  required: z.boolean().nullable().describe('Null where the page does not say'),
  place: z.string().nullable().describe('Where it goes in a request, such as path or query'),
  description: z.string(),
})

export type ResultForm = {
  /** Adds `structuredContent`, if the server's owner enabled it and the revision supports it. */
  structured: boolean
}

/** A serialized result, such as a read page, created by the thread that made it. */
export type SerialisedMembers = {
  /** Members of the result as UTF-8 JSON, without the outer braces. */
  members: Uint8Array<ArrayBuffer>
  citations: ToolCitation[]
}

/** The serialized result of a tool. */
export type SerialisedResult = SerialisedMembers & {
  outcome: Outcome
  confidence?: string
  /** For the request log: a failure despite which there is an answer. */
  failure?: string
}

export function serialiseResult(
  { content, structuredContent, isError, outcome, citations = [], confidence, failure }: ToolResult,
  { structured }: ResultForm,
): SerialisedResult {
  const members = { content, ...(structured ? { structuredContent } : {}), isError }
  return { ...serialiseMembers(members, citations), outcome, ...defined({ confidence, failure }) }
}

/** Serializes the members of a result other than a tool's. Omits undefined members. */
export function serialiseMembers(result: Record<string, unknown>, citations: ToolCitation[] = []): SerialisedMembers {
  return { members: jsonBytes(JSON.stringify(result).slice(1, -1)), citations }
}

const REBUILDING = 'The index is being rebuilt after an update of the service. Try again in a minute.'

/** Many clients fill optional arguments with null or "" instead of omitting them. */
export const isBlank = (value: unknown): boolean => value === null || value === ''

/** A refusal by a tool. The message tells the caller how to correct the call. */
export class ToolError extends Error {
  override name = 'ToolError'
  /** `arguments`: a different call can succeed. `failed`: the tool could not do its work. `later`: the same call can. */
  readonly reason: 'arguments' | 'failed' | 'later'

  constructor(reason: ToolError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The caller-facing error of a failed call: a tool's refusal unchanged, or null for a bug. */
export function asToolError(error: unknown): ToolError | null {
  if (error instanceof ToolError) return error
  return error instanceof SegmentFormatError ? new ToolError('later', REBUILDING) : null
}

const count = new Intl.NumberFormat('en')

/** Text for the answers and instructions of a server without sources. */
export const NO_SOURCES = 'This server has no sources yet, so there is nothing to find. Its owner can add one.'

/** During indexing, states how much of each source was searched, or that nothing is indexed yet. */
export function indexingNotes({ sources }: Pick<ServedServer, 'sources'>): string[] {
  if (sources.length === 0) return [NO_SOURCES]
  const busy = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  if (!busy) return []
  const indexed = count.format(sources.reduce((sum, { pagesIndexed }) => sum + pagesIndexed, 0))
  const found = count.format(sources.reduce((sum, { pagesFound }) => sum + pagesFound, 0))
  return [`Still indexing: answered from ${indexed} of ${found} pages found so far. Ask again later for more.`]
}
