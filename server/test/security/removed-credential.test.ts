import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ingest } from '#indexing/ingest.ts'
import { createReaders } from '#sources/readers.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { LeaseLost } from '#jobs/lease.ts'
import { claim } from '#store/jobs/claim.ts'
import { deleteCredential, saveCredential } from '#store/accounts/secrets.ts'
import { withdrawContent } from '#store/sources/remove-source.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { type Engine, makeStore, onSqliteAtLeast } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { makeIngestDeps } from '../support/indexing/make-ingest-deps.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type RemoteMcp, startRemoteMcp } from '../support/sites/remote-mcp.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const SECRET = 'canary-secret-0123456789'
const lock = { header: 'authorization', value: `Bearer ${SECRET}` }
const environment = { DOCENT_SECRET_KEY: 'a-secret-key-that-is-only-used-in-tests', DOCENT_RATE_LIMITS: 'off' }

/** Registers tools by name and a resource whose content waits for `gate`. */
const registering = (tools: () => readonly string[], gate: () => Promise<unknown>) => (server: McpServer) => {
  for (const name of tools()) {
    server.registerTool(name, { description: `The ${name} is confidential.` }, () => ({ content: [] }))
  }
  server.registerResource('plan', 'plan://1', { description: 'A plan.' }, async () => {
    await gate()
    return { contents: [{ uri: 'plan://1', text: 'The plan is to use the flugelhorn.' }] }
  })
}

/** A remote server that requires the secret. */
async function startLocked(tools: () => readonly string[], gate: () => Promise<unknown> = async () => {}) {
  const remote = await startRemoteMcp({ register: registering(tools, gate) })
  remote.lock = lock
  return remote
}

/** A service for the tests of a suite. */
function useDocent(engine: Engine): () => Docent {
  let docent: Docent
  beforeAll(async () => void (docent = await startDocent({ engine, environment })))
  afterAll(() => docent[Symbol.asyncDispose]())
  return () => docent
}

async function privateServer(docent: Docent, remote: RemoteMcp) {
  const { body } = await docent.request('POST', '/api/mcp/create', {
    name: 'Gadgets',
    tools: ['search_docs', 'query_source', 'ask_question'],
    sources: [{ url: remote.url, type: 'mcp', label: 'Gadgets', auth: { secret: SECRET } }],
  })
  const detail = async () => (await docent.request('GET', `/api/mcp/${body.slug}`)).body
  const [source] = (await detail()).sources
  const path = `/api/mcp/${body.slug}`
  const headers = { authorization: `Bearer ${body.accessToken}` }
  const change = (given: object) => docent.request('PATCH', `${path}/sources`, { sourceId: source.id, ...given })
  return {
    detail,
    source,
    change,
    publish: () => docent.request('PATCH', `${path}/visibility`, { visibility: 'public' }),
    untilDone: () => docent.untilDone(body.slug),
    call: (args: object) => docent.callTool(body.slug, 'query_source', args),
    search: async (query: string, as: Record<string, string> = headers) => {
      const { result } = await docent.callTool(body.slug, 'search_docs', { query }, as)
      return JSON.stringify(resultsIn(result))
    },
    left: () =>
      docent.inStore(async ({ read }) => ({
        pages: (await read.selectFrom('pages').select('id').where('sourceId', '=', source.id).execute()).length,
        texts: (await read.selectFrom('texts').select('hash').where('sourceId', '=', source.id).execute()).length,
        segments: (await read.selectFrom('segments').select('id').where('sourceId', '=', source.id).execute()).length,
      })),
  }
}

