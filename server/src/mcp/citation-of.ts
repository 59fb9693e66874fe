import type { ToolCitation } from './tool.ts'

/** Converts a tool citation to its form in the request log. */
export function citationOf({ sourceId, url, title, rank, score }: ToolCitation): ToolCitation {
  return { sourceId, url, title, rank, score }
}
