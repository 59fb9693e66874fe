import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { readApiDescription } from './api-description.ts'

const ANSWERS: Record<string, [status: number, type: string, body: string]> = {
  '/openapi.json?v=1': [
    200,
    'application/json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orchard' },
      paths: { '/trees/{id}': { get: { summary: 'One tree' } }, '/a': { get: { $ref: 'http://127.0.0.1:1/x' } } },
    }),
  ],
  '/parts/openapi.yaml': [
    200,
    'application/yaml',
    `openapi: 3.0.3
info: {title: Orchard}
paths:
  /trees:
    $ref: 'paths/trees.yaml'
  /bees: {get: {summary: Bees, responses: {200: {$ref: 'paths/trees.yaml#/ok'}}, requestBody: {$ref: 'gone.yaml'}}}
components: {schemas: {Age: {type: integer, description: In years}}}
`,
  ],
  '/parts/paths/trees.yaml': [
    200,
    'application/yaml',
    `get:
  summary: All trees
  parameters: [{name: older, in: query, schema: {$ref: '../openapi.yaml#/components/schemas/Age'}}]
  responses: {200: {$ref: '#/ok'}}
ok:
  description: Fine
  content: {application/json: {schema: {$ref: '../schemas/tree.json'}}}
`,
  ],
  '/parts/schemas/tree.json': [
    200,
    'application/json',
    '{"type":"object","properties":{"name":{"type":"string","description":"As people call it"},"parent":{"$ref":"tree.json"}}}',
  ],
  '/page': [200, 'text/html', '<!doctype html><title>Docs</title>'],
  '/moved.json': [
    200,
    'application/json',
    '{"openapi":"3.1.0","info":{"title":"A"},"paths":{"/a":{"get":{"responses":{"200":{"$ref":"/away#/b"}}}}}}',
  ],
  '/away': [302, 'text/plain', ''],
  '/gone': [404, 'text/plain', ''],
  '/graphql': [200, 'application/json', '{"errors":[{"message":"Introspection is off"}]}'],
}

let server: Server
let base = ''
const requests: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const [status, type, body] = ANSWERS[request.url ?? ''] ?? [404, 'text/plain', '']
    const location =
      status === 302 ? { location: `http://localhost:${(server.address() as AddressInfo).port}/page` } : {}
    response.writeHead(status, { 'content-type': type, ...location }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

async function read(path: string) {
  await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.1/32'), userAgent: 'Docent/test' })
  using pacer = createPacer()
  const deps = { net, pacer, signal: new AbortController().signal }
  const source = { id: 'src_1', serverId: 'srv_1', url: base + path, type: 'api' as const }
  return await Array.fromAsync(readApiDescription(deps, source))
}

test('gives each part a distinct URL with its JSON pointer as fragment, in a single request', async () => {
  requests.length = 0
  const items = await read('/openapi.json?v=1')
  expect(items.map(({ url }) => url)).toEqual([
    `${base}/openapi.json?v=1`,
    `${base}/openapi.json?v=1&docent-operation=GET+/trees/%7Bid%7D`,
    `${base}/openapi.json?v=1&docent-operation=GET+/a`,
  ])
  expect(items[1]).toMatchObject({
    title: 'One tree: GET /trees/{id}',
    anchors: [{ offset: 0, anchor: '/paths/~1trees~1%7Bid%7D/get' }],
  })
  expect(requests).toEqual(['GET /openapi.json?v=1'])
})

test('reads a description in several files as one', async () => {
  requests.length = 0
  const items = await read('/parts/openapi.yaml')
  const [, trees, bees] = items.map((item) => (item.kind === 'document' ? item.markdown : ''))
  expect(trees).toMatch(/All trees[\s\S]*older` \| query \| Age[\s\S]*As people call it/)
  expect(bees).toContain('As people call it')
  expect(items.filter(({ kind }) => kind === 'skipped')).toMatchObject([
    {
      reason: 'unresolved_reference',
      detail: expect.stringContaining('gone.yaml'),
      url: expect.stringContaining('docent-problem=gone.yaml'),
    },
  ])
  expect(requests.toSorted()).toEqual([
    'GET /parts/gone.yaml',
    'GET /parts/openapi.yaml',
    'GET /parts/paths/trees.yaml',
    'GET /parts/schemas/tree.json',
  ])
})

test.each([
  [4, true],
  [5, false],
])('requests further files after %i missing ones: %s', async (missing, isAsked) => {
  requests.length = 0
  // References are found in reverse order.
  const refs = ['/parts/schemas/tree.json', ...Array.from({ length: missing }, (_, at) => `/none${at}.json`)]
  const responses = Object.fromEntries(refs.map((ref, at) => [200 + at, { $ref: `${base}${ref}` }]))
  ANSWERS['/many.json'] = [
    200,
    'application/json',
    JSON.stringify({ openapi: '3.1.0', info: {}, paths: { '/a': { get: { responses } } } }),
  ]
  await read('/many.json')
  const asked = requests.filter((one) => one !== 'GET /many.json')
  expect(asked.filter((one) => one.includes('none'))).toHaveLength(missing)
  expect(asked.includes('GET /parts/schemas/tree.json')).toBe(isAsked)
})

test('does not follow a redirect of a file to another origin', async () => {
  requests.length = 0
  const items = await read('/moved.json')
  expect(items.filter(({ kind }) => kind === 'skipped')).toMatchObject([{ reason: 'unresolved_reference' }])
  expect(requests).toEqual(['GET /moved.json', 'GET /away'])
})

test('requests the schema of a GraphQL endpoint, and reports its refusal', async () => {
  requests.length = 0
  await expect(read('/graphql')).rejects.toThrow('Introspection is off')
  expect(requests).toEqual(['POST /graphql'])
})

test.each([
  ['/page', 'web page and not to a description'],
  ['/gone', 'there is no such page'],
])('gives up with a sentence on a document that is no API description: %s', async (path, sentence) => {
  await expect(read(path)).rejects.toMatchObject({ name: 'GiveUp', message: expect.stringContaining(sentence) })
})
