import { ERRORS } from '@docent/contract/errors'
import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { z } from 'zod'
import { typeText } from './type-text.ts'

/** The declarations of `sdk/src/operation-types.ts` as plain types. */
export function describeTypes(): string {
  const members = Object.entries<Operation>(operations).map(([id, { summary, input, output, produces }]) =>
    [
      `  /** ${summary} */`,
      `  ${JSON.stringify(id)}: {`,
      `    input: ${textOf(input, 'input')}`,
      `    output: ${textOf(output, 'output')}`,
      `    isStream: ${String(produces !== undefined)}`,
      '  }',
    ].join('\n'),
  )
  const codes = Object.keys(ERRORS).map((code) => `  | ${JSON.stringify(code)}`)
  return [
    '/** Codes of refusals. */',
    'export type ErrorCode =',
    ...codes,
    '',
    '/** Input and answer of each operation. */',
    'export type Operations = {',
    ...members,
    '}',
    '',
  ].join('\n')
}

const textOf = (schema: z.ZodType, io: 'input' | 'output'): string =>
  typeText(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Parameters<typeof typeText>[0], '    ')
