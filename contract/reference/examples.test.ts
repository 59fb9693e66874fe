import { expect, test } from 'vitest'
import { z } from 'zod'
import { examples } from './examples.ts'
import type { Operation } from '#operation.ts'
import { type OperationId, operations } from '#operations.ts'

const all = Object.entries<Operation>(operations).map(([id, operation]) => ({ id: id as OperationId, operation }))

test.each(all)('has a valid example of $id', ({ id, operation }) => {
  const { input, output } = examples[id]
  expect(operation.input.safeParse(input).error?.issues).toBeUndefined()
  for (const one of operation.produces ? z.array(z.unknown()).min(1).parse(output) : [output]) {
    // Unknown members would be dropped by the schema.
    expect(operation.output.parse(one)).toEqual(one)
  }
})

test.each(all)('describes every field of $id', ({ operation }) => {
  const undescribed = (['input', 'output'] as const).flatMap((io) => {
    const schema = z.toJSONSchema(operation[io], { io, unrepresentable: 'any' }) as Schema
    return bareFields(schema).map((path) => `${io} ${path}`)
  })
  expect(undescribed).toEqual([])
})

type Schema = {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Paths of fields without a description. */
function bareFields(schema: Schema, path = ''): string[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [
    ...inner.flatMap((one) => bareFields(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...bareFields(field, `${path}.${name}`),
    ]),
  ]
}
