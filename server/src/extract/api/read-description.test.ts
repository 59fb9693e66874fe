import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { openCorpus } from '../../../test/support/sites/corpora.ts'
import { readDescription } from './read-description.ts'

const url = 'https://api.example.test/description'
const read = (text: string) => {
  const result = readDescription({ text, url })
  if (result.kind === 'rejected') throw new Error(result.detail)
  const markdownOf = (title: string) => result.documents.find((each) => each.title === title)?.markdown ?? ''
  return { ...result, titles: result.documents.map(({ title }) => title), markdownOf }
}

describe('a GraphQL schema', () => {
  const sdl = `
    "The garden." schema { query: Garden }
    type Garden { "Finds a bed." bed(name: String!, deep: Boolean = false): Bed  old: Int @deprecated(reason: "Use bed.") }
    type Bed implements Node { id: ID! plants(first: Int): [Plant!]! neighbour: Bed soil: Soil }
    extend type Bed { wet: Boolean }
    interface Node { id: ID! }
    union Plant = Rose | Weed
    type Rose { colour: String }
    enum Soil { "Holds water." CLAY SAND }
    input Filter { least: Int! = 3 }
    directive @shade(hours: Int) repeatable on FIELD_DEFINITION
  `

  test('yields each query, type and directive, even if types are missing', () => {
    const { titles, markdownOf } = read(sdl)
    expect(titles).toEqual([
      'GraphQL schema',
      'query bed',
      'query old',
      'Bed (type)',
      'Node (interface)',
      'Plant (union)',
      'Rose (type)',
      'Soil (enum)',
      'Filter (input)',
      '@shade (directive)',
    ])
    const bed = markdownOf('query bed')
    expect(bed).toContain('bed(name: String!, deep: Boolean = false): Bed')
    expect(bed).toContain('query Bed($name: String!) {\n  bed(name: $name) {\n    id\n    soil\n    wet\n    plants {')
    expect(markdownOf('query old')).toContain('**Deprecated**: Use bed.')
    expect(markdownOf('Bed (type)')).toContain('| `wet` | `Boolean` |')
    expect(markdownOf('Soil (enum)')).toContain('| `CLAY` | Holds water. |')
    expect(markdownOf('Bed (type)')).toContain(
      '## Definition\n\n```graphql\ntype Bed implements Node {\n  id: ID!\n  plants(first: Int): [Plant!]!\n  neighbour: Bed\n  soil: Soil\n  wet: Boolean\n}\n```',
    )
    expect(markdownOf('Soil (enum)')).toContain('```graphql\nenum Soil {\n  CLAY\n  SAND\n}\n```')
  })

  test.each(['type A { b: }', `type A { b: ${'['.repeat(30_000)} }`])('rejects %.20s as malformed', (text) => {
    expect(readDescription({ text, url })).toMatchObject({ kind: 'rejected', reason: 'malformed' })
  })

  test('reads an introspection result and reports the errors of a failed one', () => {
    const type = { kind: 'SCALAR', name: 'String', description: null }
    const query = {
      kind: 'OBJECT',
      name: 'Query',
      interfaces: [],
      fields: [{ name: 'hello', args: [], type, isDeprecated: false }],
    }
    const schema = { queryType: { kind: 'OBJECT', name: 'Query' }, types: [query, type], directives: [] }
    expect(read(JSON.stringify({ data: { __schema: schema } })).titles).toContain('query hello')
    expect(readDescription({ text: '{"data": {"__schema": {"types": 3}}}', url })).toMatchObject({
      reason: 'malformed',
    })
    expect(readDescription({ text: '{"errors": [{"message": "Not for you"}]}', url })).toMatchObject({
      detail: expect.stringContaining('Not for you'),
    })
  })
})

describe('an AsyncAPI description', () => {
  const message = { name: 'Grown', payload: { type: 'object', properties: { metres: { type: 'number' } } } }

  test('yields each operation of a channel in version 2', () => {
    const channels = { 'tree/{id}': { parameters: { id: {} }, subscribe: { summary: 'Growth', message } } }
    const { titles, markdownOf } = read(JSON.stringify({ asyncapi: '2.6.0', info: { title: 'Trees' }, channels }))
    expect(titles).toEqual(['Trees', 'Growth: subscribe tree/{id}'])
    expect(markdownOf('Growth: subscribe tree/{id}')).toContain('### Grown\n\nContent: object\n\n| Field | Type |')
  })

  test('yields each operation and channels without operations in version 3', () => {
    const channels = { tree: { address: 'tree.{id}', messages: { grown: message } }, alone: { messages: {} } }
    const operations = { onGrowth: { action: 'receive', channel: { $ref: '#/channels/tree' } } }
    const { titles, markdownOf } = read(JSON.stringify({ asyncapi: '3.0.0', info: {}, channels, operations }))
    expect(titles).toEqual(['API', 'receive tree.{id}', 'channel alone'])
    expect(markdownOf('receive tree.{id}')).toContain('Operation: `onGrowth`.')
    expect(markdownOf('receive tree.{id}')).toContain('| `metres` | number |')
  })
})

test('yields each request of a Postman collection and numbers equal names', () => {
  const request = { method: 'POST', url: { raw: '{{base}}/trees?x=1', query: [{ key: 'x', value: '1' }] } }
  const item = [
    {
      name: 'Trees',
      item: [
        { name: 'Plant', request },
        { name: 'Plant', request: 'https://a.test/b' },
      ],
    },
  ]
  const { titles, documents, markdownOf } = read(JSON.stringify({ info: { name: 'Orchard' }, item }))
  expect(titles).toEqual(['Orchard', 'Plant: POST /trees', 'Plant: GET /b'])
  expect(new Set(documents.map(({ subject }) => subject?.name)).size).toBe(3)
  expect(markdownOf('Plant: POST /trees')).toContain("curl -X POST '{{base}}/trees?x=1'")
})

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const corpus = await openCorpus('openapi')

describe.skipIf(corpus === null)('the corpus of OpenAPI descriptions', () => {
  const folder = corpus ?? ''
  const files = globSync('**/*.{json,yaml}', { cwd: folder })

  test('has more than 150 test files', () => expect(files.length).toBeGreaterThan(150))

  test.each(files)('yields every operation of %s, or an error sentence', async (file) => {
    const text = await readFile(join(folder, file), 'utf8')
    const began = process.cpuUsage()
    const result = readDescription({ text, url })
    const { user, system } = process.cpuUsage(began)
    expect(user + system).toBeLessThan(5_000_000)
    if (result.kind === 'rejected') {
      expect(result.detail).toMatch(/^[A-Z].+\.$/s)
      return
    }
    const { paths } = parse(text, { maxAliasCount: -1 }) as { paths?: Record<string, unknown> | null }
    const wanted = Object.entries(paths ?? {}).flatMap(([path, item]) =>
      METHODS.filter((method) => !path.startsWith('x-') && isMapping(item) && isMapping(item[method])).map(
        (method) => `${method.toUpperCase()} ${path}`,
      ),
    )
    const found = result.documents.flatMap(({ subject }) => (subject?.kind === 'operation' ? [subject.name] : []))
    for (const name of wanted) expect(found).toContain(name)
  })
})

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
