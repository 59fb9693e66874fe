import { describe, expect, inject, test } from 'vitest'
import { type Engine, makePlace, makeStore, onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { NOWHERE } from '../support/indexing/source-world.ts'

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Services at one place. SQLite allows one process only, so there both are the same one. */
async function startTwo(engine: Engine) {
  await using stack = new AsyncDisposableStack()
  const place = stack.use(await makePlace(engine))
  const one: Docent = stack.use(await startDocent({ place }))
  const other = engine === 'sqlite' ? one : stack.use(await startDocent({ place, key: one.key }))
  const kept = stack.move()
  return { one, other, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

onBothEngines('request log of two nodes', (engine) => {
  test('names the client of a call whose handshake the other node answered', async () => {
    await using nodes = await startTwo(engine)
    const { one, other } = nodes
    const sources = [{ url: NOWHERE }]
    const { slug } = (await one.request('POST', '/api/mcp/create', { name: 'A', sources })).body
    const send = (docent: Docent, body: object, agent: string) =>
      docent.request('POST', `/api/mcp/${slug}`, body, { key: null, headers: { 'user-agent': agent } })
    const clientInfo = { name: 'editor\0', version: '3' }
    await send(one, rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }), 'node')
    await send(other, rpc('tools/call', { name: 'search_docs', arguments: { query: 'oil' } }), 'node')
    await send(other, rpc('tools/call', { name: 'search_docs', arguments: { query: 'oil' } }), 'curl/8')
    const { body } = await other.request('GET', `/api/analytics/${slug}/calls`)
    expect(body.calls.map(({ client }: { client: object }) => client)).toEqual([
      { name: 'curl', version: '8' },
      { name: 'editor\uFFFD', version: '3' },
    ])
  })
})

describe.skipIf(inject('postgresUrl') === '')('clients in PostgreSQL', () => {
  test('forgets clients that were not used for a time', async () => {
    await using store = await makeStore('postgres')
    const { sharedClients: clients } = store
    await clients?.save('a', { name: 'old', version: null }, 1)
    await clients?.save('b', { name: 'new', version: '1' }, 1)
    expect(await clients?.use('b', { after: 0, now: 50 })).toEqual({ name: 'new', version: '1' })
    expect(await clients?.use('a', { after: 1, now: 50 })).toBeNull()
    await clients?.deleteUnused(50)
    expect(await store.read.selectFrom('knownClients').selectAll().execute()).toEqual([
      { key: 'b', name: 'new', version: '1', usedAt: 50 },
    ])
  })
})
