import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MainThreadSearches } from '#mcp/threads/main-thread-searches.ts'
import { ToolPool } from '#mcp/threads/tool-pool.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import type { RestOfBytes } from '#search/shared-index.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { samplePage } from '../support/lib/sample-pages.ts'
import { fakeMcp, jsonOf, legacy, modern } from '../support/mcp/mcp-fakes.ts'
import { startDocent } from '../support/service/harness.ts'
import { startLanguageModel } from '../support/models/language-model.ts'
import { startRemoteMcp } from '../support/sites/remote-mcp.ts'
import { page, startSite } from '../support/sites/site.ts'

const search = { name: 'search_docs', arguments: { query: 'oil' } }
const form = { links: true, structured: true }

function openStuckPool({ deadlineMs = 200, queueLimit = 10 } = {}) {
  const unused = () => Promise.reject(new Error('Nothing is asked for.'))
  return new ToolPool({
    program: new URL('../support/processes/stuck-tool-thread.ts', import.meta.url),
    threads: 1,
    embeddingModel: null,
    segmentBytes: 1_000_000,
    loadSegment: unused,
    sizeOf: async () => 0,
    findServed: unused,
    loadTexts: unused,
    embed: unused,
    loadQuestions: async () => [],
    modelFor: () => null,
    connectRemote: unused,
    reportFailure: () => undefined,
    deadlineMs,
    queueLimit,
  })
}

