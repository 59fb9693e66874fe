import { readFrames } from '#mcp/passages/read-frames.ts'

/** Parses the passages of a tool's text result. */
export function resultsIn(result: { content: { text: string }[] } | undefined) {
  return readFrames(result?.content[0]?.text ?? '').passages
}
