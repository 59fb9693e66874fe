import { describe, expect, test } from 'vitest'
import { readDescription } from '../read-description.ts'

const URL = 'https://api.example.test/openapi.yaml'

/** Returns titles, Markdown and problems of a valid description. */
function read(text: string) {
  const result = readDescription({ text, url: URL })
  if (result.kind === 'rejected') throw new Error(result.detail)
  const byTitle = new Map(result.documents.map((document) => [document.title, document]))
  return { ...result, markdownOf: (title: string) => byTitle.get(title)?.markdown ?? '', titles: [...byTitle.keys()] }
}

const ORCHARD = `
openapi: 3.0.3
info: { title: Orchard, version: "2", description: "# Trees\\n\\nEverything about trees." }
servers: [{ url: "/v2", description: Live }]
security: [{ token: [] }]
paths:
  /trees/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
    get:
      operationId: getTree
      summary: One tree
      tags: [trees]
      parameters:
        - { name: season, in: query, required: true, description: Which season, schema: { type: string, enum: [spring, autumn] } }
      responses:
        "200":
          description: The tree
          content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } }
        "404": { $ref: "#/components/responses/Missing" }
    put:
      deprecated: true
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } }
      responses: { default: { description: Anything } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  responses: { Missing: { description: There is no such tree } }
  schemas:
    Tree:
      type: object
      required: [kind]
      properties:
        kind: { type: string, nullable: true, description: As gardeners call it }
        parent: { $ref: "#/components/schemas/Tree" }
        grafts: { type: array, items: { $ref: "#/components/schemas/Tree" } }
`

describe('an OpenAPI description', () => {
  const { documents, problems, markdownOf, titles } = read(ORCHARD)

  test('yields an overview, each operation and each schema', () => {
    expect(titles).toEqual(['Orchard', 'One tree: GET /trees/{id}', 'PUT /trees/{id}', 'Tree (schema)'])
    expect(problems).toEqual([])
    expect(documents.map(({ pointer }) => pointer)).toEqual([
      null,
      '/paths/~1trees~1{id}/get',
      '/paths/~1trees~1{id}/put',
      '/components/schemas/Tree',
    ])
  })

  test('documents everything about an operation that a caller needs', () => {
    const markdown = markdownOf('One tree: GET /trees/{id}')
    expect(markdown).toContain('`GET https://api.example.test/v2/trees/{id}`')
    expect(markdown).toContain('| `id` | path | integer | yes | At least: `1`. |')
    expect(markdown).toContain('| `season` | query | one of "spring", "autumn" | yes | Which season |')
    expect(markdown).toContain('### 404: There is no such tree')
    expect(markdown).toContain('`token`: header `Authorization: Bearer YOUR_TOKEN`')
    expect(markdown).toContain(
      "curl 'https://api.example.test/v2/trees/1?season=spring' \\\n  -H 'Authorization: Bearer YOUR_TOKEN'",
    )
    expect(markdownOf('PUT /trees/{id}')).toContain('**Deprecated.**')
    expect(markdownOf('PUT /trees/{id}')).toContain(
      '-H \'Content-Type: application/json\' \\\n  -d \'{\n  "kind": "string"',
    )
  })

  test('stops at cycles of schemas', () => {
    const markdown = markdownOf('Tree (schema)')
    expect(markdown).toContain('| `kind` | string or null | yes | As gardeners call it |')
    expect(markdown).toContain('| `grafts` | array of Tree |')
    expect(markdown).not.toContain('grafts[]')
  })

  test('shows the original JSON of each schema with its references', () => {
    const [, json = ''] = /## JSON Schema\n\n```json\n([\s\S]*)\n```$/.exec(markdownOf('Tree (schema)')) ?? []
    expect(JSON.parse(json)).toMatchObject({
      properties: { grafts: { items: { $ref: '#/components/schemas/Tree' } } },
    })
  })

  test('shifts the headings of embedded texts below its own', () => {
    expect(markdownOf('Orchard')).toContain('## Trees\n\nEverything about trees.')
  })
})

