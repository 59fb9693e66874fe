import type { operations } from '@docent/contract/operations'
import type { z } from 'zod'

export type { ErrorCode } from '@docent/contract/errors'

type All = typeof operations

/**
 * Input and answer of each operation. The published package has the same as plain types, without the schemas and their
 * library (`sdk/build/describe-types.ts`).
 */
export type Operations = {
  [Id in keyof All]: {
    input: z.input<All[Id]['input']>
    output: z.output<All[Id]['output']>
    isStream: All[Id] extends { produces: string } ? true : false
  }
}
