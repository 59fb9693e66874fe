import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Outcome } from '@docent/contract/values/outcomes'
import type { Library, Scope } from '#documents/library.ts'
import type { FlatSchema } from '../definition/flat-schema.ts'
import type { CitedPassage, Tool, ToolCitation, ToolContext } from '../definition/tool.ts'
import { isBlank, ToolError } from '../definition/tool-result.ts'
import { oneLine } from '../passages/format-citation.ts'
import { findSource, knownVersion } from '../arguments/named-source.ts'

export type Found = CitedPassage & { citation: ToolCitation | undefined }

export type StepResult = {
  heading: string | undefined
  /** Answer in sentences, for `ask_question`. Its marks `[n]` count the passages of the step. */
  lead: string
  found: Found[]
  notes: string[]
  outcome: Outcome
  confidence: string | undefined
  failure: string | undefined
}

/** Notes of a built-in tool about itself, which the caller of a custom tool cannot follow. */
const OF_THE_TOOL = /^More: call |\bAsk for something narrower|^There is no argument /

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
  // A search without its query would read a page, or list remote tools.
  const needed = 'query' in step.arguments ? [...required, 'query'] : required
  if (needed.some((each) => args[each] === undefined)) return null
  const heading = fillText(step.heading, values)
  const limited = await restrictContext(context, step.filters, values)
  try {
    const result = await tool.prepare(args)(limited.context, signal)
    const { lead = '', passages = [], citations = [], outcome, confidence, failure } = result
    const notes = result.structuredContent?.notes ?? []
    const ranked = new Map(citations.map((citation) => [citation.rank, citation]))
    return {
      heading,
      lead,
      found: passages.map((passage) => ({ ...passage, citation: ranked.get(passage.n) })),
      notes: [...limited.notes, ...notes.filter((note) => !OF_THE_TOOL.test(note))],
      outcome,
      confidence,
      failure,
    }
  } catch (error) {
    // The arguments come from the caller through the plan. Another step may still find something.
    if (!(error instanceof ToolError) || error.reason === 'failed') throw error
    const notes = [...limited.notes, error.message]
    return { heading, lead: '', found: [], notes, outcome: 'none', confidence: undefined, failure: undefined }
  }
}

/**
 * The context of a step that sees only the pages its filters allow. A filter that the server cannot have, such as a
 * source that it lacks, is dropped with a note: the same tool may be attached to several servers.
 */
async function restrictContext(
  context: ToolContext,
  filters: PlanStep['filters'],
  values: Values,
): Promise<{ context: ToolContext; notes: string[] }> {
  const scope: Scope = {}
  const notes: string[] = []
  const source = fillText(filters?.source, values)
  if (source !== undefined) {
    const found = findSource(context.server, source)
    if (found) scope.sourceId = found.id
    else notes.push(`This server has no source "${oneLine(source)}"; all sources were used.`)
  }
  if (filters?.type !== undefined) scope.type = filters.type
  const path = fillText(filters?.path, values)
  if (path !== undefined) scope.path = path
  const version = await knownVersion(context.library, fillText(filters?.version, values), scope)
  if (version.version !== undefined) scope.version = version.version
  const server = { ...context.server, sources: context.server.sources.map((each) => ({ ...each, allowedTools: [] })) }
  return {
    // Remote tools that may change something are for callers who name them, not for plans.
    context: { ...context, server, ...(Object.keys(scope).length > 0 ? restricted(context, scope) : {}) },
    notes: [...notes, ...version.notes],
  }
}

function restricted({ search, library }: ToolContext, scope: Scope): Pick<ToolContext, 'search' | 'library'> {
  const within = (asked: Scope = {}): Scope => ({ ...asked, ...scope })
  const seen: Library = {
    analyserOf: library.analyserOf,
    has: (kinds, asked) => library.has(kinds, within(asked)),
    pagesOf: (kinds, asked) => library.pagesOf(kinds, within(asked)),
    named: (wanted, asked) => library.named(wanted, within(asked)),
    pagesAt: (urls, asked) => library.pagesAt(urls, within(asked)),
    all: (asked) => library.all(within(asked)),
    outline: (sourceId) => library.outline(sourceId),
    versions: (asked) => library.versions(within(asked)),
    open: (pages) => library.open(pages),
  }
  return { search: (request, signal) => search({ ...request, ...scope }, signal), library: seen }
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