test('reads Swagger 2.0, also with a numeric version in YAML', () => {
  const { markdownOf } = read(
    'swagger: 2.0\ninfo: {title: Old}\nhost: old.example.test\nbasePath: /v1\nschemes: [https]\npaths:\n  /a:\n    post:\n' +
      '      consumes: [application/json]\n      parameters: [{in: body, name: body, schema: {type: object, properties: {n: {type: integer}}}}]\n' +
      '      responses: {200: {description: Fine}}\n',
  )
  expect(markdownOf('POST /a')).toContain('`POST https://old.example.test/v1/a`')
  expect(markdownOf('POST /a')).toContain('| `n` | integer |')
})

test.each([
  [
    'openapi: 3.0.3\ninfo: {title: Old}\npaths: {}\nx-webhooks:\n  tree/grown: {post: {responses: {}}}\n',
    '/x-webhooks/tree~1grown/post',
  ],
  [
    'openapi: 3.1.0\ninfo: {title: New}\nwebhooks:\n  tree/grown: {post: {responses: {}}}\n',
    '/webhooks/tree~1grown/post',
  ],
  ['swagger: "2.0"\ninfo: {title: Old}\npaths: {}\ndefinitions: {Tree: {type: object}}\n', '/definitions/Tree'],
])('points into the file as written: %j at %s', (text, pointer) => {
  expect(read(text).documents.map((document) => document.pointer)).toEqual([null, pointer])
})

test('reads webhooks, additional methods and path item references of OpenAPI 3.1 and 3.2', () => {
  const { titles } = read(
    JSON.stringify({
      openapi: '3.2.0',
      info: { title: 'New' },
      paths: { '/a': { query: { summary: 'Ask.' }, additionalOperations: { COPY: {} } } },
      webhooks: { grown: { $ref: '#/components/pathItems/grown' } },
      components: { pathItems: { grown: { post: { summary: 'A tree has grown' } } } },
    }),
  )
  expect(titles).toEqual(['New', 'Ask: QUERY /a', 'COPY /a', 'A tree has grown: grown webhook'])
})

