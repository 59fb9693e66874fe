import { readFrames } from '#mcp/read-frames.ts'

/** The passages of a tool's result, read from its text. */
export function resultsIn(result: { content: { text: string }[] } | undefined) {
  return readFrames(result?.content[0]?.text ?? '').passages
}
