import { REPORT_TOOL } from '@docent/contract/values/tools'
import { z } from 'zod'
import { optionalTextArgument, textArgument } from '../arguments/shared-arguments.ts'
import { defineTool, type ToolContext } from '../definition/tool.ts'

const input = z.object({
  question: textArgument(1_000, 'What you wanted to know, as one question, without personal data'),
  problem: textArgument(1_000, 'What is missing, wrong or out of date, in a sentence or two'),
  page: optionalTextArgument(1_000, 'Address of the page that is wrong, as cited'),
})

const output = z.object({ reported: z.literal(true) })

/**
 * Its call in the request log is the report, so that retention, purges, redaction and limits are those of calls. With
 * the outcome `none`, the question is among those without a good answer.
 */
export const reportProblem = defineTool<typeof input, typeof output, ToolContext>({
  ...REPORT_TOOL,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input,
  output,
  call: async () => ({
    text: 'Reported. The owner of this server can read it beside the question. Nobody answers here.',
    notes: [],
    data: { reported: true },
    outcome: 'none',
  }),
})
