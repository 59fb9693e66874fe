import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NetResponse } from './client.ts'
import { NetError } from './net-error.ts'
import { createRobotsCache } from './robots.ts'
import { type RobotsRules, parseRobots } from './robots-rules.ts'

const ORIGIN = 'https://docs.example'

type Answer = { status?: number; body?: string; headers?: Record<string, string> } | NetError

let asked: string[]
let answer: Answer
let parse: (...given: Parameters<typeof parseRobots>) => RobotsRules | null

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  parse = parseRobots
  answer = { body: 'User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: /map.xml' }
})

afterEach(() => vi.useRealTimers())

function cache(maxBytes?: number) {
  return createRobotsCache({
    ...(maxBytes === undefined ? {} : { maxBytes }),
    userAgent: 'Docent/1.0 (+https://example.org)',
    parse: async (...given) => parse(...given),
    net: {
      async fetch(url): Promise<NetResponse> {
        asked.push(url)
        if (answer instanceof NetError) throw answer
        const { status = 200, body = '', headers = {} } = answer
        return { url, status, headers, bytes: new TextEncoder().encode(body) }
      },
    },
  })
}

async function state() {
  const robots = await cache().of(ORIGIN)
  return [robots.state, robots.allows(new URL(`${ORIGIN}/page`))]
}

describe('robots.txt', () => {
  test('reads the robots.txt of an origin', async () => {
    const robots = await cache().of(ORIGIN)
    expect(asked).toEqual([`${ORIGIN}/robots.txt`])
    expect(robots).toMatchObject({ state: 'rules', problem: null, crawlDelay: 2, sitemaps: [`${ORIGIN}/map.xml`] })
    expect(robots.allows(new URL(`${ORIGIN}/private?x`))).toBe(false)
    expect(robots.allows(new URL(`${ORIGIN}/public`))).toBe(true)
  })

  test('forbids everything if parsing exceeds its limits, and fetches the file again after a minute', async () => {
    parse = () => null
    const robots = cache()
    expect(await robots.of(ORIGIN)).toMatchObject({
      state: 'unreachable',
      problem: expect.stringContaining('too long'),
    })
    parse = parseRobots
    vi.advanceTimersByTime(61_000)
    expect((await robots.of(ORIGIN)).state).toBe('rules')
  })

  test('does not blame the robots.txt for an unreachable host', async () => {
    for (const reason of ['connect', 'dns', 'tls'] as const) {
      const url = 'https://down.example/robots.txt'
      const net = { fetch: async () => Promise.reject(new NetError(reason, 'The host is down.', { url })) }
      const robots = await createRobotsCache({ net, userAgent: 'Docent/1', parse: async () => null }).of(
        'https://down.example',
      )
      expect(robots).toMatchObject({
        state: 'unreachable',
        isHostDown: true,
        problem: 'down.example: The host is down.',
      })
    }
  })

  test('blames the robots.txt for a timeout, or for a redirect to a host that is down', async () => {
    for (const [reason, url] of [
      ['timeout', 'https://slow.example/robots.txt'],
      ['connect', 'https://elsewhere.example/robots.txt'],
    ] as const) {
      const net = { fetch: async () => Promise.reject(new NetError(reason, 'It failed.', { url })) }
      const robots = await createRobotsCache({ net, userAgent: 'Docent/1', parse: async () => null }).of(
        'https://slow.example',
      )
      expect(robots.isHostDown).toBeUndefined()
      expect(robots.problem).toContain('robots.txt cannot be read')
    }
  })

  test('fetches the robots.txt again after a failure on our side', async () => {
    const robots = cache()
    parse = () => {
      throw new Error('no process could be started')
    }
    await expect(robots.of(ORIGIN)).rejects.toThrow('no process')
    parse = parseRobots
    expect((await robots.of(ORIGIN)).state).toBe('rules')
  })

  test.each([404, 403, 401, 410])('allows everything on status %i', async (status) => {
    answer = { status, body: 'User-agent: *\nDisallow: /' }
    expect(await state()).toEqual(['none', true])
  })

  test.each([500, 503, 429])('forbids everything on status %i, with the reason', async (status) => {
    answer = { status }
    expect(await state()).toEqual(['unreachable', false])
    expect((await cache().of(ORIGIN)).problem).toContain(`status ${status}`)
  })

  test.each(['timeout', 'connect', 'dns', 'tls', 'decode', 'too_large', 'blocked_address'] as const)(
    'forbids everything on failure with %s',
    async (reason) => {
      answer = new NetError(reason, 'It failed.')
      expect(await state()).toEqual(['unreachable', false])
    },
  )

  test('treats a robots.txt that only redirects as absent', async () => {
    answer = new NetError('redirect_loop', 'In a circle.')
    expect(await state()).toEqual(['none', true])
  })
})

describe('cache', () => {
  test.each([
    ['', 24 * 60],
    ['public, max-age=3600', 60],
    ['max-age=0', 5],
    ['max-age=31536000', 24 * 60],
  ])('keeps a file with Cache-Control "%s" for %i minutes', async (value, minutes) => {
    answer = { body: '', headers: { 'cache-control': value } }
    const robots = cache()
    await robots.of(ORIGIN)
    vi.advanceTimersByTime(minutes * 60_000 - 1)
    await robots.of(ORIGIN)
    expect(asked).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await robots.of(ORIGIN)
    expect(asked).toHaveLength(2)
  })

  test('fetches an unreachable file again after a minute', async () => {
    const robots = cache()
    answer = { status: 503 }
    await robots.of(ORIGIN)
    vi.advanceTimersByTime(60_000)
    answer = { status: 200 }
    expect((await robots.of(ORIGIN)).state).toBe('rules')
  })

  test.each([
    ['keeps all files that fit', 300_000, 2],
    ['drops the oldest file if there is no room', 150_000, 3],
    ['keeps the latest file at any size', 1, 3],
  ])('keeps the cache bounded: %s', async (_, maxBytes, fetches) => {
    const lines = Array.from({ length: 100 }, (__, n) => `Disallow: /${n}\nDisallow: /*${n}`)
    answer = { body: `User-agent: *\n${lines.join('\n')}` }
    const robots = cache(maxBytes)
    const other = 'https://other.example'
    await robots.of(ORIGIN)
    await robots.of(other)
    await robots.of(other)
    expect(asked).toHaveLength(2)
    await robots.of(ORIGIN)
    expect(asked).toHaveLength(fetches)
  })

  test('counts a file once, however often it is fetched', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => `Disallow: /${n}`)
    const body = `User-agent: *\n${lines.join('\n')}`
    const robots = cache(120_000)
    const other = 'https://other.example'
    answer = { body }
    await robots.of(other)
    answer = { body, headers: { 'cache-control': 'max-age=0' } }
    for (let time = 0; time < 5; time++) {
      await robots.of(ORIGIN)
      vi.advanceTimersByTime(5 * 60_000)
    }
    expect(asked).toHaveLength(6)
    await robots.of(other)
    expect(asked).toHaveLength(6)
  })

  test('fetches once for concurrent callers, and lets one leave without the others', async () => {
    const robots = cache()
    const stop = new AbortController()
    const gone = robots.of(ORIGIN, stop.signal)
    const staying = robots.of(ORIGIN)
    stop.abort()
    await expect(gone).rejects.toMatchObject({ reason: 'aborted' })
    expect((await staying).state).toBe('rules')
    expect(asked).toHaveLength(1)
  })
})
