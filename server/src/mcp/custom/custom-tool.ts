import type { CustomToolPlan, PlanArgument } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import type { Trial } from '#builder/survey.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { indexingNotes, ToolError } from '../definition/tool-result.ts'
import { defineTool, READ_ONLY, type Tool, type ToolContext } from '../definition/tool.ts'
import { assembleAnswer, customOutput } from './assemble-answer.ts'
import { runStep, type StepResult } from './run-step.ts'

/** Finds the built-in tool of a step, adapted to the sources of the server. */
type OperationOf = (name: string, sources: ServedServer['sources']) => Tool<ToolContext> | undefined

/** The tool that runs a plan. Its steps are built-in tools, which run on the sources of the server that is called. */
export function customTool(plan: CustomToolPlan, operationOf: OperationOf): Tool<ToolContext> {
  const { name, displayName, description, steps } = plan
  const callsRemote = steps.some(({ operation }) => operation === 'query_source')
  return defineTool<z.ZodObject, typeof customOutput, ToolContext>({
    name,
    title: displayName,
    description,
    annotations: { ...READ_ONLY, openWorldHint: callsRemote },
    input: inputOf(plan),
    output: customOutput,
    async call(context, values, signal) {
      const results: StepResult[] = []
      for (const step of steps) {
        if (step.when === 'nothing_found' && results.some(hasFound)) continue
        const tool = operationOf(step.operation, context.server.sources)
        if (tool === undefined) throw new TypeError(`There is no operation "${step.operation}".`)
        const result = await runStep(tool, step, { context, values, signal })
        if (result !== null) results.push(result)
      }
      // In a document, an empty section is an answer too: that the sources say nothing about this part.
      const isSection = ({ heading }: StepResult) => plan.output.form === 'document' && heading !== undefined
      const used = results.some(hasFound) ? results.filter((each) => hasFound(each) || isSection(each)) : results
      const answer = assembleAnswer(plan, used)
      return { ...answer, notes: [...new Set([...answer.notes, ...indexingNotes(context.server)])] }
    },
  })
}

function hasFound({ found, outcome }: StepResult): boolean {
  return found.length > 0 && (outcome === 'answered' || outcome === 'related')
}

function inputOf({ inputSchema: { properties, required = [] } }: CustomToolPlan): z.ZodObject {
  const members = Object.entries(properties).map(([name, argument]) => {
    const schema = schemaOf(argument).describe(argument.description)
    return [name, required.includes(name) ? schema : schema.optional()] as const
  })
  return z.object(Object.fromEntries(members))
}

const MOST_CHARACTERS = 4_000

function schemaOf(argument: PlanArgument): z.ZodType {
  if (argument.type === 'boolean') return z.boolean()
  if (argument.type === 'integer') {
    const { minimum = 0, maximum = 1_000_000 } = argument
    return z.int().min(minimum).max(maximum)
  }
  const [first, ...others] = argument.enum ?? []
  if (first !== undefined) return z.enum([first, ...others])
  return z
    .string()
    .trim()
    .min(argument.minLength ?? 1)
    .max(argument.maxLength ?? MOST_CHARACTERS)
}

/** Runs a plan on inputs from the content, and judges if the answers are about them. */
export async function tryPlan(
  context: ToolContext,
  { plan, inputs }: { plan: CustomToolPlan; inputs: readonly Record<string, unknown>[] },
  operationOf: OperationOf,
  signal?: AbortSignal,
): Promise<Trial[]> {
  const tool = customTool(plan, operationOf)
  const trials: Trial[] = []
  for (const input of inputs) {
    try {
      const { structuredContent, citations = [] } = await tool.prepare(input)(context, signal)
      // Not the text: its headings repeat the input.
      const text = JSON.stringify(structuredContent, (key, value: unknown) => (key === 'section' ? null : value))
      trials.push({ input, isRelevant: citations.length > 0 && isAbout(text, input, plan), refusal: null })
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      trials.push({ input, isRelevant: false, refusal: error.message })
    }
  }
  return trials
}

/** True if the text has half of the words of the input, without choices and versions, which it need not repeat. */
function isAbout(text: string, input: Record<string, unknown>, { inputSchema }: CustomToolPlan): boolean {
  const texts = Object.entries(input).map(([name, value]) =>
    typeof value !== 'string' || inputSchema.properties[name]?.enum ? '' : value,
  )
  const said = texts.filter((each) => !/^[\d.-]+$/.test(each)).join(' ')
  const words = new Set(said.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
  const lower = text.toLowerCase()
  return [...words].filter((word) => lower.includes(word)).length * 2 >= words.size
}
