import { z } from 'zod'
import type { CodeExample } from '#mcp/passages/code-examples.ts'
import { fence } from '#mcp/passages/frame.ts'
import { codeMember, rankedMembers, scoreMember } from '../definition/tool-result.ts'

/** A code example in structured content. */
export const exampleResult = z.object({
  ...rankedMembers,
  score: scoreMember,
  ...codeMember.shape,
  context: z.string().describe('The line of text above the code, or empty'),
  runnable: z.boolean().describe('Looks complete enough to be run as it is'),
  alsoAt: z.array(z.string()).describe('Other places with the same code'),
})

/** The line above the block, then the block in a fence that its content cannot close. */
export function exampleText({ context, language, text, alsoAt }: CodeExample): string {
  const elsewhere = alsoAt.length > 0 ? `Also at: ${alsoAt.join(', ')}` : ''
  return [context, fence(text, language ?? ''), elsewhere].filter(Boolean).join('\n\n')
}
