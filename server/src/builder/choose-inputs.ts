import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { Draft, Role, Survey } from './survey.ts'

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
