import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '#config.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

onSqliteAtLeast('redaction of calls', (engine) => {
  let site: Site
  let docent: Docent
  let slug: string

  beforeAll(async () => {
    site = await startSite({ '/': page('Sprockets', 'Sprockets must be oiled twice a year.'), '/robots.txt': '' })
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const body = { name: 'Machine', sources: [{ url: `${site.url}/` }] }
    slug = (await docent.request('POST', '/api/mcp/create', body)).body.slug
    while ((await docent.request('GET', `/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
  })
  afterAll(() => disposeAll(docent, site))

  const change = (redaction: unknown) => docent.request('PATCH', `/api/mcp/${slug}`, { redaction })
  const lastCall = async () => (await docent.request('GET', `/api/analytics/${slug}/calls`)).body.calls[0]
  /** Everything in the log, also of calls that were just answered. */
  const stored = async () => {
    await lastCall()
    return docent.inStore(async ({ read }) => JSON.stringify(await read.selectFrom('calls').selectAll().execute()))
  }

  test('stores calls as sent until the owner asks for something else', async () => {
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body.redaction).toEqual({ kinds: [], patterns: [] })
    await docent.callTool(slug, 'search_docs', { query: 'sprockets of zoe@example.test' })
    expect((await lastCall()).arguments).toEqual({ query: 'sprockets of zoe@example.test' })
  })

  test('removes secrets and patterns before a call is stored, and still answers the question as asked', async () => {
    const { status, body } = await change({ kinds: ['email', 'card', 'token'], patterns: ['sprock*', 'ORD-*'] })
    expect([status, body.redaction]).toEqual([
      200,
      { kinds: ['email', 'card', 'token'], patterns: ['sprock*', 'ORD-*'] },
    ])
    const query = 'oil Sprockets for ada@example.test ord-7711 4111 1111 1111 1111 sk-abcdefghijklmnopqrst'
    const answer = await docent.callTool(slug, 'search_docs', { query, canary: { 'ada@example.test': ['ORD-7711'] } })
    expect(answer.result.content[0].text).toContain('twice a year')
    const call = await lastCall()
    expect(call.arguments).toEqual({
      query: 'oil [redacted] for [email] [redacted] [card] [token]',
      canary: { '[email]': ['[redacted]'] },
    })
    await docent.callTool(slug, 'ada@example.test', { 'ada@example.test': 'ORD-7711' })
    for (const secret of ['ada@', '7711', '4111', 'sk-abc']) expect(await stored()).not.toContain(secret)
    const { topQueries } = (await docent.request('GET', `/api/analytics/${slug}`)).body
    expect(JSON.stringify(topQueries)).not.toMatch(/ada@|7711/)
  })

  test('applies to errors, and to no call that was stored before', async () => {
    await docent.callTool(slug, 'search_docs', { query: 'x', version: 'ORD-7712@ada@example.test' })
    await docent.callTool(slug, 'get_code_examples', { task: 'x', language: 'ORD-7713' })
    expect(await stored()).not.toMatch(/771[23]/)
    expect(await stored()).toContain('zoe@example.test')
  })

  test('changes with the next call, and not with other settings of the server', async () => {
    await docent.request('PATCH', `/api/mcp/${slug}`, { description: 'New' })
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body.redaction.kinds).toHaveLength(3)
    expect((await change({})).body.redaction).toEqual({ kinds: [], patterns: [] })
    await docent.callTool(slug, 'search_docs', { query: 'ORD-7714' })
    expect((await lastCall()).arguments).toEqual({ query: 'ORD-7714' })
  })

  test('accepts twenty patterns of a hundred characters', async () => {
    const patterns = Array.from({ length: 20 }, (_, n) => `${'x'.repeat(97)}*${n + 10}`)
    expect((await change({ patterns: patterns.map((pattern) => pattern.slice(0, 100)) })).status).toBe(200)
  })

  test.each([
    [{ kinds: ['phone'] }],
    [{ patterns: ['*'] }],
    [{ patterns: ['a*b'] }],
    [{ patterns: [' ** '] }],
    [{ patterns: ['x'.repeat(101)] }],
    [{ patterns: Array.from({ length: 21 }, (_, n) => `abc${n}`) }],
    ['email'],
  ])('rejects %j with a sentence', async (redaction) => {
    const { status, body } = await change(redaction)
    expect([status, body.error]).toEqual([400, 'invalid_input'])
    expect(body.message).toMatch(/^redaction.* (?:must|is) .*\.$/)
  })
})

onSqliteAtLeast('redaction by the operator', (engine) => {
  test('applies to all servers, before the redaction of the server and without showing in it', async () => {
    await using site = await startSite({ '/': page('Sprockets', 'Sprockets must be oiled twice a year.') })
    await using docent = await startDocent({
      engine,
      environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_REDACT_KINDS: 'email', DOCENT_REDACT_PATTERNS: 'ORD-*' },
    })
    const { slug } = (await docent.request('POST', '/api/mcp/create', { name: 'M', sources: [{ url: site.url }] })).body
    while ((await docent.request('GET', `/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
    const asked = async () => {
      await docent.callTool(slug, 'search_docs', { query: 'sprockets of ada@example.test in ord-7711, falcon' })
      const { calls } = (await docent.request('GET', `/api/analytics/${slug}/calls`)).body
      return calls[0].arguments.query
    }
    expect(await asked()).toBe('sprockets of [email] in [redacted] falcon')
    // A pattern that matches a part of the address must not save the rest.
    const redaction = { kinds: [], patterns: ['ada', 'falcon'] }
    expect((await docent.request('PATCH', `/api/mcp/${slug}`, { redaction })).body.redaction).toEqual(redaction)
    expect(await asked()).toBe('sprockets of [email] in [redacted] [redacted]')
    await docent.request('PATCH', `/api/mcp/${slug}`, { redaction: {} })
    expect(await asked()).toBe('sprockets of [email] in [redacted] falcon')
    const stored = await docent.inStore(async ({ read }) =>
      JSON.stringify(await read.selectFrom('calls').selectAll().execute()),
    )
    expect(stored).not.toMatch(/ada@|7711/)
  })
})

describe('the settings of redaction', () => {
  const redactionOf = (kinds: string, patterns: string) =>
    loadConfig({ DOCENT_REDACT_KINDS: kinds, DOCENT_REDACT_PATTERNS: patterns }).redaction
  const list = (count: number) => Array.from({ length: count }, (_, n) => `abc${n}`)

  test('has no redaction patterns by default', () => {
    expect(loadConfig({}).redaction).toEqual({ kinds: [], patterns: [] })
  })

  test('separates redaction patterns by commas or line breaks', () => {
    const patterns = ['ORD-*', 'project falcon', 'x'.repeat(100)]
    expect(redactionOf('email, card token', `${patterns.join(', ')},\n`)).toEqual({
      kinds: ['email', 'card', 'token'],
      patterns,
    })
    expect(redactionOf('', list(20).join('\n')).patterns).toHaveLength(20)
  })

  test.each([
    ['phone', '', 'DOCENT_REDACT_KINDS'],
    ['', 'ab*', 'DOCENT_REDACT_PATTERNS: must have at least 3 characters'],
    ['', 'x'.repeat(101), 'DOCENT_REDACT_PATTERNS: must have at most 100 characters'],
    ['', list(21).join(), 'DOCENT_REDACT_PATTERNS'],
  ])('with kinds %j and patterns %.30j stop the startup', (kinds, patterns, message) => {
    expect(() => redactionOf(kinds, patterns)).toThrow(message)
  })
})
