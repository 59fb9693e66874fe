import type { ContentBlock, ToolCitation, ToolResult } from './tool.ts'

/** A tool's result as it goes out: its parts are JSON already, made by the thread that ran the tool. */
export type SerialisedResult = {
  content: { type: string; json: string }[]
  structured?: string
  citations: ToolCitation[]
  confidence?: string
}

export function serialiseResult({ content, structuredContent, citations = [], confidence }: ToolResult) {
  const result: SerialisedResult = { content: content.map(serialiseBlock), citations }
  if (structuredContent) result.structured = JSON.stringify(structuredContent)
  if (confidence) result.confidence = confidence
  return result
}

function serialiseBlock(block: ContentBlock): SerialisedResult['content'][number] {
  return { type: block.type, json: JSON.stringify(block) }
}