describe('memory of tool threads', () => {
  const { server: some } = fakeMcp()
  const [source] = some.sources
  const builder = new SegmentBuilder()
  const sample = samplePage('oil', 'Oil', [{ heading: 'Change', text: 'Change the oil once a year.' }])
  builder.add(sample.page, sample.markdown)
  const bytes = builder.finish()

  function openPool(
    served: ReadonlySet<string>,
    connectRemote?: () => Promise<never>,
    storedBytes = 8_000_000,
    rest: RestOfBytes | null = null,
  ) {
    const loads: string[] = []
    const unused = () => Promise.reject(new Error('Nothing is asked for.'))
    const pool = new ToolPool({
      threads: 1,
      embeddingModel: null,
      segmentBytes: 1_000_000,
      loadSegment: async (id) => (loads.push(id), { bytes, rest }),
      sizeOf: async () => storedBytes,
      findServed: async () => served,
      loadTexts: async () => new Map(),
      embed: unused,
      loadQuestions: async () => [],
      modelFor: () => null,
      connectRemote: connectRemote ?? unused,
      reportFailure: (error) => {
        throw error
      },
      forgetEveryMs: 20,
    })
    return { pool, loads }
  }

  const call = { tool: 'search_docs', args: { query: 'oil' }, form }
  const indexed = { ...some, sources: source ? [{ ...source, segments: ['seg_1'] }] : [] }
  /** Calls that overlap run in threads. */
  const callTwice = (pool: ToolPool) => Promise.all([pool.call(indexed, call), pool.call(indexed, call)])

  test('the rest of a large segment is read after its first search', async () => {
    const asked: (unknown[] | null)[] = []
    const rest = {
      isWhole: false,
      async read(ranges: readonly unknown[] | null) {
        asked.push(ranges && [...ranges])
        rest.isWhole = ranges === null
        return true
      },
    }
    await using pool = openPool(new Set(['seg_1']), undefined, undefined, rest).pool
    await callTwice(pool)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.every((ranges) => ranges?.length === 1)).toBe(true)
    await expect.poll(() => asked.at(-1), { timeout: 5_000 }).toBeNull()
    const reads = asked.length
    await callTwice(pool)
    expect(asked).toHaveLength(reads)
  })

  const callOnce = (pool: ToolPool) => pool.call(indexed, call)
  test.each([
    ['the main thread keeps a segment that is served', callOnce, ['seg_1'], false],
    ['a thread keeps a segment that is served', callTwice, ['seg_1'], false],
    ['the main thread frees a replaced segment', callOnce, [], true],
    ['a thread frees a replaced segment', callTwice, [], true],
  ])('%s', async (_, callIn, served, isFreed) => {
    const { pool, loads } = openPool(new Set(served))
    await using _pool = pool
    await callIn(pool)
    await sleep(100)
    const before = loads.length
    await callIn(pool)
    expect(loads.length > before).toBe(isFreed)
  })

  test('starts no thread for searches of a lone client, and answers them as a thread does', async () => {
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    const textOf = ({ members }: { members: Uint8Array }) => Buffer.from(members).toString()
    const alone = textOf(await pool.call(indexed, call))
    expect(textOf(await pool.call(indexed, call))).toBe(alone)
    expect(pool.size.threads).toBe(0)
    expect((await callTwice(pool)).map(textOf)).toEqual([alone, alone])
    expect(pool.size.threads).toBe(1)
  })

  test('runs calls in a thread for a second after calls that overlapped', async () => {
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    const run = vi.spyOn(MainThreadSearches.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    await callTwice(pool)
    await pool.call(indexed, call)
    expect(run).not.toHaveBeenCalled()
    await sleep(1_100)
    await pool.call(indexed, call)
    expect(run).toHaveBeenCalledOnce()
  })

  test('starts a thread for a segment of more than 8 MB while it loads, once', async () => {
    const { pool, loads } = openPool(new Set(['seg_1']), undefined, 8_000_001)
    await using _pool = pool
    await pool.call(indexed, call)
    expect([pool.size.threads, loads]).toEqual([1, ['seg_1']])
    // In memory it is small after all.
    await pool.call(indexed, call)
    expect(loads).toEqual(['seg_1'])
  })

  test('answers a search for the third time from memory, as before, until the row of its server changes', async () => {
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    const run = vi.spyOn(MainThreadSearches.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    const plain = { ...call, form: { ...form, structured: false } }
    const first = await pool.call(indexed, plain)
    for (let n = 0; n < 3; n++) expect(await pool.call(indexed, plain)).toEqual(first)
    expect(run).toHaveBeenCalledTimes(2)
    // Each row is an object of its own.
    const other = await pool.call({ ...some, sources: [] }, plain)
    expect(Buffer.from(other.members).toString()).toContain('no sources yet')
    expect(await pool.call(indexed, plain)).toEqual(first)
    expect(run).toHaveBeenCalledTimes(3)
  })

  test.each<[why: string, server: Partial<typeof indexed>, call: Partial<typeof call>]>([
    ['other arguments', {}, { args: { query: 'oils' } }],
    ['ages of pages', {}, { form }],
    ['rules, which can depend on the date', { rules: [] }, {}],
  ])('searches again for %s', async (_, changes, asked) => {
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    const run = vi.spyOn(MainThreadSearches.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    const server = { ...indexed, ...changes }
    const plain = { ...call, form: { ...form, structured: false } }
    for (let n = 0; n < 3; n++) await pool.call(server, plain)
    const before = run.mock.calls.length
    for (let n = 0; n < 3; n++) await pool.call(server, { ...plain, ...asked })
    expect(run).toHaveBeenCalledTimes(before + ('args' in asked ? 2 : 3))
  })

  test('forgets an answer that nobody has asked for in five rounds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    const run = vi.spyOn(MainThreadSearches.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    const plain = { ...call, form: { ...form, structured: false } }
    for (let n = 0; n < 2; n++) await pool.call(indexed, plain)
    vi.advanceTimersByTime(4 * 20)
    await pool.call(indexed, plain)
    expect(run).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(5 * 20)
    await pool.call(indexed, plain)
    expect(run).toHaveBeenCalledTimes(3)
  })

  test('runs other tools in a thread', async () => {
    const { pool } = openPool(new Set(['seg_1']))
    await using _pool = pool
    await pool.call(indexed, { ...call, tool: 'ask_question', args: { question: 'oil' } })
    expect(pool.size.threads).toBe(1)
  })

  test('answers an outage that a tool meets beside the search with the outage, which says when to retry', async () => {
    if (!source) throw new TypeError('The server has a source.')
    const server = { ...some, sources: [{ ...source, type: 'mcp' as const, segments: [] }] }
    const outage = new StoreUnavailableError('away', new Error('gone'))
    await using pool = openPool(new Set(), () => Promise.reject(outage)).pool
    const call = { tool: 'query_source', args: { source: source.id }, form }
    await expect(pool.call(server, call)).rejects.toBe(outage)
  })
})

describe('tool call', () => {
  const { server } = fakeMcp()

  const ends = [
    ['spin', 'The call took too long and was ended. Ask for less, or name one source.'],
    ['fill memory', 'The call took too much memory and was ended. Ask for less, or name one source.'],
  ] as const
  // Threads that fill their memory are among the tests of the pool too.
  test.each(sampleOf(ends, 0, 2))(
    'answers a call that would %s with a sentence, and then the next one',
    async (tool, message) => {
      await using pool = openStuckPool({ deadlineMs: tool === 'spin' ? 200 : 60_000 })
      await expect(pool.call(server, { tool, args: {}, form })).rejects.toMatchObject({ name: 'ToolError', message })
      expect(await pool.call(server, { tool: 'fine', args: {}, form })).toMatchObject({ citations: [] })
    },
  )

  test('reports a call that ends its thread as an internal error, and answers the next one', async () => {
    await using pool = openStuckPool()
    await expect(pool.call(server, { tool: 'exit', args: {}, form })).rejects.toMatchObject({ name: 'PoolError' })
    expect(await pool.call(server, { tool: 'fine', args: {}, form })).toMatchObject({ citations: [] })
  })

  test('refuses a call with 503 and Retry-After when too many of its server wait', async () => {
    await using pool = openStuckPool({ queueLimit: 2, deadlineMs: 500 })
    const taken = [1, 2].map(() => pool.call(server, { tool: 'spin', args: {}, form }))
    const settled = Promise.allSettled(taken)
    expect(pool.isFull(server)).toBe(true)
    expect(pool.isFull({ ...server, id: 'srv_other' })).toBe(false)
    const { send, calls } = fakeMcp({ deps: { tools: pool } })
    const refused = { code: 'too_busy', status: 503, headers: { 'retry-after': '1' } }
    await expect(send(legacy('tools/call', search))).rejects.toMatchObject(refused)
    await expect(send(modern('tools/call', search))).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
    await settled
    expect(pool.isFull(server)).toBe(false)
  })

  test('refuses a call in a batch individually', async () => {
    const { send } = fakeMcp({
      deps: { tools: { ...fakeMcp().deps.tools, isFull: () => true, call: () => Promise.reject(new Error('unused')) } },
    })
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: search },
    ]
    const answer = jsonOf(await send({ headers: new Headers(), body: JSON.stringify(messages) }))
    expect(answer).toMatchObject([
      { id: 1, result: {} },
      {
        id: 2,
        error: {
          message: 'Too many requests are under way. Try again in a moment.',
          data: { reason: 'too_busy', retryAfter: 1 },
        },
      },
    ])
  })

  test('does not count a refused call against the allowance', async () => {
    let taken = 0
    const { send } = fakeMcp({
      deps: {
        takeCall: async () => (taken++, 'ok'),
        tools: { ...fakeMcp().deps.tools, isFull: () => true, call: () => Promise.reject(new Error('unused')) },
      },
    })
    await expect(send(legacy('tools/call', search))).rejects.toMatchObject({ code: 'too_busy' })
    expect(taken).toBe(0)
  })
})

