import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import { jsonSchemaDocument } from '#extract/repository/json-schema-document.ts'

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
const shelf = openShelf(
  {
    type: 'api',
    label: 'API',
    pages: [
      {
        url: 'https://api.example/openapi.json?docent-schema=User',
        title: 'User (schema)',
        markdown: `# User\n\nSchema \`User\`: object.\n\n## Fields\n\n| Field | Type | Required | Description |\n| --- | --- | --- | --- |\n| \`name\` | string | yes | How it is called. |\n| \`address.city\` | string |  |  |\n| \`tags[]\` | string |  |  |\n\n## JSON Schema\n\n${code('json', '{\n  "type": "object",\n  "properties": { "name": { "type": "string" } }\n}')}`,
      },
      {
        url: 'https://api.example/openapi.json?docent-operation=POST+/users',
        title: 'Make a user: POST /users',
        markdown:
          '# Make a user: POST /users\n\n## Parameters\n\n| Name | In | Type |\n| --- | --- | --- |\n| `dry` | query | boolean |\n\n## Request body\n\n| Field | Type | Required |\n| --- | --- | --- |\n| `name` | string | yes |\n| `address.city` | string |  |\n| `tags[].id` | integer | yes |\n',
      },
    ],
  },
  {
    label: 'Docs',
    pages: [
      {
        url: 'https://w.example/data',
        markdown: [
          '# Data',
          '## Store',
          code(
            'sql',
            'CREATE TABLE other (id int);\n\n-- Who is there.\nCREATE TABLE IF NOT EXISTS "members" (\n  id int PRIMARY KEY,\n  name varchar(20) DEFAULT (lower(\'A\'))\n);\n\nSELECT 1;',
          ),
          '## Types',
          code(
            'ts',
            "import x from 'y'\n\nexport interface Member extends Person {\n  tags: { id: number }[]\n}\n\ntype Id = string | number\n\nexport type Other = Member",
          ),
          '## Graph',
          code('graphql', 'type Member implements Node {\n  id: ID!\n}\n\ntype MemberList {\n  all: [Member]\n}'),
          '## More',
          code('proto', 'message Ping {\n  string id = 1;\n}'),
          code('python', 'class Pong(Base):\n    id: int\n\n    name: str\n\ndef other(): pass'),
          code('json', '{"$defs": {"Crate": {"type": "object"}}}'),
        ].join('\n\n'),
      },
    ],
  },
)
const MEMBERS_TABLE = `-- Who is there.
CREATE TABLE IF NOT EXISTS "members" (
  id int PRIMARY KEY,
  name varchar(20) DEFAULT (lower('A'))
);`

const ask = (args: object) => shelf.call('extract_schema', args)

describe('definitions', () => {
  test.each([
    ['members', 'sql', MEMBERS_TABLE],
    ['Id', 'typescript', 'type Id = string | number'],
    ['Ping', 'protobuf', 'message Ping {\n  string id = 1;\n}'],
    ['Pong', 'python', 'class Pong(Base):\n    id: int\n\n    name: str\n'],
    ['Crate', 'json_schema', '{\n  "type": "object"\n}'],
  ])('shows the definition of %s as written in the source', async (name, format, text) => {
    const { structured } = await ask({ name })
    expect(structured.results).toMatchObject([{ format, url: expect.stringContaining('https://w.example/data#') }])
    expect(structured.results[0].text.trim()).toBe(text.trim())
  })

  test('shows a definition in every available form, or in the requested one', async () => {
    const { structured } = await ask({ name: 'Member', limit: 5 })
    expect(structured.formats.toSorted()).toEqual(['graphql', 'typescript'])
    const { structured: ts, text } = await ask({ name: 'Member', format: 'typescript' })
    expect(ts.results).toMatchObject([
      { heading: 'Types', text: 'export interface Member extends Person {\n  tags: { id: number }[]\n}' },
    ])
    expect(text).toMatch(
      /^\[1\] Data › Types\nSource: https:\/\/w\.example\/data#types\n\n```typescript\nexport interface/,
    )
  })

  test('notes that a definition is in another form than requested', async () => {
    const { text, structured } = await ask({ name: 'Ping', format: 'sql' })
    expect(structured.results).toMatchObject([{ format: 'protobuf' }])
    expect(text).toContain('[note] The sources do not have it as sql, but as protobuf.')
  })
})

