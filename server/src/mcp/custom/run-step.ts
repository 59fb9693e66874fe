import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Outcome } from '@docent/contract/values/outcomes'
import { defined } from '#lib/objects.ts'
import type { FlatSchema } from '../definition/flat-schema.ts'
import type { CitedPassage, Tool, ToolCitation, ToolContext } from '../definition/tool.ts'
import { isBlank, ToolError } from '../definition/tool-result.ts'
import { restrictContext } from './restrict-context.ts'

export type Found = CitedPassage & { citation: ToolCitation | undefined }

export type StepResult = {
  operation: PlanStep['operation']
  heading: string | undefined
  /** Answer in sentences, for `ask_question`. Its marks `[n]` count the passages of the step. */
  lead: string
  found: Found[]
  notes: string[]
  outcome: Outcome
  confidence: string | undefined
  failure: string | undefined
  /** Structured content of the operation. */
  data: Record<string, unknown>
}

/** Notes of a built-in tool about itself, which the caller of a custom tool cannot follow. */
const OF_THE_TOOL = /^More: call |\bAsk for something narrower|^There is no argument /

/** Without its query, such an operation would read a page, or list remote tools. */
const NEEDS_QUERY: ReadonlySet<string> = new Set(['search_docs', 'search_issues', 'query_source'])

/** Arguments of a call, as validated by the input schema of its tool. */
export type Values = Readonly<Record<string, unknown>>

/** Runs one step of a plan. Null if an argument that its operation requires is not given. */
export async function runStep(
  tool: Tool<ToolContext>,
  step: PlanStep,
  { context, values, signal }: { context: ToolContext; values: Values; signal: AbortSignal | undefined },
): Promise<StepResult | null> {
  const args = fillArguments(step.arguments, values)
  const { required = [] } = tool.listed.inputSchema as FlatSchema
  const needsQuery = NEEDS_QUERY.has(step.operation) && 'query' in step.arguments
  const needed = needsQuery ? [...required, 'query'] : required
  if (needed.some((each) => args[each] === undefined)) return null
  const heading = fillText(step.heading, values)
  const limited = await restrictContext(context, filledFilters(step.filters ?? {}, values))
  const { operation } = step
  const nothing = {
    operation,
    heading,
    lead: '',
    found: [],
    outcome: 'none' as const,
    confidence: undefined,
    failure: undefined,
    data: {},
  }
  if ('missing' in limited) return { ...nothing, notes: [limited.missing] }
  try {
    const result = await tool.prepare(args)(limited.context, signal)
    const { lead = '', passages = [], citations = [], outcome, confidence, failure } = result
    const notes = result.structuredContent?.notes ?? []
    const ranked = new Map(citations.map((citation) => [citation.rank, citation]))
    return {
      operation,
      heading,
      lead,
      found: passages.map((passage) => ({ ...passage, citation: ranked.get(passage.n) })),
      notes: notes.filter((note) => !OF_THE_TOOL.test(note)),
      outcome,
      confidence,
      failure,
      data: result.structuredContent ?? {},
    }
  } catch (error) {
    // The arguments come from the caller through the plan. Another step may still find something.
    if (!(error instanceof ToolError) || error.reason === 'failed') throw error
    return { ...nothing, notes: [error.message] }
  }
}

/** Filters with the values of their templates. A filter whose argument is not given is left out. */
function filledFilters({ source, path, version, ...rest }: NonNullable<PlanStep['filters']>, values: Values) {
  return {
    ...rest,
    ...defined({ source: fillText(source, values), path: fillText(path, values), version: fillText(version, values) }),
  }
}

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

/** Names of the arguments that a template uses. */
export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** Fills in a template. Null if an argument that it uses is not given. A template of one argument keeps its type. */
export function fillTemplate(template: string, values: Values): string | number | boolean | null {
  const names = placeholdersOf(template)
  if (names.some((name) => isBlank(values[name] ?? null))) return null
  const [only] = names
  const value = values[only ?? '']
  if (template === `{${only}}` && (typeof value === 'number' || typeof value === 'boolean')) return value
  return template.replaceAll(PLACEHOLDER, (_, name: string) => String(values[name])).trim()
}

function fillText(template: string | undefined, values: Values): string | undefined {
  const filled = template === undefined ? null : fillTemplate(template, values)
  return filled === null ? undefined : String(filled)
}

/** The arguments of a step, without those that need a missing argument. */
export function fillArguments(given: PlanStep['arguments'], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const filled = fillValue(value, values)
      return filled === null ? [] : [[name, filled]]
    }),
  )
}

function fillValue(value: PlanStep['arguments'][string], values: Values): string | number | boolean | null {
  if (typeof value === 'string') return fillTemplate(value, values)
  if (Array.isArray(value))
    return value.map((template) => fillTemplate(template, values)).find((each) => each !== null) ?? null
  // The arguments of a remote tool. Values are filled in before they are written as JSON, so they cannot break out.
  if (typeof value === 'object') return JSON.stringify(fillArguments(value.json, values))
  return value
}

export function templatesOf(value: PlanStep['arguments'][string]): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value
  return typeof value === 'object' ? Object.values(value.json).filter((each) => typeof each === 'string') : []
}
