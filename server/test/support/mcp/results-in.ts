import { readCitations } from '#mcp/passages/read-citations.ts'

/** Parses the passages of a tool's text result. */
export function resultsIn(result: { content: { text: string }[] } | undefined) {
  return readCitations(result?.content[0]?.text ?? '').passages
}
