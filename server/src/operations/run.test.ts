import { operations } from '@docent/contract/operations'
import { WEBHOOK_EVENTS } from '@docent/contract/operations/webhooks'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** Objects of a JSON schema that allow other members than those it names. Records are not meant. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isOpen =
    'properties' in schema && (!('additionalProperties' in schema) || schema.additionalProperties !== false)
  const inside = Object.entries(schema).flatMap(([name, member]) => openObjects(member, `${path}.${name}`))
  return isOpen && 'type' in schema && schema.type === 'object' ? [path, ...inside] : inside
}

test('answers and events have only the members of the contract, whatever else a row holds', () => {
  const outputs = [
    ...Object.entries(operations).map(([id, { output }]) => [id, output] as const),
    ...Object.entries(WEBHOOK_EVENTS).map(([type, { data }]) => [type, data] as const),
  ]
  const found = outputs.flatMap(([name, output]) =>
    openObjects(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }), name),
  )
  expect(found).toEqual([])
})