onSqliteAtLeast('removed credential', (engine) => {
  const docentOf = useDocent(engine)

  test('deletes everything indexed with a credential before the server can become public', async () => {
    await using remote = await startLocked(() => ['kazoo'])
    const server = await privateServer(docentOf(), remote)
    await server.untilDone()
    expect(await server.search('kazoo confidential')).toContain('kazoo')
    expect(await server.search('flugelhorn')).toContain('flugelhorn')

    expect((await server.change({ remove: true })).body).toMatchObject({ ok: true, visibility: 'private' })
    expect(await server.search('kazoo confidential')).toBe('[]')
    expect((await server.publish()).status).toBe(200)
    for (const query of ['kazoo confidential', 'flugelhorn']) expect(await server.search(query, {})).toBe('[]')

    expect((await server.untilDone()).sources[0]).toMatchObject({
      crawlStatus: 'error',
      crawlError: 'The MCP server asks for a credential. Add the one it gave you to this source.',
      hasCredential: false,
      pagesIndexed: 0,
      chunks: 0,
    })
    for (const query of ['kazoo confidential', 'flugelhorn']) expect(await server.search(query, {})).toBe('[]')
    expect(await server.left()).toEqual({ pages: 0, texts: 0, segments: 0 })
  })

  test('keeps public content, which is read again', async () => {
    let names = ['kazoo', 'tuba']
    await using remote = await startLocked(() => names)
    const server = await privateServer(docentOf(), remote)
    await server.untilDone()
    remote.lock = null
    names = ['tuba']
    await server.change({ remove: true })
    await server.publish()
    expect((await server.untilDone()).sources[0]).toMatchObject({ crawlStatus: 'complete', hasCredential: false })
    expect(await server.search('tuba confidential', {})).toContain('tuba')
    expect(await server.search('kazoo', {})).not.toContain('kazoo')
  })

  test('discards a running crawl', async () => {
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const wait = async () => {
      reached.resolve()
      await gate.promise
    }
    await using remote = await startLocked(() => ['kazoo'], wait)
    const server = await privateServer(docentOf(), remote)
    await reached.promise
    await server.change({ remove: true })
    await server.publish()
    gate.resolve()
    expect((await server.untilDone()).sources[0]).toMatchObject({ crawlStatus: 'error', pagesIndexed: 0 })
    for (const query of ['kazoo confidential', 'flugelhorn']) expect(await server.search(query, {})).toBe('[]')
    expect(await server.left()).toEqual({ pages: 0, texts: 0, segments: 0 })
  })

  test('changes nothing for a source without a credential', async () => {
    await using remote = await startLocked(() => ['kazoo'])
    const server = await privateServer(docentOf(), remote)
    await server.untilDone()
    await server.change({ remove: true })
    await server.untilDone()
    const before = await server.detail()
    expect((await server.change({ remove: true })).body).toMatchObject({ ok: true, hasCredential: false })
    expect(await server.detail()).toEqual(before)
  })
})

onSqliteAtLeast('changed credential', (engine) => {
  const docentOf = useDocent(engine)

  test('discards pages that a running crawl has read with the previous credential', async () => {
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let names = ['kazoo']
    const wait = async () => {
      reached.resolve()
      await gate.promise
    }
    await using remote = await startLocked(() => names, wait)
    const server = await privateServer(docentOf(), remote)
    await reached.promise
    // The new credential sees a different tool.
    names = ['tuba']
    remote.lock = { header: 'authorization', value: 'Bearer another-secret-0123456789' }
    expect((await server.change({ secret: 'another-secret-0123456789' })).body.tools).toEqual(['tuba'])
    gate.resolve()
    expect((await server.untilDone()).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 3 })
    expect(await server.search('tuba confidential')).toContain('tuba')
    expect(await server.search('kazoo')).not.toContain('kazoo')
  })

  test('does not send a new credential for a caller admitted while the server was public', async () => {
    await using remote = await startRemoteMcp({
      register: registering(
        () => ['kazoo'],
        async () => {},
      ),
    })
    const server = await privateServer(docentOf(), remote)
    await server.untilDone()
    // Simulates a request that read the server just before the credential came.
    await docentOf().inStore(({ write }) => write.updateTable('servers').set({ visibility: 'public' }).execute())
    remote.seen.length = 0
    const { error } = await server.call({ source: 'Gadgets' })
    expect(error.message).toBe('The server has just become private. Ask again, with an access token.')
    expect(remote.seen).toEqual([])
  })
})

onSqliteAtLeast('crawl that has read everything with a credential', (engine) => {
  test('publishes nothing after the credential was removed', async () => {
    await using remote = await startLocked(() => ['kazoo'])
    await using store = await makeStore(engine)
    const source = await insertSource(store, { url: remote.url, type: 'mcp', visibility: 'private' })
    await saveCredential(store.write, { sourceId: 'src_1', headerName: 'Authorization', sealed: '', updatedAt: 1 })

    await using stack = new AsyncDisposableStack()
    const readers = createReaders({
      githubApiUrl: 'https://api.github.invalid',
      version: '1',
      credentialFor: async () => ({ headerName: 'Authorization', secret: SECRET }),
      uploads: { find: async () => null, listUrls: async () => [] },
    })
    const deps = makeIngestDeps(stack, store, readers)
    const { builder } = deps
    const remove = () =>
      store.transaction(async (tx) => {
        await deleteCredential(tx, 'src_1')
        await enqueueAnew(tx, source)
        await withdrawContent(tx, 'src_1')
      })
    const build = builder.build.bind(builder)
    // Runs between the last page and the publishing transaction.
    const building = vi.spyOn(builder, 'build').mockImplementation(async (...args) => {
      const built = await build(...args)
      await remove()
      return built
    })
    await enqueueAnew(store.write, source)
    const job = await claim(store, Date.now() + 1)
    if (!job) throw new Error('nothing to do')
    const crawl = ingest(
      deps,
      { sourceId: 'src_1' },
      {
        job,
        signal: new AbortController().signal,
        slice: new AbortController().signal,
        onAskPause: () => undefined,
      },
    )
    await expect(crawl).rejects.toBeInstanceOf(LeaseLost)
    expect(building).toHaveBeenCalledOnce()
    expect(await findSourceById(store.read, 'src_1')).toMatchObject({ segments: '[]', discardContent: 1 })
  })
})
