import type { CustomToolPlan, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { EXACT } from './words.ts'
import type { Request } from './read-prompt.ts'
import type { Role } from './survey.ts'

export type Argument = { name: string; role: Role; description: string; isRequired: boolean; choices?: string[] }

/** Arguments, steps and form of a plan. */
export type Parts = { arguments: Argument[]; steps: PlanStep[]; form: CustomToolPlan['output']['form'] }

/** The arguments that name the subject, and a query of all of them. */
export function subjectOf(
  { entities, choices }: Request,
  otherwise: string,
  description?: string,
): { given: Argument[]; query: string } {
  const names = entities.length > 0 ? entities.slice(0, 3) : [otherwise]
  const given = names.map((name): Argument => {
    // The alternatives of the request belong to its first noun.
    const listed = name === names[0] && choices.length > 1 ? { choices } : {}
    const role: Role = listed.choices ? 'choice' : EXACT.has(name) ? 'name' : 'text'
    return { name, role, isRequired: true, description: description ?? describe(name, role), ...listed }
  })
  const [only] = given
  // Of a list of alternatives alone nothing can be found.
  if (given.length === 1 && only?.choices)
    given.push({ name: 'topic', role: 'text', isRequired: true, description: describe('topic', 'text') })
  return { given, query: given.map(({ name }) => `{${name}}`).join(' ') }
}

function describe(name: string, role: Role): string {
  const noun = name.replace(/_name$/, '').replaceAll('_', ' ')
  if (role === 'choice') return `Which ${noun}`
  if (role === 'name') return `Name of the ${noun}, as the documentation writes it`
  if (name === 'error') return 'The error message or symptom, word for word where possible'
  if (name === 'question') return 'The question, in plain words'
  if (name === 'term') return 'The term to explain'
  return `The ${noun}, in a few words`
}
