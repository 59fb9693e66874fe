import { operations } from '@docent/contract/operations'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createDocentClient } from './client.ts'
import { DocentApiError } from './error.ts'

type Sent = { url: string; method: string; headers: Headers; body: unknown }

type Answer = { status?: number; headers?: Record<string, string> }

/** A client that records its requests and answers them with `body`. */
function fakeClient(body: unknown, { status = 200, headers = {} }: Answer = {}) {
  const sent: Sent[] = []
  const go: typeof fetch = async (url, init) => {
    init?.signal?.throwIfAborted()
    const request = new Request(url, init)
    const text = await request.text()
    sent.push({ url: request.url, method: request.method, headers: request.headers, body: text && JSON.parse(text) })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
  return {
    client: createDocentClient({ baseUrl: 'https://docent.example/', apiKey: 'dk_live_x', fetch: go, retries: 0 }),
    sent,
  }
}

describe('client', () => {
  test('offers a function for every operation', () => {
    const { client } = fakeClient({})
    const names = Object.entries(client).flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`))
    expect(names.toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  test('puts each field into the path, query or body', async () => {
    const { client, sent } = fakeClient({})
    await client.servers.get({ id: 'a b/c' })
    await client.analytics.calls({ id: 'x', tool: 'search_docs', page: 2 })
    await client.retrievalRules.update({ ruleId: 'rule_1', priority: 3 })
    await client.servers.list()
    expect(sent.map(({ method, url, body }) => [method, url.replace('https://docent.example', ''), body])).toEqual([
      ['GET', '/api/mcp/a%20b%2Fc', ''],
      ['GET', '/api/analytics/x/calls?tool=search_docs&page=2', ''],
      ['PATCH', '/api/retrieval-rules/rule_1', { priority: 3 }],
      ['GET', '/api/mcp/list', ''],
    ])
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer dk_live_x')
  })

  test('sends an idempotency key and obeys an abort signal', async () => {
    const { client, sent } = fakeClient({})
    const input = { name: 'A', sources: [{ url: 'https://docs.example/' }] }
    await client.servers.create(input, { idempotencyKey: 'once' })
    expect(sent[0]?.headers.get('idempotency-key')).toBe('once')
    await expect(client.servers.create(input, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })

  test('sends the client secret to the operations of developers only', async () => {
    const sent: (string | null)[] = []
    const go: typeof fetch = async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization'))
      return new Response('{}')
    }
    const secrets = { apiKey: 'dk_live_x', clientSecret: 'dcs_y' }
    const client = createDocentClient({ baseUrl: 'https://docent.example/', ...secrets, fetch: go })
    await client.configurations.list()
    await client.attributionTokens.create({ clientId: 'dci_z' })
    await client.servers.list()
    expect(sent).toEqual(['Bearer dcs_y', 'Bearer dcs_y', 'Bearer dk_live_x'])
  })

  test('types inputs and answers', () => {
    const { client } = fakeClient({})
    expectTypeOf(client.servers.create).parameter(0).toHaveProperty('sources')
    expectTypeOf(client.account.usage).returns.resolves.toHaveProperty('mcpRequests')
    // @ts-expect-error a name is needed
    void (() => client.servers.create({ sources: [] }))
    // @ts-expect-error no such operation
    void (() => client.servers.explode())
  })

  test('yields the items of a stream as they arrive', async () => {
    const { client } = fakeClient('{"type":"progress","stage":"reading","message":"a"}\n{"type":"error","message":"b"}')
    const lines = []
    for await (const line of await client.customTools.create({ prompt: 'x'.repeat(20) })) lines.push(line.type)
    expect(lines).toEqual(['progress', 'error'])
  })
})

describe('refusal', () => {
  const refusal = async (body: unknown, options: Answer) => {
    const error: unknown = await fakeClient(body, options)
      .client.servers.create({ name: 'A', sources: [] })
      .catch((cause: unknown) => cause)
    if (!(error instanceof DocentApiError)) throw new Error('not refused')
    return error
  }

  test.each([
    [400, { error: 'Name is required' }, 'name_required', 'Name is required'],
    [402, { error: 'source_limit', message: 'Too many.', limit: 2 }, 'source_limit', 'Too many.'],
    [
      400,
      { error: 'These URLs point to private or internal network addresses and cannot be indexed: http://10.0.0.1/' },
      'private_source_urls',
      /10\.0\.0\.1/,
    ],
    [500, { error: 'Something went wrong on our side. The error has been logged.' }, 'internal', /went wrong/],
    [418, { error: 'teapot' }, null, 'teapot'],
    [502, '<h1>Bad gateway</h1>', null, '<h1>Bad gateway</h1>'],
    [502, '', null, 'The service answered with status 502'],
  ])('maps %i %j to its code', async (status, body, code, message) => {
    const error = await refusal(body, { status })
    expect([error.status, error.code]).toEqual([status, code])
    expect(error.message).toMatch(message)
  })

  test('carries Retry-After and further fields', async () => {
    const body = { error: 'Too many requests. Try again in 17 seconds.', extra: 1 }
    const error = await refusal(body, { status: 429, headers: { 'retry-after': '17' } })
    expect([error.code, error.retryAfter, error.body]).toEqual(['too_many_requests', 17, body])
  })
})

describe('retries', () => {
  /** A service that answers in turn; an error is thrown as by `fetch`. */
  function serviceOf(...answers: ({ status: number; wait?: string } | Error)[]) {
    const keys: (string | null)[] = []
    const go: typeof fetch = async (url, init) => {
      const request = new Request(url, init)
      keys.push(request.headers.get('idempotency-key'))
      const answer = answers[Math.min(keys.length, answers.length) - 1]
      if (answer instanceof Error) throw answer
      const headers = answer?.wait === undefined ? {} : { 'retry-after': answer.wait }
      return new Response('{"error":"Not now."}', { status: answer?.status ?? 200, headers })
    }
    const client = createDocentClient({ baseUrl: 'https://docent.example', fetch: go, maxWaitMs: 5_000 })
    return { client, keys }
  }
  const input = { name: 'A', sources: [{ url: 'https://docs.example/' }] }
  const away = new TypeError('fetch failed')
  const busy = { status: 503, wait: '0' }
  const limited = { status: 429, wait: '0' }

  test.each([
    ['a rate limit', [limited, limited, { status: 200 }], 3],
    ['a busy service', [busy, { status: 200 }], 2],
    ['a service that is away', [away, { status: 200 }], 2],
    ['a proxy without a service', [{ status: 502 }, { status: 200 }], 2],
  ])('repeats a read and a creation after %s', async (_, answers, attempts) => {
    const read = serviceOf(...answers)
    await read.client.servers.list()
    expect(read.keys).toEqual(Array<null>(attempts).fill(null))
    const made = serviceOf(...answers)
    await made.client.servers.create(input)
    expect(made.keys).toHaveLength(attempts)
    expect(new Set(made.keys).size).toBe(1)
    expect(made.keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('repeats other changes after a rate limit only, because they may have been carried out', async () => {
    const change = (...answers: Parameters<typeof serviceOf>) => {
      const { client, keys } = serviceOf(...answers)
      return client.servers.delete({ id: 'x' }).then(
        () => keys.length,
        () => -keys.length,
      )
    }
    expect(await change(limited, { status: 200 })).toBe(2)
    for (const answer of [busy, away, { status: 502 }]) expect(await change(answer, { status: 200 })).toBe(-1)
  })

  test.each([
    ['a final refusal', [{ status: 404 }], 1],
    ['a feature that is not configured', [{ status: 503 }], 1],
    ['a wait that is too long', [{ status: 429, wait: '60' }], 1],
    ['the third refusal', [limited], 3],
  ])('ends the retries with %s', async (_, answers, attempts) => {
    const { client, keys } = serviceOf(...answers)
    await expect(client.servers.list()).rejects.toThrow('Not now.')
    expect(keys).toHaveLength(attempts)
  })

  test('ends the retries when the caller no longer waits', async () => {
    const { client, keys } = serviceOf({ status: 429, wait: '4' })
    const ended = new AbortController()
    const listing = client.servers.list({}, { signal: ended.signal })
    setTimeout(() => ended.abort(new Error('enough')), 10)
    await expect(listing).rejects.toThrow('enough')
    expect(keys).toHaveLength(1)
  })
})

test('sends a file with its fields in the query', async () => {
  const sent: Request[] = []
  const go: typeof fetch = async (url, init) => {
    sent.push(new Request(url, init))
    return new Response('{}')
  }
  const client = createDocentClient({ baseUrl: 'https://docent.example', fetch: go })
  const file = new TextEncoder().encode('# Manual')
  await client.sources.upload({ id: 'my-docs', name: 'manual', file: 'manual.md' }, { file })
  expect(sent[0]?.url).toBe('https://docent.example/api/mcp/my-docs/sources/upload?name=manual&file=manual.md')
  expect(sent[0]?.headers.get('content-type')).toBe('application/octet-stream')
  expect(await sent[0]?.text()).toBe('# Manual')
  await expect(client.sources.upload({ id: 'my-docs', name: 'manual' })).rejects.toThrow('needs a file')
})