describe('schemas of an API', () => {
  test('shows a schema as JSON Schema with its fields', async () => {
    const { structured } = await ask({ name: 'User' })
    expect(structured.results).toMatchObject([
      {
        format: 'json_schema',
        text: '{\n  "type": "object",\n  "properties": { "name": { "type": "string" } }\n}',
        fields: [{ name: 'name', type: 'string', required: true }, { name: 'address.city' }, { name: 'tags[]' }],
      },
    ])
  })

  test.each([
    '{ "items": [], "total": 0 }',
    '{ "items": [{ "id": 1, "type": "book" }] }',
    '{ "items": { "id": 1 } }',
    '{ "properties": { "plan": "pro" } }',
    '{ "properties": true, "enum": "red" }',
    '{ "oneOf": 1 }',
  ])('does not take the example %s for a schema', async (example) => {
    const schema = '{ "type": "object", "properties": { "items": { "type": "array", "items": {} } } }'
    const page = (text: string) =>
      openShelf({
        type: 'api',
        pages: [
          {
            url: 'https://api.example/openapi.json?docent-schema=Crate',
            title: 'Crate (schema)',
            markdown: `# Crate\n\n## Fields\n\n| Field | Type |\n| --- | --- |\n| \`items\` | array |\n\n## Example\n\n${code('json', example)}${text}`,
          },
        ],
      }).call('extract_schema', { name: 'Crate' })
    expect((await page(`\n\n## JSON Schema\n\n${code('json', schema)}`)).structured.results).toMatchObject([
      { format: 'json_schema', text: schema },
    ])
    expect((await page('')).structured.results).toMatchObject([{ format: 'table' }])
  })

  test('shows a table unchanged, with the schema derived from it', async () => {
    const { structured, text } = await ask({ name: 'POST /users' })
    expect(text).toContain('| `tags[].id` | integer | yes |')
    expect(structured.results).toMatchObject([
      {
        format: 'table',
        derivedJsonSchema: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            address: { type: 'object', properties: { city: { type: 'string' } } },
            tags: { type: 'array', items: { properties: { id: { type: 'integer' } }, required: ['id'] } },
          },
        },
      },
    ])
    const [, told = ''] = /made from this table:\n\n```json\n(.+)\n```/.exec(text) ?? []
    expect(JSON.parse(told)).toEqual(structured.results[0].derivedJsonSchema)
  })
})

