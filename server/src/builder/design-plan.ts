import type { CustomToolPlan, PlanArgument, PlanStep } from '@docent/contract/values/custom-tool-plan'
import tools from './kinds.json' with { type: 'json' }
import { nameTool } from './name-tool.ts'
import type { Request } from './read-request.ts'
import phrases from './requests.json' with { type: 'json' }
import type { Draft, Role, Survey } from './survey.ts'

type Argument = { name: string; role: Role; description: string; isRequired: boolean; choices?: string[] }

/** The plan of a kind of tool, in which `{query}` stands for all arguments of the subject. */
type Template = {
  /** Arguments, unless the nouns of the request are. `subject`: an exact name or a text, depending on the noun. */
  arguments?: readonly (Omit<Argument, 'role'> & { role: Role | 'subject' })[]
  /** The argument if the request has no noun, and its description. */
  otherwise?: string
  description?: string
  /** Nouns that become arguments: only names, texts or errors. Absent: all. */
  takes?: 'names' | 'texts' | 'error'
  /** `if`: left out if the content has no such pages. */
  steps: readonly (PlanStep & { if?: keyof Survey['has'] })[]
  form: CustomToolPlan['output']['form']
}

/** Arguments that take an exact name, not a text. */
const EXACT: ReadonlySet<string> = new Set(phrases.exactNouns.split('|'))
/** Characters of an argument. Queries of built-in tools take up to 4,000, and versions 60. */
const LENGTHS: Record<Role, number> = { name: 300, text: 1_000, version: 40, day: 10, choice: 80 }

/** Designs a plan by rules. `filters` restrict all steps. `survey` is null if there is no content yet. */
export function designPlan(
  request: Request,
  { survey, prompt, filters }: { survey: Survey | null; prompt: string; filters: PlanStep['filters'] },
): Draft {
  const { kind, products, wantsTable, entities } = request
  const template = templateOf(request)
  const given = template.arguments ? fixedArguments(template.arguments, request, survey) : subjectOf(template, request)
  const values = {
    query: given.map(({ name }) => `{${name}}`).join(' '),
    product: products[0] ?? '',
    language: given.some(({ name }) => name === 'language') ? '{language}' : onlyLanguage(request, survey),
  }
  const steps = template.steps.flatMap(({ if: needed, ...step }) =>
    needed && survey?.has[needed] === false ? [] : [filled(step, values)],
  )
  const isTable = kind === 'find' && (wantsTable || entities.some((each) => EXACT.has(each)))
  const properties = Object.fromEntries(given.map((argument) => [argument.name, propertyOf(argument)]))
  const required = given.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const plan: CustomToolPlan = {
    ...nameTool(request, given[0]?.name ?? 'topic', prompt),
    inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    steps,
    output: { form: isTable ? 'table' : template.form },
  }
  return { plan: withFilters(plan, filters), roles: Object.fromEntries(given.map(({ name, role }) => [name, role])) }
}

function templateOf({ kind, changes, entities }: Request): Template {
  const asks = entities.length === 0 || entities.includes('question')
  const variant = kind === 'changes' ? changes : kind === 'answer' && !asks ? 'explain' : null
  return (variant === null ? tools.kinds[kind].plan : tools.variants[variant]) as Template
}

/** Restricts all steps of a plan, whoever designed it. */
export function withFilters(plan: CustomToolPlan, filters: PlanStep['filters']): CustomToolPlan {
  if (filters === undefined) return plan
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, filters: { ...step.filters, ...filters } })) }
}

function propertyOf({ description, choices, role }: Argument): PlanArgument {
  return {
    type: 'string',
    description,
    ...(choices && choices.length > 1 ? { enum: choices } : { maxLength: LENGTHS[role] }),
  }
}

/** A step whose templates have the values for the tool's own placeholders. A member without any text is left out. */
function filled(step: PlanStep, values: Readonly<Record<string, string>>): PlanStep {
  const fill = (text: string) =>
    text.replaceAll(/\{(?:query|product|language)\}/g, (name) => values[name.slice(1, -1)] ?? '')
  const text = JSON.stringify(step, (_, value: unknown) =>
    typeof value === 'string' ? fill(value).replaceAll('  ', ' ') || undefined : value,
  )
  return JSON.parse(text) as PlanStep
}

function fixedArguments(
  fixed: NonNullable<Template['arguments']>,
  { entities: [entity = 'subject'], ...request }: Request,
  survey: Survey | null,
): Argument[] {
  const languages = languagesFor(request, survey)
  return fixed.flatMap(({ role, description, ...argument }): Argument[] => {
    const own = { ...argument, description: description.replace('{noun}', entity.replaceAll('_', ' ')) }
    if (role === 'choice') return languages.length > 1 ? [{ ...own, role, choices: languages }] : []
    return [{ ...own, role: role === 'subject' ? (EXACT.has(entity) ? 'name' : 'text') : role }]
  })
}

/** The languages to choose from: those of the request that the content has, or the most frequent ones. */
function languagesFor({ languages }: Pick<Request, 'languages'>, survey: Survey | null): string[] {
  const known = survey?.languages ?? []
  const named = languages.filter((language) => survey === null || known.includes(language))
  return named.length > 0 ? named : known.slice(0, 12)
}

/** The language of the steps if there is nothing to choose: the only one of the request, or none. */
function onlyLanguage(request: Request, survey: Survey | null): string {
  const [only = ''] = languagesFor(request, survey)
  return request.languages.includes(only) ? only : ''
}

/** The arguments that name the subject. */
function subjectOf({ otherwise = 'topic', description, takes }: Template, request: Request): Argument[] {
  const taken = request.entities.filter((each) => {
    if (takes === 'error') return each === 'error'
    return takes === undefined || EXACT.has(each) === (takes === 'names')
  })
  const asks = otherwise === 'question' && request.entities.includes('question')
  const names = asks ? ['question'] : taken.slice(0, takes === undefined ? 3 : 1)
  const choices = asks ? [] : request.choices
  const given = (names.length > 0 ? names : [otherwise]).map((name, index): Argument => {
    // The alternatives of the request belong to its first noun.
    const listed = index === 0 && choices.length > 1 ? { choices } : {}
    const role: Role = listed.choices ? 'choice' : EXACT.has(name) ? 'name' : 'text'
    const own = names.length === 0 ? description : undefined
    return { name, role, isRequired: true, description: own ?? describe(name, role), ...listed }
  })
  // Of a list of alternatives alone nothing can be found.
  if (given.length === 1 && given[0]?.choices)
    given.push({ name: 'topic', role: 'text', isRequired: true, description: describe('topic', 'text') })
  return given
}

function describe(name: string, role: Role): string {
  const noun = name.replace(/_name$/, '').replaceAll('_', ' ')
  if (role === 'choice') return `Which ${noun}`
  if (role === 'name') return `Name of the ${noun}, as the documentation writes it`
  return new Map(Object.entries(phrases.descriptions)).get(name) ?? `The ${noun}, in a few words`
}
