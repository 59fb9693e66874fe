import type { z } from 'zod'
import type { OperationId, operations } from '#operations.ts'

type Operations = typeof operations
type Item<Id extends OperationId> = z.output<Operations[Id]['output']>

/** A request of an operation and its answer; of a stream, the items. `note` says how the answer was shortened. */
export type Example<Id extends OperationId> = {
  input: z.input<Operations[Id]['input']>
  output: Operations[Id] extends { produces: string } ? Item<Id>[] : Item<Id>
  note?: string
}

/** Operations whose definition has no example. */
export type Separate = { [Id in OperationId]: Operations[Id] extends { example: object } ? never : Id }[OperationId]

/** One example for each of these operations of some nouns. */
export type Examples<Noun extends string> = { [Id in Separate & `${Noun}.${string}`]: Example<Id> }
