import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'

const create = (url: string) => ({ name: 'Acme Docs', sources: [{ url }] })
/** Nothing listens here. These tests check the answers before any crawl. */
const NOWHERE = 'http://127.0.0.1:19151/'

onSqliteAtLeast('API keys', (engine) => {
  test('limits a key to its account’s servers; a scoped key sees its own and may not create', async () => {
    await using docent = await startDocent({ engine })
    const made = [
      await docent.request('POST', '/api/mcp/create', create(NOWHERE)),
      await docent.request('POST', '/api/mcp/create', create(NOWHERE)),
    ]
    const [first, second] = made.map(({ body }) => body)
    const stranger = await docent.makeKey('stranger@example.test')
    const scoped = await docent.makeKey('owner@example.test', [first.serverId])
    const ids = async (key: string) =>
      (await docent.request('GET', '/api/mcp/list', undefined, { key })).body.map(({ id }: { id: string }) => id)
    expect(await ids(docent.key)).toEqual([second.serverId, first.serverId])
    expect(await ids(scoped)).toEqual([first.serverId])
    expect(await ids(stranger)).toEqual([])
    const absent = await docent.request('GET', '/api/mcp/srv_none')
    expect(absent).toMatchObject({ status: 404, body: { error: 'Server not found' } })
    for (const [method, path, body] of [
      ['GET', `/api/mcp/${second.slug}`, undefined],
      ['DELETE', `/api/mcp/${second.slug}`, undefined],
      ['POST', `/api/mcp/${second.serverId}/crawl`, {}],
      ['POST', '/api/mcp/crawl', { serverId: second.slug }],
      ['GET', `/api/mcp/${second.slug}/crawl-next`, undefined],
    ] as const) {
      for (const key of [stranger, scoped]) {
        const answer = await docent.request(method, path, body, { key })
        expect([answer.status, answer.text]).toEqual([404, absent.text])
      }
    }
    expect(await docent.request('POST', '/api/mcp/create', {}, { key: scoped })).toMatchObject({
      status: 403,
      body: { error: 'key_scoped' },
    })
    expect((await docent.request('GET', `/api/mcp/${first.slug}`, undefined, { key: scoped })).status).toBe(200)
    expect(await ids(docent.key)).toEqual([second.serverId, first.serverId])
  })

  test.each([
    ['POST', '/api/mcp/create'],
    ['GET', '/api/mcp/list'],
    ['GET', '/api/mcp/any'],
    ['DELETE', '/api/mcp/any'],
    ['POST', '/api/mcp/crawl'],
    ['POST', '/api/mcp/any/crawl'],
  ])('requires a key for %s %s', async (method, path) => {
    await using docent = await startDocent({ engine })
    for (const key of [null, 'dk_live_wrong', `dk_live_${'0'.repeat(36)}`]) {
      const { status, body, headers } = await docent.request(method, path, undefined, { key })
      expect([status, body.error]).toEqual([401, 'unauthorized'])
      expect(headers.get('www-authenticate')).toContain('Bearer')
    }
  })
})
