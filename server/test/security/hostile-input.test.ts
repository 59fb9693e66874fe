import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sampleOf } from '../support/lib/sample-of.ts'
import { openCorpus } from '../support/sites/corpora.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { exampleInput } from '../support/service/example-input.ts'
import { type Docent, startDocent, readText } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

/** Nothing listens here. */
const NOWHERE = 'http://127.0.0.1:19151/'

/** Strings specific to the service, for machines without the corpora. */
const OWN_TEXTS = [
  '',
  '\0',
  'a\0b',
  '\uD800',
  '\u202E',
  "'; drop table servers; --",
  '%00',
  '%',
  '../..',
  '{{7*7}}',
  '🦉'.repeat(300),
]
const OWN_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"\\ud800"',
  '{"a":1e999}',
  '{"__proto__":{"a":1}}',
  `${'['.repeat(50_000)}`,
  '\uFEFF{}',
]

const json = await openCorpus('jsontestsuite')
const texts = await openCorpus('blns')
const CORPUS = texts ? (JSON.parse(readFileSync(join(texts, 'blns.json'), 'utf8')) as string[]) : []
const NAUGHTY = [...OWN_TEXTS, ...CORPUS]
/** Texts for the operation with this number. */
const textsFor = (turn: number) => [...sampleOf(OWN_TEXTS, turn), ...sampleOf(CORPUS, turn, SHARE)]
const BODIES: readonly [name: string, body: Buffer][] = [
  ...OWN_BODIES.map((body): [string, Buffer] => [body.slice(0, 20), Buffer.from(body)]),
  ...(json ? readBodies(json) : []),
]

function readBodies(folder: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => [path, readFileSync(join(folder, path))])
}

/** Of the texts and bodies for each operation, one in so many is sent in `npm test`, and others to the next one. */
const SHARE = 48
/** Thousands of requests take long. */
vi.setConfig({ testTimeout: 600_000 })

