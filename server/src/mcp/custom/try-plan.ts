import type { CustomToolPlan, PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Draft, Trial } from '#builder/survey.ts'
import { compareVersions, parseVersion } from '#lib/text/version.ts'
import { hasCode, pathMatcherOf, pathOf } from '#search/rank/page-filter.ts'
import { codeOf } from '#documents/model/read-block.ts'
import { findReleases } from '#documents/changelog/find-releases.ts'
import { findSource } from '../arguments/named-source.ts'
import { ToolError } from '../definition/tool-result.ts'
import type { ToolContext } from '../definition/tool.ts'
import { chooseInputs } from './choose-inputs.ts'
import { hasFound, type OperationOf, runPlan } from './custom-tool.ts'
import type { StepResult } from './run-step.ts'

/** Runs a plan on inputs from the content, and checks that the results do what the request says. */
export async function tryPlan(
  context: ToolContext,
  { plan, roles, topic }: Draft & { topic: string },
  operationOf: OperationOf,
  signal?: AbortSignal,
): Promise<Trial[]> {
  // Calls of a remote server are for callers, who have real inputs.
  if (plan.steps.some(({ operation, arguments: { tool } }) => operation === 'query_source' && tool !== undefined))
    return []
  const trials: Trial[] = []
  for (const input of await chooseInputs(context, { plan, roles, topic }, signal)) {
    try {
      const results = await runPlan(plan, { context, values: input, operationOf, signal })
      trials.push({ input, problem: await problemOf(context, { plan, roles, input, results }) })
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      trials.push({ input, problem: error.message })
    }
  }
  return trials
}

type Tried = Draft & { input: Record<string, unknown>; results: readonly StepResult[] }

async function problemOf(context: ToolContext, tried: Tried): Promise<string | null> {
  const { plan, results, roles } = tried
  if (!results.some(hasFound)) return results.flatMap(({ notes }) => notes)[0] ?? 'It found nothing.'
  const owner = plan.steps.find(({ operation }) => operation === 'find_entries')?.arguments['of']
  const isByName = Object.values(roles).includes('name')
  if (typeof owner === 'string' && isByName && !results.some(({ operation }) => operation === 'find_entries'))
    return `It found nothing of “${owner}”.`
  const outside = plan.steps.flatMap(({ filters }) => (filters ? outsideOf(context, filters, results) : []))
  if (outside.length > 0) return `It cited ${outside[0]}, which the request excludes.`
  return (await problemOfReleases(context, tried)) ?? problemOfData(tried)
}

/** Addresses that a filter does not allow. */
function outsideOf(
  { server }: ToolContext,
  { source, path }: NonNullable<PlanStep['filters']>,
  results: readonly StepResult[],
): string[] {
  const id = source === undefined ? undefined : findSource(server, source)?.id
  const matches = path === undefined ? null : pathMatcherOf(path)
  return results.flatMap(({ found }) =>
    found.flatMap(({ citation, url }) => {
      const isAllowed =
        (id === undefined || citation === undefined || citation.sourceId === id) &&
        (matches === null || matches(pathOf(url)))
      return isAllowed ? [] : [url]
    }),
  )
}

/** The newest release must be the newest that the sources describe. */
async function problemOfReleases({ library }: ToolContext, { plan, results }: Tried): Promise<string | null> {
  const isLatest = plan.steps.some(
    ({ operation, arguments: { version } }) => operation === 'read_releases' && version === 'latest',
  )
  if (!isLatest) return null
  const releases = await findReleases(library, {})
  const told = typeof releases === 'string' ? [] : releases.found
  const finished = told.flatMap(({ version, kind }) => (version?.pre === null && kind !== 'migration' ? version : []))
  const [newest] = finished.toSorted((one, other) => compareVersions(other, one))
  const shown = results.flatMap(({ data }) => namesIn(data)).flatMap((name) => parseVersion(name) ?? [])
  const isShown = newest === undefined || shown.some((version) => compareVersions(version, newest) === 0)
  return isShown ? null : `It did not return the newest release, ${newest.text}.`
}

function namesIn(data: Record<string, unknown>): string[] {
  const { names } = data
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** Fewer are no list. */
const LEAST_POINTS = 2

/** Checks what the first result shows: the asked name, all sides, points, languages, or the words of the input. */
function problemOfData({ plan, roles, input, results }: Tried): string | null {
  const [shown] = results.filter(hasFound)
  if (shown === undefined) return null
  const { operation, data } = shown
  const names = namesIn(data)
  const name = Object.entries(input).find(([argument]) => roles[argument] === 'name')?.[1]
  if (operation === 'find_entries' && typeof name === 'string' && data['match'] !== 'named')
    return `It found no entry with the name “${name}”.`
  if (operation === 'compare_entries' && data['match'] !== 'named') return 'It did not find all of the compared things.'
  if ((operation === 'read_checklist' || operation === 'read_steps') && names.length < LEAST_POINTS)
    return 'It found fewer than two points.'
  if (operation === 'list_entries' && names.some((each) => !shown.lead.includes(each.slice(0, 60))))
    return 'Its table lacks a name.'
  const foreign = foreignCode(plan, results)
  if (foreign !== undefined) return `It returned code in ${foreign ?? 'no language'}.`
  return names.length > 0 || isAbout(results, input, plan) ? null : 'It found nothing about it.'
}

/** The language of a code block that the plan does not allow. Undefined if there is none. */
function foreignCode({ steps }: CustomToolPlan, results: readonly StepResult[]): string | null | undefined {
  const wanted = steps.find(({ operation }) => operation === 'get_code_examples')?.arguments['language']
  const languages = Array.isArray(wanted) ? wanted.at(-1) : wanted
  if (typeof languages !== 'string' || languages.includes('{')) return undefined
  const blocks = results.flatMap(({ found }) => found.flatMap(({ text }) => codeOf(text)))
  return blocks.find(({ language }) => !hasCode(language ?? '', languages))?.language
}

/** True if the results have half of the words of the input, without choices and versions, which they need not repeat. */
function isAbout(
  results: readonly StepResult[],
  input: Record<string, unknown>,
  { inputSchema }: CustomToolPlan,
): boolean {
  const texts = Object.entries(input).map(([name, value]) =>
    typeof value !== 'string' || inputSchema.properties[name]?.enum ? '' : value,
  )
  const said = texts.filter((each) => !/^[\d.-]+$/.test(each)).join(' ')
  const words = new Set(said.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
  const lower = results
    .flatMap(({ lead, found }) => [lead, ...found.flatMap(({ title, heading, text }) => [title, heading, text])])
    .join('\n')
    .toLowerCase()
  return [...words].filter((word) => lower.includes(word)).length * 2 >= words.size
}
