import { jsonBytes } from '#lib/text/json-bytes.ts'
import type { ToolCitation, ToolResult } from './tool.ts'

/** Parts of a result besides its text. */
export type ResultForm = {
  /** Adds `structuredContent`, if the server's owner enabled it and the revision supports it. */
  structured: boolean
}

/** A serialized result of a tool or a read page, created by the thread that ran the tool. */
export type SerialisedResult = {
  /** Members of the result as UTF-8 JSON, without the outer braces. */
  members: Uint8Array<ArrayBuffer>
  citations: ToolCitation[]
  confidence?: string
  /** For the request log: a failure despite which there is an answer. */
  failure?: string
}

/** Serializes a result for its reader. */
export function serialiseResult(
  { content, structuredContent, isError, citations = [], confidence, failure }: ToolResult,
  { structured }: ResultForm,
): SerialisedResult {
  const members = { content, ...(structured ? { structuredContent } : {}), isError }
  return {
    ...serialiseMembers(members, citations),
    ...(confidence ? { confidence } : {}),
    ...(failure ? { failure } : {}),
  }
}

/** Serializes the members of a result other than a tool's. Omits undefined members. */
export function serialiseMembers(result: Record<string, unknown>, citations: ToolCitation[] = []): SerialisedResult {
  return { members: jsonBytes(JSON.stringify(result).slice(1, -1)), citations }
}
