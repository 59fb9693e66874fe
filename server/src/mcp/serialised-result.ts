import { jsonBytes } from '#lib/json-bytes.ts'
import type { ToolCitation, ToolResult } from './tool.ts'

/** What of a result its reader knows; the rest is left out. */
export type ResultForm = {
  /** Content items that are links to resources. */
  links: boolean
  structured: boolean
}

/** A tool's result as it goes out, made by the thread that ran the tool. */
export type SerialisedResult = {
  /** JSON of the result as UTF-8: its members, without the braces around them. */
  members: Uint8Array<ArrayBuffer>
  citations: ToolCitation[]
  confidence?: string
}

/** Serialises a result in the form that its reader knows. */
export function serialiseResult(
  { content, structuredContent, citations = [], confidence }: ToolResult,
  { links, structured }: ResultForm,
): SerialisedResult {
  const known = links ? content : content.filter(({ type }) => type !== 'resource_link')
  const json = JSON.stringify({ content: known, ...(structured ? { structuredContent } : {}) })
  return { members: jsonBytes(json.slice(1, -1)), citations, ...(confidence ? { confidence } : {}) }
}
