import { ERRORS, type ErrorCode } from '@docent/contract/errors'
import type { z } from 'zod'
import { DocentError } from '#errors.ts'

/**
 * Describes an invalid value in words that follow its name. Passed to the validator for schemas without a message,
 * because its default messages are for programmers.
 */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return limit(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return limit(issue.origin, 'at most', Number(issue.maximum))
    default:
      return 'must have another form'
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

function limit(origin: string, side: 'at least' | 'at most', bound: number): string {
  const unit = UNITS[origin]
  if (unit === undefined) return `must be ${side} ${bound.toLocaleString('en')}`
  return `must have ${side} ${bound.toLocaleString('en')} ${unit}${bound === 1 ? '' : 's'}`
}

/** The 400 error for refused input. The first issue decides; its message can be an error code. */
export function toInputError({ issues: [issue] }: z.ZodError): DocentError {
  if (issue && issue.message in ERRORS) return new DocentError(issue.message as ErrorCode)
  return new DocentError('invalid_input', {
    text: `${nameOf(issue?.path ?? [])} ${issue?.message ?? 'must have another form'}.`,
  })
}

/** The path in program notation: `sources[0].url`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return name.slice(1) || 'The request'
}
