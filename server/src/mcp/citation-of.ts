import type { ToolCitation } from './tool.ts'

/** What the request log keeps of a cited passage. */
export function citationOf({ sourceId, url, title, rank, score }: ToolCitation): ToolCitation {
  return { sourceId, url, title, rank, score }
}
