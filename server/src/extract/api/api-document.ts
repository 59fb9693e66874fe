import { oneLine } from '#lib/text/one-line.ts'
import { plainInline } from '#documents/model/plain-inline.ts'

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
  /** Explanation in one sentence. */
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

/** Joins the parts into a Markdown document and skips empty ones. */
export function joinParts(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns a section of a document, or nothing if it is empty. */
export function section(heading: string, content: string): string {
  return content === '' ? '' : `## ${heading}\n\n${content}`
}

export function invalid(at: string, detail: string): ApiProblem {
  return { at, reason: 'invalid_description', detail: detail.slice(0, 500) }
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t])/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
/** Maximum length in characters. A longer description is a misplaced book. */
const MAX_TEXT = 100_000

/** Embeds Markdown into a section: its headings start one level below `level`, its fences stay unchanged. */
export function embedText(text: string, level: number): string {
  const lines = text.slice(0, MAX_TEXT).replaceAll('\r\n', '\n').split('\n')
  const headings = outsideFences(lines).map((index) => HEADING.exec(lines[index] ?? '')?.[1]?.length ?? 7)
  const highest = Math.min(...headings, 7)
  const down = level + 1 - highest
  if (highest === 7 || down <= 0) return lines.join('\n').trim()
  for (const index of outsideFences(lines)) {
    lines[index] = (lines[index] ?? '').replace(HEADING, (_, marks: string) =>
      '#'.repeat(Math.min(6, marks.length + down)),
    )
  }
  return lines.join('\n').trim()
}

/** Converts Markdown to one table cell. */
export function cellText(text: string): string {
  const line = text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  return text.length > 1_000 ? `${line} …` : line
}

function outsideFences(lines: string[]): number[] {
  const outside: number[] = []
  let fence: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? null
    if (fence === null && mark === null) outside.push(index)
    else if (fence === null) fence = mark
    else if (mark?.startsWith(fence)) fence = null
  }
  return outside
}

/** Maximum length in characters. A longer summary is a description. */
const MAX_LENGTH = 120

/** Splits a summary into a headline for the title and a text. Some authors write whole pages into summaries. */
export function splitSummary(summary: string): { headline: string; text: string } {
  const [first = ''] = summary.split('\n', 1)
  const line = plainInline(oneLine(first)).replace(/[.:]$/, '')
  if (line.length > MAX_LENGTH) return { headline: '', text: summary }
  return { headline: line, text: first === summary ? '' : summary }
}