test('leaves read-only fields out of request examples only, and write-only fields out of response examples', () => {
  const body = 'content: { application/json: { schema: { $ref: "#/components/schemas/Account" } } }'
  const { markdownOf } = read(`
openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /accounts:
    post:
      requestBody: { ${body} }
      responses: { "201": { description: Made, ${body} } }
webhooks:
  opened: { post: { requestBody: { ${body} }, responses: { "200": { description: OK } } } }
components:
  schemas:
    Id: { type: integer, readOnly: true }
    Account:
      type: object
      properties:
        id: { $ref: "#/components/schemas/Id" }
        made: { type: string, format: date, readOnly: true }
        name: { type: string }
        password: { type: string, writeOnly: true }
`)
  const examples = (title: string) =>
    [...markdownOf(title).matchAll(/```json\n(\{\n {2}"(?:id|name)"[^`]*)```/g)].map(([, text = '']) =>
      Object.keys(JSON.parse(text)),
    )
  expect(examples('POST /accounts')).toEqual([
    ['name', 'password'],
    ['id', 'made', 'name'],
  ])
  expect(examples('opened webhook')).toEqual([['id', 'made', 'name']])
  expect(examples('Account (schema)')).toEqual([['id', 'made', 'name', 'password']])
})

describe('invalid descriptions', () => {
  test('reports invalid parts and reads the valid ones', () => {
    const { titles, problems, markdownOf } = read(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Broken' },
        paths: {
          '/a/{id}': { get: { responses: { 200: { $ref: '#/components/responses/Gone' } } }, put: 'nothing' },
          '/b': null,
          '/c': { get: { requestBody: { content: { 'application/json': { schema: { $ref: 'other.yaml#/Tree' } } } } } },
        },
      }),
    )
    expect(titles).toEqual(['Broken', 'GET /a/{id}', 'GET /c'])
    expect(markdownOf('GET /a/{id}')).toContain(
      '## Parameters\n\nNote: the path has `id`, which the description does not declare.',
    )
    expect(problems.map(({ at, reason }) => `${reason} ${at}`)).toEqual([
      'invalid_description #/paths/~1a~1{id}/put',
      'invalid_description #/paths/~1b',
      'unresolved_reference #/components/responses/Gone',
      'unresolved_reference other.yaml#/Tree',
    ])
    for (const { detail } of problems) expect(detail).toMatch(/^[A-Z"/].+\.$/)
  })

  test.each([
    ['openapi: 4.0.0\npaths: {}', 'unknown_version'],
    ['swagger: "1.2"\npaths: {}', 'unknown_version'],
    ['openapi: 3.0.0\n  paths: [', 'malformed'],
    ['{"hello": "world"}', 'not_a_description'],
    ['<!doctype html><title>Docs</title>', 'not_a_description'],
    ['', 'not_a_description'],
    ['[1, 2]', 'not_a_description'],
  ])('rejects %j as %s', (text, reason) => {
    expect(readDescription({ text, url: URL })).toMatchObject({ kind: 'rejected', reason })
  })
})

describe('hostile descriptions', () => {
  test('rejects aliases that multiply', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `k${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(10)}*a${i}]`)
    const text = `openapi: 3.1.0\nk0: &a0 x\n${levels.join('\n')}\n`
    expect(readDescription({ text, url: URL })).toMatchObject({ kind: 'rejected' })
  })

  test('rejects a description that is nested too deeply', () => {
    const text = `{"openapi": "3.1.0", "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(readDescription({ text, url: URL })).toMatchObject({ kind: 'rejected' })
  })

  test('reads schemas that double at each level without following them all', () => {
    const ref = (n: number) => ({ $ref: `#/components/schemas/S${n}` })
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `S${n}`,
        { allOf: [ref(n + 1), ref(n + 1)], oneOf: [ref(n + 1), ref(n + 1)] },
      ]),
    )
    // Following all of them would never end.
    expect(read(JSON.stringify({ openapi: '3.1.0', info: {}, components: { schemas } })).titles).toHaveLength(41)
  })

  test('reads circular references', () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }
    const text = JSON.stringify({ openapi: '3.1.0', paths: {}, components: { schemas, x: { $ref: '#' } } })
    expect(read(text).titles).toEqual(['API', 'A (schema)', 'B (schema)'])
  })

  test.each([
    ['6,000 characters or less', 345, true],
    ['more than 6,000 characters', 360, false],
  ])('shows the JSON of a schema only up to 6,000 characters (%s)', (_, count, isShown) => {
    const fields = Array.from({ length: count }, (_each, index) => [`f${1000 + index}`, {}])
    const schemas = { Long: { properties: Object.fromEntries(fields) } }
    const { markdownOf } = read(JSON.stringify({ openapi: '3.1.0', info: {}, components: { schemas } }))
    expect(markdownOf('Long (schema)').includes('## JSON Schema')).toBe(isShown)
  })

  test('reads paths named __proto__ and constructor', () => {
    const text = '{"openapi":"3.1.0","paths":{"__proto__":{"get":{}},"/constructor":{"get":{"summary":"x"}}}}'
    expect(read(text).titles).toContain('x: GET /constructor')
  })
})

test('documents the schemas of other files that it refers to', () => {
  const files: Record<string, string> = {
    'tree.yaml': 'type: object\nproperties: { root: { $ref: "parts.json#/Root" } }',
    'parts.json': '{"Root": {"type": "string", "description": "Below the ground."}, "Unused": {"type": "string"}}',
  }
  const schema = { $ref: 'tree.yaml' }
  const content = { 'application/json': { schema } }
  const parameters = [{ $ref: 'limit.json' }]
  const get = { parameters, responses: { 200: { description: 'It.', content } } }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Trees' }, paths: { '/tree': { get } } })
  const given = { ...files, 'limit.json': '{"name": "limit", "in": "query", "schema": {"type": "integer"}}' }
  const textAt = (url: string) => new Map(Object.entries(given)).get(url.slice(url.lastIndexOf('/') + 1)) ?? null
  const result = readDescription({ text, url: URL, textAt })
  if (result.kind === 'rejected') throw new Error(result.detail)
  const schemas = result.documents
    .filter(({ subject }) => subject?.kind === 'schema')
    .toSorted((one, other) => (one.title < other.title ? -1 : 1))
  expect(schemas.map(({ title, pointer }) => [title, pointer])).toEqual([
    ['Root (schema)', null],
    ['tree (schema)', null],
  ])
  expect(schemas[0]?.markdown).toContain('Below the ground.')
  expect(schemas[0]?.markdown).toMatch(/## JSON Schema[^]*"type": "string"/)
})
