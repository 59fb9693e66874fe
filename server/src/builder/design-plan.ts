import type { CustomToolPlan, PlanArgument } from '@docent/contract/values/custom-tool-plan'
import { nameTool } from './name-tool.ts'
import type { Parts } from './plan-subject.ts'
import { partsOf } from './plans-by-kind.ts'
import type { Request } from './read-prompt.ts'
import type { Draft, Role, Survey } from './survey.ts'

/**
 * Designs a plan by rules: the kind of the request decides the steps, its nouns the arguments, and the indexed content
 * which enumerations and filters exist. `survey` is null if there is no content yet.
 */
export function designPlan(request: Request, survey: Survey | null, prompt: string): Draft {
  const parts = partsOf(request, survey)
  const filter = filterOf(request, survey)
  const plan: CustomToolPlan = {
    ...nameTool(request, parts, prompt),
    inputSchema: inputSchemaOf(parts),
    steps: parts.steps.map((step) => (filter === null ? step : { ...step, filters: { ...step.filters, ...filter } })),
    output: { form: parts.form },
  }
  const roles = Object.fromEntries(parts.arguments.map(({ name, role }) => [name, role]))
  return { plan, roles, ignored: request.onlyFrom !== null && filter === null ? [`only from ${request.onlyFrom}`] : [] }
}

function inputSchemaOf(parts: Parts): CustomToolPlan['inputSchema'] {
  const properties = Object.fromEntries(
    parts.arguments.map(({ name, description, choices, role }): [string, PlanArgument] => [
      name,
      {
        type: 'string',
        description,
        ...(choices && choices.length > 1 ? { enum: choices } : { maxLength: LENGTHS[role] }),
      },
    ]),
  )
  const required = parts.arguments.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** Characters of an argument. Queries of built-in tools take up to 4,000, and versions 60. */
const LENGTHS: Record<Role, number> = { name: 300, text: 1_000, version: 40, day: 10, choice: 80 }

/** The pages that the request restricts the tool to: the path with most of its words. */
function filterOf({ onlyFrom, kind }: Request, survey: Survey | null): { path: string } | null {
  // The changelog tools find their pages themselves.
  if (onlyFrom === null || survey === null || kind === 'changes') return null
  const wanted = wordsOf(onlyFrom)
  const scored = survey.paths.map((path) => {
    const words = wordsOf(path.split('/').at(-1) ?? '')
    const common = words.filter((word) => wanted.includes(word)).length
    return { path, score: words.length === 0 ? 0 : common / Math.max(words.length, 1) + common / wanted.length }
  })
  const [best] = scored.toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
  return best !== undefined && best.score >= 1 ? { path: best.path } : null
}

/** Words in lower case, without plural endings. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => !/^(?:the|and|of|our|its|pages?|docs?|documentation)$/.test(word))
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))
}

/** Trial calls of a plan. Fewer if the content has fewer names. */
const TRIALS = 3

/** Inputs for trial calls: names, headings and versions of the indexed content, never made up. */
export function chooseInputs(
  { plan, roles }: Pick<Draft, 'plan' | 'roles'>,
  survey: Survey,
): Record<string, unknown>[] {
  const { properties, required = [] } = plan.inputSchema
  const inputs = Array.from({ length: TRIALS }, (_, trial) => {
    const values = required.map((name, position) => {
      const argument = properties[name]
      const role = roles[name] ?? roleOf(name, argument)
      // Two arguments of the same kind get different values.
      return [
        name,
        argument === undefined ? undefined : valueOf({ argument, role, survey }, trial + position * TRIALS, name),
      ] as const
    })
    return values.some(([, value]) => value === undefined) ? null : Object.fromEntries(values)
  })
  const seen = new Set<string>()
  return inputs.filter((input) => input !== null).filter((input) => seen.size < seen.add(JSON.stringify(input)).size)
}

type Argument = CustomToolPlan['inputSchema']['properties'][string]

/** The role of an argument in a plan that a model drafted. */
function roleOf(name: string, argument: Argument | undefined): Role {
  if (argument?.enum) return 'choice'
  if (/version|release/.test(name)) return 'version'
  return /since|date|day/.test(name) ? 'day' : 'text'
}

function valueOf(
  { argument, role, survey }: { argument: Argument; role: Role; survey: Survey },
  trial: number,
  name: string,
): unknown {
  if (argument.type === 'integer') return argument.minimum ?? 1
  if (argument.type === 'boolean') return true
  if (argument.enum) return argument.enum[trial % argument.enum.length]
  if (role === 'version') return versionFor(name, survey, trial)
  if (role === 'day') return '2000-01-01'
  const [best, other] = role === 'name' ? [survey.names, survey.headings] : [survey.headings, survey.names]
  const values = best.length > 0 ? best : other
  const value = values[trial % Math.max(1, values.length)]
  return value?.slice(0, argument.maxLength ?? 300)
}

/** The whole span of known versions in the first trial, and neighbours after that. */
function versionFor(name: string, { versions }: Survey, trial: number): string | undefined {
  const sorted = versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const step = trial % TRIALS
  if (/^(?:from|old|current|since)/.test(name)) return step === 0 || sorted.length < 2 ? '0' : sorted.at(-1 - step)
  return sorted.at(step === 0 ? -1 : -step)
}
