import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { Trial } from '#builder/survey.ts'
import type { Tool, ToolContext } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'
import { customTool, type OperationOf } from './custom-tool.ts'

/** Runs a plan on inputs from the content, and judges if the answers are about them. */
export async function tryPlan(
  context: ToolContext,
  { plan, inputs }: { plan: CustomToolPlan; inputs: readonly Record<string, unknown>[] },
  operationOf: OperationOf,
  signal?: AbortSignal,
): Promise<Trial[]> {
  const tool = customTool(plan, operationOf)
  const trials: Trial[] = []
  for (const input of inputs) trials.push(await tryOnce(tool, context, { input, plan, signal }))
  return trials
}

async function tryOnce(
  tool: Tool<ToolContext>,
  context: ToolContext,
  { input, plan, signal }: { input: Record<string, unknown>; plan: CustomToolPlan; signal: AbortSignal | undefined },
): Promise<Trial> {
  try {
    const { structuredContent, citations = [] } = await tool.prepare(input)(context, signal)
    // Not the text: its headings repeat the input.
    const text = JSON.stringify(structuredContent, (key, value: unknown) => (key === 'section' ? null : value))
    const isRelevant = citations.length > 0 && isAbout(text, wordsOf(input, plan))
    return { input, found: citations.length, isRelevant, refusal: null }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { input, found: 0, isRelevant: false, refusal: error.message }
  }
}

/** Words of the input, without choices and versions, which an answer need not repeat. */
function wordsOf(input: Record<string, unknown>, { inputSchema: { properties } }: CustomToolPlan): string[] {
  const texts = Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string' && properties[name]?.enum === undefined && !/^[\d.-]+$/.test(value) ? [value] : [],
  )
  const words =
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return [...new Set(words)]
}

/** True if half of the words are in the text. */
function isAbout(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.filter((word) => lower.includes(word)).length * 2 >= words.length
}
