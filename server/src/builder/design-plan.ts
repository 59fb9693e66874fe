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
