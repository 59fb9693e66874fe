import type { CustomToolPlan, PlanArgument, OwnOperation } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import type { ServedServer } from '#store/servers/served.ts'
import { indexingNotes } from '../definition/tool-result.ts'
import { defineTool, MAY_CHANGE, READ_ONLY, type Tool, type ToolContext } from '../definition/tool.ts'
import { assembleAnswer, customOutput } from './assemble-answer.ts'
import { runStep, type StepResult, type Values } from './run-step.ts'
import { compareEntriesOperation, findEntriesOperation, listEntriesOperation } from './operations/entry-operations.ts'
import { checklistOperation, pageOperation, releasesOperation, stepsOperation } from './operations/page-operations.ts'

/** Finds a built-in tool, adapted to the sources of the server. */
export type OperationOf = (name: string, sources: ServedServer['sources']) => Tool<ToolContext> | undefined

/** The operation of a step: one of plans, or a built-in tool. */
export function operationNamed(name: string, builtIn: OperationOf, sources: ServedServer['sources'] = []) {
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as keyof typeof OPERATIONS] : builtIn(name, sources)
}

/** The tool that runs a plan on the sources of the server that is called. */
export function customTool(
  plan: CustomToolPlan,
  operationOf: OperationOf,
  sources: readonly Pick<ServedServer['sources'][number], 'allowedTools'>[],
): Tool<ToolContext> {
  const { name, displayName, description, steps } = plan
  const callsRemote = steps.some(({ operation }) => operation === 'query_source')
  const allowed = new Set(sources.flatMap(({ allowedTools = [] }) => allowedTools))
  const mayChange = steps.some((step) => allowed.has(step.arguments['tool'] as string))
  return defineTool<z.ZodObject, typeof customOutput, ToolContext>({
    name,
    title: displayName,
    description,
    annotations: mayChange ? MAY_CHANGE : { ...READ_ONLY, openWorldHint: callsRemote },
    input: inputOf(plan),
    output: customOutput,
    async call(context, values, signal) {
      const answer = assembleAnswer(plan, await runPlan(plan, { context, values, operationOf, signal }))
      return { ...answer, notes: [...new Set([...answer.notes, ...indexingNotes(context.server)])] }
    },
  })
}

type Run = { context: ToolContext; values: Values; operationOf: OperationOf; signal: AbortSignal | undefined }

/** Runs the steps of a plan. Returns those that found something, or all if none did. */
export async function runPlan(
  plan: CustomToolPlan,
  { context, values, operationOf, signal }: Run,
): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of plan.steps) {
    if (step.when === 'nothing_found' && results.some(hasFound)) continue
    if (step.when === 'not_named' && results.some(({ data }) => data['match'] === 'named')) continue
    const tool = operationNamed(step.operation, operationOf, context.server.sources)
    if (tool === undefined) throw new TypeError(`There is no operation "${step.operation}".`)
    const result = await runStep(tool, step, { context, values, signal })
    if (result !== null) results.push(result)
  }
  // In a document, an empty section is an answer too: that the sources say nothing about this part.
  const isSection = ({ heading }: StepResult) => plan.output.form === 'document' && heading !== undefined
  return results.some(hasFound) ? results.filter((each) => hasFound(each) || isSection(each)) : results
}

export function hasFound({ found, outcome }: StepResult): boolean {
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

/** Operations of plans besides the built-in tools. */
const OPERATIONS: Record<OwnOperation, Tool<ToolContext>> = {
  find_entries: findEntriesOperation,
  list_entries: listEntriesOperation,
  compare_entries: compareEntriesOperation,
  read_checklist: checklistOperation,
  read_steps: stepsOperation,
  read_releases: releasesOperation,
  summarize_page: pageOperation,
}
