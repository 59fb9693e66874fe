import { VERSION } from '#version.ts'
import { describe, expect, test } from 'vitest'
import { startDocent } from '../support/service/harness.ts'
/** Nothing listens here. These tests check the answers before any crawl. */
const NOWHERE = 'http://127.0.0.1:19151/'

describe('paths and methods', () => {
  test.each([
    ['PUT', '/api/mcp/create', 405, 'POST'],
    ['GET', '/api/mcp/create', 405, 'POST'],
    ['POST', '/api/mcp/list', 405, 'GET'],
    ['DELETE', '/api/mcp/list', 405, 'GET'],
    ['GET', '/api/mcp/crawl', 405, 'POST'],
    ['PUT', '/api/mcp/any', 405, 'DELETE, GET, PATCH, POST'],
    ['DELETE', '/api/mcp/any/crawl-next', 405, 'GET, POST'],
    ['GET', '/api/nothing', 404, null],
    ['POST', '/api', 404, null],
    ['GET', '/.well-known/oauth-protected-resource', 404, null],
    ['POST', '/register', 403, null],
  ])('answers %s %s with %i in JSON', async (method, path, status, allow) => {
    await using docent = await startDocent()
    const answer = await docent.request(method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.body.error).toEqual(expect.any(String))
  })

  test('refuses an event stream before anything else is checked', async () => {
    await using docent = await startDocent()
    const accept = { accept: 'application/json, text/event-stream' }
    const probe = await docent.request('GET', '/api/mcp/nobody', undefined, { key: null, headers: accept })
    expect([probe.status, probe.headers.get('allow')]).toEqual([405, 'POST'])
    const withKey = await docent.request('GET', '/api/mcp/nobody', undefined, { headers: accept })
    expect(withKey.status).toBe(404)
  })

  test('checks the server before other input of a refresh', async () => {
    await using docent = await startDocent()
    const answer = await docent.request('POST', '/api/mcp/crawl', { serverId: 'nobody', sourceId: 7 })
    expect([answer.status, answer.body]).toEqual([404, { error: 'Server not found' }])
  })

  test.each([
    ['POST', '/api/mcp/nobody/crawl-next'],
    ['POST', '/api/mcp/nobody/restore'],
    ['DELETE', '/api/mcp/nobody'],
  ])('ignores the body of %s %s', async (method, path) => {
    await using docent = await startDocent()
    const made = await docent.request('POST', '/api/mcp/create', { name: 'Nobody', sources: [{ url: NOWHERE }] })
    expect(made.body.slug).toBe('nobody')
    for (const body of ['[]', '{', 'x'.repeat(2_000_000)]) {
      expect((await docent.request(method, path, body)).status).toBe(200)
      if (method === 'DELETE') await docent.request('POST', '/api/mcp/nobody/restore')
    }
  })

  test('refuses a body of more than a megabyte', async () => {
    await using docent = await startDocent()
    const body = (bytes: number) => JSON.stringify({ serverId: '' }).padEnd(bytes)
    expect((await docent.request('POST', '/api/mcp/crawl', body(1024 * 1024))).status).toBe(400)
    expect((await docent.request('POST', '/api/mcp/crawl', body(1024 * 1024 + 1))).status).toBe(413)
  })

  test('reports health and readiness without a key', async () => {
    await using docent = await startDocent()
    expect((await docent.request('GET', '/healthz', undefined, { key: null })).body).toEqual({
      status: 'ok',
      version: VERSION,
      commit: null,
      builtAt: null,
    })
    expect((await docent.request('GET', '/readyz', undefined, { key: null })).body).toEqual({ status: 'ok' })
  })
})
