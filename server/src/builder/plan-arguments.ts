import type { CustomToolPlan, PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Asked } from './read-inputs.ts'
import type { Request } from './read-request.ts'
import type { Role, Survey } from './survey.ts'
import requests from '#grammar/phrases/requests.json' with { type: 'json' }

/** An argument of a plan, with the purpose that decides about its inputs in trial calls. */
export type Argument = { name: string; role: Role; description: string; isRequired: boolean; choices?: string[] }

/** The arguments and steps for a purpose. */
export type Design = { given: Argument[]; steps: PlanStep[]; form: CustomToolPlan['output']['form'] }

/** What a design knows besides the request. `survey` is null if there is no content yet. */
export type Known = { survey: Survey | null; filters: PlanStep['filters']; versions: readonly string[] }

/** A required argument. */
export const needed = (name: string, role: Role, description = describe(name, role)): Argument => ({
  name,
  role,
  isRequired: true,
  description,
})

/** An argument that callers can leave out. */
export const optional = (argument: Argument): Argument => ({ ...argument, isRequired: false })

export const THINGS: Readonly<Record<string, { kinds: string }>> = requests.things
/** Things that callers give in their own words, not by name. */
const IN_WORDS: ReadonlySet<string> = new Set(['error', 'example'])

/** The inputs as arguments. `names`: a thing is given by its name. */
export function argumentsOf(asked: readonly Asked[], otherwise: string, role: Role = 'text'): Argument[] {
  const given = asked.slice(0, 3).map(({ name, thing, isText, isOwner, choices }): Argument => {
    const own: Role =
      choices.length > 1
        ? 'choice'
        : name === 'version'
          ? 'version'
          : thing === null || isText || IN_WORDS.has(thing)
            ? 'text'
            : 'name'
    return {
      name,
      role: own,
      isRequired: !isOwner,
      description: describe(name, own),
      ...(choices.length > 1 ? { choices } : {}),
    }
  })
  const all = given.length > 0 ? given : [needed(otherwise, role)]
  // Of a list of alternatives alone nothing can be found.
  return all.length === 1 && all[0]?.choices ? [...all, needed('topic', 'text')] : all
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['error', 'The error message or symptom, word for word where possible'],
  ['question', 'The question, in plain words'],
  ['task', 'What is to be done, in a few words, or the name of the thing for it'],
  ['page', 'Address, path or title of the page'],
])

export function describe(name: string, role: Role): string {
  const noun = name.replace(/_name$/, '').replaceAll('_', ' ')
  if (role === 'choice') return `Which ${noun}`
  if (role === 'version') return 'The version, such as 2 or 2.1.0'
  const known = DESCRIPTIONS.get(name)
  if (known !== undefined) return known
  return role === 'name' || role === 'owner'
    ? `Name of the ${noun}, as the documentation writes it`
    : `The ${noun}, in a few words`
}

export const queryOf = (given: readonly Argument[]) => given.map(({ name }) => `{${name}}`).join(' ')

/** A template with and without an optional argument; with none, the words of the request alone. */
export function withSubject(subject: string, given: readonly Argument[]): string | string[] {
  const query = queryOf(given)
  const all = [subject, query].filter(Boolean).join(' ')
  return given.length > 0 && given.every(({ isRequired }) => !isRequired) && subject !== '' ? [all, subject] : all
}

/** Inputs of a purpose that the words of the request can do without: `deploying to production`. */
export function topicOf({ asked, subject }: Request, otherwise: string): Argument[] {
  if (asked.length > 0 || subject === '') return argumentsOf(asked.map(asText), otherwise)
  return [optional(needed(otherwise, 'text'))]
}

export const asText = (asked: Asked): Asked => ({ ...asked, thing: null, isText: true })

type Arguments = PlanStep['arguments']

/** `more`: when the step runs, and its heading. */
export const stepOf = (operation: PlanStep['operation'], args: Arguments, more: Partial<PlanStep> = {}): PlanStep => ({
  operation,
  arguments: args,
  ...more,
})

export const searchStep = (query: string | string[], limit: number, more: Partial<PlanStep> = {}): PlanStep =>
  stepOf('search_docs', { query, limit }, more)
