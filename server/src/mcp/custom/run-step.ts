import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { FlatSchema } from '../definition/flat-schema.ts'
import { type CitedText, readCitations } from '../passages/read-citations.ts'
import type { Tool, ToolCitation, ToolContext } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'
import { fillArguments, fillText, type Values } from './fill-template.ts'
import { restrictContext } from './restrict-context.ts'

/** A passage of a step's answer. `text` is quoted already (see `frame.ts`). */
export type Found = CitedText & { citation: ToolCitation | undefined }

export type StepResult = {
  heading: string | undefined
  /** Answer in sentences, for `ask_question`. Its marks `[n]` count the passages of the step. */
  lead: string
  found: Found[]
  notes: string[]
  confidence: string | undefined
}

/** Notes of a built-in tool about itself, which the caller of a custom tool cannot follow. */
const OF_THE_TOOL = /^More: call |\bAsk for something narrower|^There is no argument /

/** Runs one step of a plan. Null if an argument that its operation requires is not given. */
export async function runStep(
  tool: Tool<ToolContext>,
  step: PlanStep,
  { context, values, signal }: { context: ToolContext; values: Values; signal: AbortSignal | undefined },
): Promise<StepResult | null> {
  const args = fillArguments(step.arguments, values)
  const { required = [] } = tool.listed.inputSchema as FlatSchema
  // A search without its query would read a page, or list remote tools.
  const needed = 'query' in step.arguments ? [...required, 'query'] : required
  if (needed.some((each) => args[each] === undefined)) return null
  const heading = fillText(step.heading, values)
  const restricted = await restrictContext(context, step.filters, values)
  try {
    const { content, citations = [], confidence } = await tool.prepare(args)(restricted.context, signal)
    const text = content.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join('\n\n')
    const { lead, passages, notes } = readCitations(text)
    const ranked = new Map(citations.map((citation) => [citation.rank, citation]))
    return {
      heading,
      lead,
      found: passages.map((passage) => ({ ...passage, citation: ranked.get(passage.n) })),
      notes: [...restricted.notes, ...notes.filter((note) => !OF_THE_TOOL.test(note))],
      confidence,
    }
  } catch (error) {
    // The arguments come from the caller through the plan. Another step may still find something.
    if (!(error instanceof ToolError) || error.reason === 'failed') throw error
    return { heading, lead: '', found: [], notes: [...restricted.notes, error.message], confidence: undefined }
  }
}
