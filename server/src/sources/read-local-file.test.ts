import { afterAll, describe, expect, test } from 'vitest'
import { makeArchive } from '../../test/support/lib/make-archive.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { readRepositoryFiles } from './repository/repository.ts'
import type { SourceDocument, SourceFile, SourceOmission } from './source-document.ts'

const { signal } = new AbortController()
const child = new RepositoryProcess({ signal })
afterAll(() => child[Symbol.asyncDispose]())

async function read(files: Record<string, string>): Promise<(SourceDocument | SourceFile | SourceOmission)[]> {
  const tree = Object.fromEntries(Object.entries(files).map(([path, text]) => [`top/${path}`, text]))
  const pageUrl = (path: string) => `https://git.test/blob/${path}`
  const given = { bytes: makeArchive(tree), commit: null, encoding: '', scope: '', pageUrl, lineAnchor: null }
  return Array.fromAsync(readRepositoryFiles(given, { signal }))
}

const titles = (items: Awaited<ReturnType<typeof read>>) =>
  items.map((item) =>
    item.kind === 'document'
      ? item.title
      : `${item.url.slice(22)}: ${item.kind === 'file' ? item.contentType : item.reason}`,
  )

const OPENAPI = `openapi: 3.1.0
info: { title: Ferries, version: '2' }
servers: [{ url: /v2 }]
paths:
  /ferries:
    get: { operationId: listFerries, summary: All ferries, responses: { '200': { description: Them } } }
  /piers: { $ref: 'paths/piers.yaml#/piers' }
`
const PIERS = `piers:
  get: { operationId: listPiers, summary: All piers, responses: { '200': { $ref: '../shared.json#/piers' } } }
`

describe('API descriptions in a repository', () => {
  test('reads a description in several files, and reports none of them as omitted', async () => {
    const items = await read({
      'api/openapi.yaml': OPENAPI,
      'api/paths/piers.yaml': PIERS,
      'api/shared.json': '{"piers": {"description": "The piers of the harbour"}}',
      'package.json': '{"name": "ferries"}',
    })
    expect(titles(items)).toEqual([
      'Ferries',
      'All ferries: GET /ferries',
      'All piers: GET /piers',
      'package.json: not_documentation',
    ])
    const [, ferries, piers] = items
    expect(ferries).toMatchObject({ url: 'https://git.test/blob/api/openapi.yaml?docent-operation=GET+/ferries' })
    expect(piers).toMatchObject({ markdown: expect.stringContaining('The piers of the harbour') })
    // The documents invent no host for a server with a path only.
    expect(ferries).toMatchObject({ markdown: expect.stringMatching(/ '?\/v2\/ferries/) })
  })

  test('reads GraphQL schemas, Postman collections, and partial schemas by their definitions', async () => {
    const items = await read({
      'pets.postman_collection.json': JSON.stringify({
        info: { _postman_id: '1', name: 'Pets', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
        item: [{ name: 'Feed', request: { method: 'POST', url: 'https://pets.test/feed' } }],
      }),
      'schema.graphql': 'type Query {\n  "A boat"\n  boat(id: ID!): Boat\n}\ntype Boat { id: ID! }\n',
      'types.graphql': 'type Mast { height: Int }\n',
    })
    expect(titles(items)).toEqual([
      'Pets',
      'Feed: POST /feed',
      'GraphQL schema',
      'query boat',
      'Boat (type)',
      'types.graphql',
    ])
  })

  test('reports a damaged description', async () => {
    const items = await read({ 'README.md': '# Readme', 'openapi.yaml': 'openapi: 3.0.0\npaths: [}\n' })
    expect(items).toMatchObject([
      { kind: 'document', title: 'Readme' },
      { kind: 'failed', url: 'https://git.test/blob/openapi.yaml', reason: 'unreadable' },
    ])
  })
})
