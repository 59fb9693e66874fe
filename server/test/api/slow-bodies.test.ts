import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cpuMs } from '../../../bench/src/service/read-process.ts'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { spawnService } from '../support/service/service-process.ts'

/** One write: a thousand chunks of one byte each. */
const TINY = '1\r\na\r\n'.repeat(1_000)
const MANY = 200

onSqliteAtLeast('body in one-byte chunks', (engine) => {
  let docent: Docent
  let slug: string
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    slug = (await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })).body.slug
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  /** Sends chunks until the service closes the connection. Returns the answer and the number of writes. */
  async function flood(line: string, headers = '', { url } = docent) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => {})
    const answer: string[] = []
    socket.on('data', (piece: string) => void answer.push(piece))
    const closed = once(socket, 'close')
    socket.write(`${line} HTTP/1.1\r\nHost: docs.example.test\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
    let writes = 0
    for (; writes < MANY && !socket.destroyed && answer.length === 0; writes++) {
      socket.write(TINY)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await closed
    const text = answer.join('')
    return { status: Number(text.split(' ')[1]), text, writes }
  }

  test.each([
    ['the MCP endpoint', () => [`POST /api/mcp/${slug}`, '']],
    ['an open operation', () => ['POST /api/sessions', '']],
    ['a management operation', () => ['POST /api/mcp/create', `Authorization: Bearer ${docent.key}\r\n`]],
    ['an upload', () => [`POST /api/mcp/${slug}/sources/upload?name=docs`, `Authorization: Bearer ${docent.key}\r\n`]],
  ] as const)('refuses the body before it takes memory: %s', async (_, of) => {
    const { status, text, writes } = await flood(...(of() as [string, string]))
    expect([status, writes < MANY / 2]).toEqual([400, true])
    expect(text).toContain('{"error":"The request body came in too many small chunks"}')
    expect(text.toLowerCase()).toContain('connection: close')
  })

  test('does not read the body of a caller without a valid key', async () => {
    // The other one refuses the connections of this address after four such bodies in ten seconds.
    await using fresh = await startDocent({ engine })
    const { status, writes } = await flood('POST /api/mcp/create', '', fresh)
    expect([status, writes < MANY / 2]).toEqual([401, true])
  })
})

test('answers a stalled body with 408 in JSON', async () => {
  await using docent = await startDocent()
  const { slug } = (await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })).body
  const stop = async (line: string) => {
    const socket = connect(Number(new URL(docent.url).port), '127.0.0.1').setEncoding('utf8')
    let text = ''
    socket.on('data', (piece: string) => void (text += piece))
    socket.write(
      `POST ${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${docent.key}\r\nContent-Length: 100\r\n\r\n{"a":`,
    )
    await once(socket, 'close')
    return text
  }
  const answers = await Promise.all(
    [`/api/mcp/${slug}`, '/api/mcp/create', `/api/mcp/${slug}/sources/upload?name=docs`].map(stop),
  )
  for (const text of answers) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('{"error":"The request took too long to arrive"}')
  }
})

const CHUNKS = join(import.meta.dirname, '../support/processes/tiny-chunks.ts')
const ATTACK_MS = 5_000

// A third of the time of the main thread leaves other requests their usual answers.
test.runIf(inject('isLong'))(
  'bodies in one-byte chunks on eight connections take a third of a processor at most',
  async () => {
    await using place = await makePlace('sqlite')
    await using service = await spawnService({ DOCENT_DATA_DIR: place.dataDir })
    await sleep(1_000)
    const attack = spawn(process.execPath, [CHUNKS, new URL(service.url).port, 'none'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(attack.stdout, 'data')
    const [before, started] = [cpuMs(service.pid), performance.now()]
    await sleep(ATTACK_MS)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(503)
    expect((cpuMs(service.pid) - before) / (performance.now() - started)).toBeLessThan(0.33)
    attack.kill('SIGKILL')
  },
)
