import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { takesBody } from '@docent/contract/takes-body'
import { portalOf } from '../support/service/developer-portal.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

onSqliteAtLeast('deeply nested JSON', (engine) => {
  let docent: Docent
  let slug: string
  let clientSecret: string
  beforeAll(async () => {
    docent = await startDocent({
      engine,
      environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_SECRET_KEY: 'k'.repeat(32) },
    })
    slug = (await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })).body.slug
    clientSecret = (await portalOf(docent, 'developer')).clientSecret
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const withBody = Object.entries<Operation>(operations).filter(([, operation]) => takesBody(operation))

  test.each(withBody)('refuses deep nesting with a 400: %s', async (_, { method, path, auth }) => {
    const isOfDeveloper = auth === 'developer' || auth === 'client'
    const target = path.replaceAll(/\{id\}/g, slug).replaceAll(/\{\w+\}/g, 'none')
    // The escaped NUL makes the service copy the body too.
    for (const deep of [nested(20_000), nestedObjects(20_000), `"\\u0000",${nested(100_000)}`]) {
      const body = deep.startsWith('"') ? `{"name":${deep.replace(',', ',"x":')}}` : `{"name":${deep}}`
      for (const key of ['one', undefined]) {
        const headers = key ? { 'idempotency-key': key } : {}
        const { status } = await docent.request(method, target, body, {
          headers,
          ...(isOfDeveloper ? { key: clientSecret } : {}),
        })
        expect([400, 404]).toContain(status)
      }
    }
  })

  test('refuses deep nesting at the MCP endpoint as invalid JSON', async () => {
    for (const deep of [nested(50_000), nestedObjects(50_000)]) {
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":${deep}}}}`
      const { status, body } = await docent.request('POST', `/api/mcp/${slug}`, call, { key: null })
      expect([status, body.error.code]).toEqual([400, -32700])
    }
  })

  test('accepts up to 100 levels', async () => {
    const create = (depth: number) =>
      docent.request('POST', '/api/mcp/create', `{"name":"B","uploads":["docs"],"other":${nested(depth)}}`)
    expect((await create(99)).status).toBe(200)
    const { status, body } = await create(100)
    expect([status, body]).toEqual([400, { error: 'The request body must be a JSON object' }])
    const ping = (depth: number) =>
      docent.request(
        'POST',
        `/api/mcp/${slug}`,
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested(depth)}}}`,
      )
    expect((await ping(98)).status).toBe(200)
    expect((await ping(99)).status).toBe(400)
  })
})
