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
