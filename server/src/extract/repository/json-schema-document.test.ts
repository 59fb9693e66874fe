import { expect, test } from 'vitest'
import { declaresJsonSchema, jsonSchemaDocument } from './json-schema-document.ts'

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://shop.example/order.json',
  title: 'Order of a shop',
  description: 'What somebody buys.',
  type: 'object',
  required: ['item'],
  properties: { item: { $ref: '#/$defs/item' } },
  $defs: {
    item: { type: 'object', description: 'A thing.', properties: { count: { type: 'integer' } } },
    'https://shop.example/money.json': { type: 'number' },
  },
}
const written = JSON.stringify(schema, null, 2)

test('converts a JSON Schema to a section per definition, at the lines of the file', () => {
  const document = jsonSchemaDocument('schemas/order.schema.json', written)
  expect(document?.title).toBe('order (schema)')
  const { markdown = '', lines = [] } = document ?? {}
  expect(markdown).toContain(
    '# order (schema)\n\nOrder of a shop\n\nJSON Schema `schemas/order.schema.json`, `https://shop.example/order.json`: object.\n\nWhat somebody buys.',
  )
  expect(markdown).toMatch(/\| `item` \| item \| yes \| A thing\. \|\n\| `item\.count` \| integer \|/)
  expect(markdown).toContain('## item (schema)\n\nA thing.')
  expect(markdown).toContain('## money (schema)\n\n```json\n{\n  "type": "number"\n}\n```')
  const lineAt = (at: number) => written.split('\n')[at - 1]?.trim()
  expect(lines.map(({ offset, line }) => [markdown.slice(offset, offset + 10), lineAt(line)])).toEqual([
    ['# order (s', '{'],
    ['## item (s', '"item": {'],
    ['## money (', '"https://shop.example/money.json": {'],
  ])
})

test('names a schema by its title if the file says only a version', () => {
  const title = (path: string) => jsonSchemaDocument(path, written)?.title
  expect(title('schemas/3.0.0.json')).toBe('Order of a shop (schema)')
  expect(title('schema.json')).toBe('Order of a shop (schema)')
})

test('reads a schema in YAML, and no other data', () => {
  const document = jsonSchemaDocument('a.yaml', 'type: object\ndefinitions:\n  lid:\n    type: string\n')
  expect(document?.lines?.map(({ line }) => line)).toEqual([1, 3])
  expect(jsonSchemaDocument('a.json', '[]')).toBeNull()
  expect(jsonSchemaDocument('a.json', '{')).toBeNull()
})

test.each([
  [written, true],
  ['$schema: http://json-schema.org/schema#', true],
  ['"$schema": "http://json-schema.org/draft-07/schema#"', true],
  ['{ "$schema": "https://json.schemastore.org/tsconfig" }', false],
])('tells a JSON Schema by the meta-schema that it declares: %s', (text, expected) =>
  expect(declaresJsonSchema(text)).toBe(expected),
)
