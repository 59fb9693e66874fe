import { jsonBytes } from '#lib/json-bytes.ts'
import type { ToolCitation, ToolResult } from './tool.ts'

/** What the reader of a result gets besides its text. */
export type ResultForm = {
  /** `structuredContent`: only where the server's owner wants it and the revision knows it. */
  structured: boolean
}

/** A tool's result as it goes out, made by the thread that ran the tool. */
export type SerialisedResult = {
  /** JSON of the result as UTF-8: its members, without the braces around them. */
  members: Uint8Array<ArrayBuffer>
  citations: ToolCitation[]
  confidence?: string
}

/** Serialises a result in the form that its reader gets. */
export function serialiseResult(
  { content, structuredContent, citations = [], confidence }: ToolResult,
  { structured }: ResultForm,
): SerialisedResult {
  const json = JSON.stringify({ content, ...(structured ? { structuredContent } : {}) })
  return { members: jsonBytes(json.slice(1, -1)), citations, ...(confidence ? { confidence } : {}) }
}