describe('client that leaves', () => {
  test('ends the request to the language model and does not repeat it', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    await using model = await startLanguageModel((response) => {
      response.on('close', () => closed.resolve())
      asked.resolve()
    })
    await using site = await startSite({ '/': page('Widgets', 'Oil every widget twice a year with fine oil.') })
    await using docent = await startDocent({
      environment: { DOCENT_LLM_BASE_URL: `${model.url}/v1`, DOCENT_LLM_MODEL: 'slow-1', DOCENT_LLM_TIMEOUT: '60' },
    })
    const { slug } = await docent.createServer({ name: 'Widgets', sources: [{ url: site.url }] })
    const client = new AbortController()
    const answer = callTool(`${docent.url}/api/mcp/${slug}`, client.signal, 'ask_question', {
      question: 'How often do I oil a widget?',
    })
    await asked.promise
    client.abort()
    await expect(answer).rejects.toThrow()
    await closed.promise
    await sleep(1_200)
    expect(model.asked).toHaveLength(1)
  })

  test('ends the request to a remote server', async () => {
    await using remote = await startRemoteMcp()
    await using docent = await startDocent()
    const { slug } = await docent.createServer({
      name: 'Remote',
      tools: ['search_docs', 'query_source', 'ask_question'],
      sources: [{ url: remote.url, type: 'mcp', label: 'Remote' }],
    })
    const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    remote.misbehave = (_request, response) => {
      response.on('close', () => closed.resolve())
      asked.resolve()
    }
    const client = new AbortController()
    const url = `${docent.url}/api/mcp/${slug}`
    const answer = callTool(url, client.signal, 'query_source', { source: 'Remote' })
    await asked.promise
    // The only thread still answers other calls meanwhile.
    const other = await docent.callTool(slug, 'search_docs', { query: 'alpha' })
    expect(other.result.content[0].text).toContain('alpha')
    client.abort()
    await expect(answer).rejects.toThrow()
    await closed.promise
  })
})

test('answers searches beside a hundred questions to a hanging model', async () => {
  await using model = await startLanguageModel(() => undefined)
  await using site = await startSite({ '/': page('Widgets', 'Oil every widget twice a year with fine oil.') })
  await using docent = await startDocent({
    environment: {
      DOCENT_LLM_BASE_URL: `${model.url}/v1`,
      DOCENT_LLM_MODEL: 'slow-1',
      DOCENT_LLM_TIMEOUT: '60',
      DOCENT_RATE_LIMITS: 'off',
    },
  })
  const { slug } = await docent.createServer({ name: 'Widgets', sources: [{ url: site.url }] })
  const client = new AbortController()
  const url = `${docent.url}/api/mcp/${slug}`
  const question = { question: 'How often do I oil a widget?' }
  const questions = Array.from({ length: 100 }, () => callTool(url, client.signal, 'ask_question', question))
  const settled = Promise.allSettled(questions)
  // The model client's limit of concurrent requests.
  while (model.asked.length < 4) await sleep(10)
  for (let searched = 0; searched < 20; searched++) {
    const { result } = await docent.callTool(slug, 'search_docs', { query: 'oil' })
    expect(result.content[0].text).toContain('fine oil')
  }
  client.abort()
  await settled
})

async function callTool(url: string, signal: AbortSignal, name: string, args: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return response.json()
}
