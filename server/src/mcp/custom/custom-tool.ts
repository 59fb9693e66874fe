import type { CustomToolPlan, PlanArgument } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import type { ServedServer } from '#store/servers/served.ts'
import { indexingNotes } from '../passages/indexing-notes.ts'
import { defineTool, READ_ONLY, type Tool, type ToolContext } from '../definition/tool.ts'
import { assembleAnswer, customOutput } from './assemble-answer.ts'
import { runStep, type StepResult } from './run-step.ts'

/** Finds the built-in tool of a step, adapted to the sources of the server. */
export type OperationOf = (name: string, sources: ServedServer['sources']) => Tool<ToolContext> | undefined

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
      const used = results.some(hasFound) ? results.filter((each) => hasFound(each) || hasHeading(plan, each)) : results
      const answer = assembleAnswer(plan, used)
      return { ...answer, notes: [...new Set([...answer.notes, ...indexingNotes(context.server)])] }
    },
  })
}

function hasFound({ found, confidence }: StepResult): boolean {
  return found.length > 0 && confidence !== 'none'
}

/** In a document, an empty section is an answer too: that the sources say nothing about this part. */
function hasHeading({ output }: CustomToolPlan, { heading }: StepResult): boolean {
  return output.form === 'document' && heading !== undefined
}

/** The arguments of a plan as a schema that validates calls. */
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
