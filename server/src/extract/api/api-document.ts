import { oneLine } from '#lib/text/one-line.ts'
import { plainInline } from '#documents/model/markdown-blocks.ts'

/** Subject of a document. Its kind and name together are unique within the description. */
export type ApiSubject = 'operation' | 'webhook' | 'schema' | 'type' | 'directive'

export type ApiDocument = {
  /** Null for the overview. */
  subject: { kind: ApiSubject; name: string } | null
  title: string
  markdown: string
  /** Location in the description as a JSON pointer (RFC 6901, section 6, without `#`), or null. */
  pointer: string | null
}

/** An invalid part of the description. The rest may still be documented. */
export type ApiProblem = {
  /** Short location, unique within the description, such as `#/paths/~1users/get`. */
  at: string
  reason: 'invalid_description' | 'unresolved_reference'
  detail: string
}

export type ApiDescription = {
  kind: 'description'
  /** Format with version, such as `OpenAPI 3.1.0`. */
  format: string
  title: string
  documents: ApiDocument[]
  problems: ApiProblem[]
}

/** A text that is not a description, or not a readable one. */
export type NoDescription = {
  kind: 'rejected'
  reason: 'not_a_description' | 'malformed' | 'too_complex' | 'unknown_version'
  detail: string
}

export function rejectDescription(reason: NoDescription['reason'], detail: string): NoDescription {
  return { kind: 'rejected', reason, detail }
}

/** A description with an overview and documents of its parts. */
export function describeApi(
  format: string,
  { title, markdown }: Pick<ApiDocument, 'title' | 'markdown'>,
  parts: ApiDocument[],
  problems: ApiProblem[] = [],
): ApiDescription {
  const overview = { subject: null, title, markdown, pointer: null }
  return { kind: 'description', format, title, documents: [overview, ...parts], problems }
}

export function invalid(at: string, detail: string): ApiProblem {
  return { at, reason: 'invalid_description', detail: detail.slice(0, 500) }
}

/** Maximum length of a summary in characters. A longer one is a description. */
const MAX_LENGTH = 120

/** Splits a summary into a headline for the title and a text. Some authors write whole pages into summaries. */
export function splitSummary(summary: string): { headline: string; text: string } {
  const [first = ''] = summary.split('\n', 1)
  const line = plainInline(oneLine(first)).replace(/[.:]$/, '')
  if (line.length > MAX_LENGTH) return { headline: '', text: summary }
  return { headline: line, text: first === summary ? '' : summary }
}