test('explains where schemas come from if nothing defines the name', async () => {
  const { text, structured } = await ask({ name: 'Nobody' })
  expect(text).toMatch(/^\[note\] The sources define nothing called "Nobody"\. .*add the API's description/)
  expect(structured.results).toEqual([])
})

test.each([
  [{}, '"name" must be text'],
  [{ name: 'User', format: 'xml' }, '"format" must be one of json_schema, typescript'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('extract_schema', args)).toContain(sentence)
})

const typed = (name: string, type: string) => `#### Entry.${name}\n\n**Type:** \`${type}\`\n\nThe ${name} of an entry.`

test('reads a type that is documented in a section for each field', async () => {
  const markdown = `# Reference\n\n## Types\n\n### Entry\n\nEach entry is an object:\n\n${typed('id', 'string')}\n\n${typed('body?', 'string | undefined')}\n\n### Other\n\n#### One\n\nProse.\n\n#### Two\n\n**Type:** none\n\n#### Three\n\nProse.`
  const shelf = openShelf({ pages: [{ url: 'https://w.example/reference', markdown }] })
  const { structured, text } = await shelf.call('extract_schema', { name: 'Entry' })
  expect(structured.results).toMatchObject([
    {
      format: 'table',
      fields: [
        { name: 'id', type: 'string', required: null, description: 'The id of an entry.' },
        { name: 'body', type: 'string | undefined', required: false },
      ],
    },
  ])
  expect(text).toContain('Source: https://w.example/reference#entry')
  expect((await shelf.call('extract_schema', { name: 'Other' })).structured.results).toEqual([])
})

test.each([
  [
    'a class of Sphinx, without the parameters of its methods',
    'Wheel',
    '### class shop.Wheel(name, teeth=12)\n\nA wheel.\n\n**Parameters**\n\n- **name** (*str*) – Name on the rim.\n- **teeth** (*Optional**[**int**]*) – Number of teeth.\n\n#### turn(angle)\n\n**Parameters**\n\n- **angle** (*float*) – Degrees.',
    [
      { name: 'name', type: 'str', description: 'Name on the rim.' },
      { name: 'teeth', type: 'Optional[int]', description: 'Number of teeth.' },
    ],
  ],
  [
    'paragraphs with a name and its type',
    'sys_wheel',
    '### sys_wheel\n\n`oid` `oid`\n\nRow identifier\n\n`rim` `oid` (references [`sys_rim`](https://w.example/rim).`oid`)\n\nThe rim of the wheel',
    [
      { name: 'oid', type: 'oid', description: 'Row identifier' },
      { name: 'rim', type: 'oid', description: 'The rim of the wheel' },
    ],
  ],
])('reads %s', async (_, name, section, fields) => {
  const markdown = `# Reference\n\nWheels of all kinds.\n\n${section}\n\n### Other\n\nProse.\n`
  const shelf = openShelf({ pages: [{ url: 'https://w.example/reference', markdown }] })
  const { structured } = await shelf.call('extract_schema', { name })
  expect(structured.results).toHaveLength(1)
  expect(structured.results[0].fields).toMatchObject(fields)
  expect(structured.results[0].fields).toHaveLength(fields.length)
})

describe('references of a JSON Schema', () => {
  const files = {
    'schema/order.json': {
      $id: 'https://shop.example/order.json',
      title: 'Order',
      type: 'object',
      properties: {
        item: { $ref: '#/definitions/item' },
        buyer: { $ref: 'people/all.json#/$defs/person' },
        price: { $ref: 'https://shop.example/money.json' },
        other: { $ref: 'https://elsewhere.example/money.json' },
      },
      definitions: { item: { type: 'object', properties: { order: { $ref: '#' } } } },
    },
    'schema/people/all.json': { $defs: { person: { type: 'object', required: ['name'], properties: {} } } },
    'schema/money.json': { $id: 'https://shop.example/money.json', type: 'number' },
  }
  const pages = Object.entries(files).map(([path, schema]) => {
    const file = jsonSchemaDocument(path, JSON.stringify(schema, null, 2))
    if (file === null) throw new Error(`${path} gives no document.`)
    const anchors = (file.lines ?? []).map(({ offset, line }) => ({ offset, anchor: `L${line}` }))
    return { url: `upload://shop/${path}`, title: file.title, markdown: file.markdown, anchors }
  })
  const shop = openShelf({ pages })

  test('follows them in the document, to other files and to ids, and says nothing of others', async () => {
    const { structured, text } = await shop.call('extract_schema', { name: 'order' })
    expect(structured.results[0].references.map(({ ref, url }: any) => [ref, url])).toEqual([
      ['#/definitions/item', 'upload://shop/schema/order.json#L20'],
      ['people/all.json#/$defs/person', 'upload://shop/schema/people/all.json#L3'],
      ['https://shop.example/money.json', 'upload://shop/schema/money.json#L1'],
      ['#', 'upload://shop/schema/order.json#L1'],
    ])
    expect(text).toContain(
      'Refers to `https://shop.example/money.json` (upload://shop/schema/money.json#L1):\n\n```json',
    )
    expect(text).not.toContain('Refers to `https://elsewhere')
  })

  test('finds a definition by its name', async () => {
    const { structured } = await shop.call('extract_schema', { name: 'person' })
    expect(structured.results).toMatchObject([
      { format: 'json_schema', heading: 'person (schema)', text: expect.stringContaining('"required"') },
    ])
  })
})

test('gives the parameters of an operation and what it returns', async () => {
  const url = 'https://api.example/openapi.json?docent-operation=GET+/carts'
  const markdown =
    '# List carts: GET /carts\n\n## Parameters\n\n| Name | In | Type |\n| --- | --- | --- |\n| `page` | query | integer |\n\n## Responses\n\n### 200: The carts.\n\n| Field | Type |\n| --- | --- |\n| `[].id` | integer |\n\n### 400: Bad\n\n| Field | Type |\n| --- | --- |\n| `error` | string |\n'
  const api = openShelf({ type: 'api', pages: [{ url, title: 'List carts: GET /carts', markdown }] })
  const { structured } = await api.call('extract_schema', { name: 'GET /carts' })
  expect(structured.results.map(({ heading, fields }: any) => [heading, fields[0].name])).toEqual([
    ['', 'page'],
    ['Responses › 200: The carts.', '[].id'],
  ])
})

test.each([
  [
    'MAX_TEETH',
    '### MAX_TEETH\n\nThe limit.\n\nDefault: `12`\n',
    [{ name: 'MAX_TEETH', description: 'The limit. Default: `12`' }],
  ],
  ['teeth', '### teeth\n\n+ **Type:** `number`\n+ Default: 12\n', [{ type: 'number', description: 'Default: 12' }]],
  [
    'RimOptions',
    '### Parameter: `RimOptions`\n\n* **width** `number` (optional) - Default: `2`\n',
    [{ name: 'width', type: 'number', required: false }],
  ],
])('reads the value of a setting, and options behind their kind: %s', async (name, section, fields) => {
  const markdown = `# Reference\n\nWheels of all kinds.\n\n${section}\n### Other\n\nProse.\n`
  const shelf = openShelf({ pages: [{ url: 'https://w.example/reference', markdown }] })
  const { structured } = await shelf.call('extract_schema', { name })
  expect(structured.results).toMatchObject([{ format: 'table', fields }])
})

test('lists the members below the declaration of a class', async () => {
  const markdown =
    '# Wheel\n\n## Class Wheel\n\n```java\npublic class Wheel\nextends Object\n```\n\n### Method Summary\n\n| Modifier and Type | Method | Description |\n| --- | --- | --- |\n| `int` | `teeth()` | Counts the teeth. |\n'
  const shelf = openShelf({ pages: [{ url: 'https://w.example/Wheel.html', markdown }] })
  const { text } = await shelf.call('extract_schema', { name: 'Wheel' })
  expect(text).toContain('extends Object\n```\n\nIt has:\n\n- `teeth()` (int): Counts the teeth.')
})
