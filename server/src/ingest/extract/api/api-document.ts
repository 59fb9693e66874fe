/** What a document of a description is about. Together with its name unique within the description. */
export type ApiSubject = 'operation' | 'webhook' | 'schema' | 'type' | 'directive'

export type ApiDocument = {
  /** Null for the overview. */
  subject: { kind: ApiSubject; name: string } | null
  title: string
  markdown: string
  /** Where it stands in the description, as a fragment (RFC 6901, 6, without `#`), or null. */
  pointer: string | null
}

/** Something of the description that is invalid. What it is about may be documented all the same. */
export type ApiProblem = {
  /** Short and unique within the description, as `#/paths/~1users/get`. */
  at: string
  reason: 'invalid_description' | 'unresolved_reference'
  /** A sentence. */
  detail: string
}

export type ApiDescription = {
  kind: 'description'
  /** As `OpenAPI 3.1.0`. */
  format: string
  title: string
  documents: ApiDocument[]
  problems: ApiProblem[]
}

/** A text that is no description, or none that can be read. */
export type NoDescription = {
  kind: 'rejected'
  reason: 'not_a_description' | 'malformed' | 'too_complex' | 'unknown_version'
  detail: string
}

export function rejectDescription(reason: NoDescription['reason'], detail: string): NoDescription {
  return { kind: 'rejected', reason, detail }
}

/** The parts as a Markdown document; empty ones are left out. */
export function joinParts(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A section of a document; nothing where it would be empty. */
export function section(heading: string, content: string): string {
  return content === '' ? '' : `## ${heading}\n\n${content}`
}

export function invalid(at: string, detail: string): ApiProblem {
  return { at, reason: 'invalid_description', detail: detail.slice(0, 500) }
}