onSqliteAtLeast('hostile input', (engine) => {
  let site: Site
  let docent: Docent
  let slug: string
  let ids: Record<string, string>

  beforeAll(async () => {
    site = await startSite({ '/': page('Home', 'Welcome to this place.') })
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_GITHUB_API_URL: NOWHERE } })
    await furnish()
  })
  afterAll(() => disposeAll(docent, site))

  const furnish = async () => {
    const body = { name: 'Target', sources: [{ url: `${site.url}/` }] }
    const made = (await docent.request('POST', '/api/mcp/create', body)).body
    const { sources } = await docent.untilDone(made.slug)
    slug = made.slug
    ids = { id: made.serverId, serverId: made.serverId, sourceId: sources[0].id }
  }
  const pathOf = (operation: Operation, value?: string) =>
    operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(wellFormed(value ?? ids[name] ?? 'none')),
    )

  /** Fails for every answer that reports an internal error. */
  async function expectNoFailure(asked: readonly (() => Promise<{ status: number; text: string; what: string }>)[]) {
    const failures: string[] = []
    for (let from = 0; from < asked.length; from += 20) {
      const answers = await Promise.all(asked.slice(from, from + 20).map((ask) => ask()))
      for (const { status, text, what } of answers) if (status >= 500) failures.push(`${status} ${what}: ${text}`)
    }
    expect(failures).toEqual([])
  }

  const send = async (
    method: string,
    path: string,
    body: Buffer | string | undefined,
    key: string | null = docent.key,
  ) => {
    const response = await fetch(docent.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      ...(body === undefined ? {} : { body }),
    })
    const text = await readText(response)
    const type = response.headers.get('content-type') ?? ''
    const documents = type === 'text/event-stream' ? [] : type.includes('ndjson') ? text.trimEnd().split('\n') : [text]
    for (const each of documents) expect(each === '' ? undefined : JSON.parse(each)).not.toBeNull()
    return { status: response.status, text }
  }

  // Deletions come last, so that the things still exist until then.
  const changing = Object.values<Operation>(operations)
    .filter(({ method }) => method !== 'GET')
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

  test('causes no server error with a hostile id in a path', async () => {
    // One operation per kind of thing: the others look it up in the same way.
    const byResource = Map.groupBy(Object.values<Operation>(operations), ({ resource }) => resource)
    const named = [...byResource.values()].flatMap((same) => same.find(({ path }) => path.includes('{')) ?? [])
    await expectNoFailure(
      named.flatMap(({ method, ...operation }, turn) =>
        textsFor(turn).map((text) => async () => {
          const path = pathOf({ method, ...operation }, text)
          return { ...(await send(method, path, method === 'GET' ? undefined : '{}')), what: `${method} ${path}` }
        }),
      ),
    )
  })

  test('causes no server error with a hostile query parameter', async () => {
    const asking = Object.values<Operation>(operations).filter(({ method }) => method === 'GET')
    await expectNoFailure(
      asking.flatMap((operation, turn) =>
        textsFor(turn).map((text) => async () => {
          const fields = Object.keys(exampleInput(operation)).filter((name) => !operation.path.includes(`{${name}}`))
          const query = [...fields, text].map((name) => `${encode(name)}=${encode(text)}`).join('&')
          const path = `${pathOf(operation)}?${query}`
          return { ...(await send('GET', path, undefined)), what: path }
        }),
      ),
    )
  })

  test('causes no server error with hostile text in a body', async () => {
    // Skips the creation of hundreds of servers: the next test creates some from hostile texts.
    const without = changing.filter(({ path, method }) => path !== '/api/mcp/create' && method !== 'DELETE')
    const unable = [503]
    await expectNoFailure(
      without.flatMap((operation, turn) =>
        textsFor(turn).map((text) => async () => {
          const body = JSON.stringify({ ...replaceTexts(exampleInput(operation), text), serverId: ids['serverId'] })
          const { status, text: answer } = await send(operation.method, pathOf(operation), body)
          // This instance cannot build tools, and valid requests get that answer.
          return {
            status: unable.includes(status) ? 400 : status,
            text: answer,
            what: `${operation.path} ${body.slice(0, 300)}`,
          }
        }),
      ),
    )
  })

  test('stores and returns a hostile description unchanged', async () => {
    for (const text of sampleOf(NAUGHTY)) {
      const { status, body } = await docent.request('PATCH', `/api/mcp/${slug}`, { description: text })
      expect(status).toBe(200)
      expect(body.description ?? '').toBe(wellFormed(text).replaceAll('\0', '\uFFFD'))
    }
  })

  test('answers or refuses a hostile question or search', async () => {
    // A hostile body may have been a valid limit.
    const none = { reservedPercent: 0, anonymousPerDay: 0, anonymousPerNetworkPerDay: 0 }
    expect((await docent.request('PATCH', '/api/account/caller-limits', none)).status).toBe(200)
    for (const text of sampleOf(NAUGHTY)) {
      for (const [tool, args] of [
        ['search_docs', { query: text }],
        ['ask_question', { question: text }],
      ] as const) {
        const { result, error } = await docent.callTool(slug, tool, args)
        expect([text, result === undefined, error?.code]).toEqual(
          text.trim() === '' ? [text, true, -32602] : [text, false, undefined],
        )
      }
    }
  })

  test('causes no server error with a malformed body', async () => {
    expect(BODIES.length).toBeGreaterThan(json ? 200 : 5)
    await expectNoFailure(
      changing.flatMap((operation, turn) =>
        sampleOf(BODIES, turn, SHARE).map(([name, body]) => async () => {
          const path = pathOf(operation)
          return { ...(await send(operation.method, path, body)), what: `${operation.method} ${path} ${name}` }
        }),
      ),
    )
    await furnish()
    await expectNoFailure(
      BODIES.map(([name, body]) => async () => ({
        ...(await send('POST', `/api/mcp/${slug}`, body, null)),
        what: name,
      })),
    )
  })
})

const encode = (text: string): string => encodeURIComponent(wellFormed(text))
/** JSON cannot encode a lone surrogate, so it is replaced. */
const wellFormed = (text: string): string => text.toWellFormed()

function replaceTexts(value: unknown, text: string): any {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceTexts(member, text)]))
}
