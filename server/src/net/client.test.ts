import { type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { client, closeAll, failure, rawSite, site } from '../../test/support/sites/client-and-sites.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('HTTP response', () => {
  test('returns status, headers, bytes and final URL', async () => {
    const origin = await site((request, response) => {
      response.writeHead(404, { 'X-Seen': request.headers['user-agent'], 'Set-Cookie': ['a=1', 'b=2'] })
      response.end('nothing here')
    })
    const answer = await client().fetch(`${origin}/page?q=1#part`)
    expect(answer).toMatchObject({ url: `${origin}/page?q=1`, status: 404 })
    expect(answer.headers).toMatchObject({ 'x-seen': 'docent-test', 'set-cookie': 'a=1, b=2' })
    expect(text(answer.bytes)).toBe('nothing here')
  })

  test('reads the response to a JSON POST in the same way', async () => {
    const origin = await site((request, response) => echo(request, response))
    const answer = await client().fetch(origin, { json: { a: 1 }, headers: { Authorization: 'Bearer x' } })
    expect(JSON.parse(text(answer.bytes))).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    })
  })

  test('expects no body for HEAD and status 304, whatever the encoding', async () => {
    const origin = await site((request, response) => {
      response.writeHead(request.method === 'HEAD' ? 200 : 304, { 'content-encoding': 'gzip' }).end()
    })
    expect((await client().fetch(origin, { method: 'HEAD' })).bytes).toHaveLength(0)
    expect((await client().fetch(origin)).status).toBe(304)
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['gzip, br', (data: Buffer) => brotliCompressSync(gzipSync(data))],
    ['identity', (data: Buffer) => data],
  ])('decompresses a body with %s encoding', async (coding, compress) => {
    const page = 'An answer. '.repeat(20_000)
    const origin = await site((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(compress(Buffer.from(page)))
    })
    expect(text((await client().fetch(origin)).bytes)).toBe(page)
  })

  test('retries once if the server closed the kept-alive connection', async () => {
    let requests = 0
    const origin = await rawSite((socket) => {
      requests++
      if (requests === 1) socket.destroy()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    expect(text((await client().fetch(origin)).bytes)).toBe('ok')
    const silent = await rawSite((socket) => socket.destroy())
    expect(await failure(client().fetch(silent))).toMatchObject({ reason: 'protocol', transient: true })
  })

  test('reuses few connections for many requests', async () => {
    const ports = new Set<number | undefined>()
    const origin = await site((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('x')
    })
    const net = client({ connectionsPerOrigin: 3 })
    await Promise.all(Array.from({ length: 40 }, (_, index) => net.fetch(`${origin}/${index}`)))
    expect(ports.size).toBeLessThanOrEqual(3)
  })
})

describe('failed request', () => {
  test.each([
    ['ftp://example.com/', 'invalid_url'],
    ['not a url', 'invalid_url'],
    ['http://user:secret@example.com/', 'invalid_url'],
    ['http://example.com:25/', 'invalid_url'],
    ['http://does-not-exist.invalid/', 'dns'],
  ])('fails on %s with reason %s', async (url, reason) => {
    const error = await failure(client().fetch(url))
    expect(error.reason).toBe(reason)
    expect(`${error.message} ${error.url}`).not.toContain('secret')
  })

  test('fails with reason connect if nothing listens', async () => {
    const origin = await site((_, response) => response.end())
    await closeAll()
    expect(await failure(client().fetch(origin))).toMatchObject({ reason: 'connect', transient: true })
  })

  test('fails with reason tls if the host does not speak TLS', async () => {
    const origin = await site((_, response) => response.end())
    expect((await failure(client().fetch(origin.replace('http:', 'https:')))).reason).toBe('tls')
  })

  test('fails with reason too_large by declared, received or decompressed length', async () => {
    const origin = await site((request, response) => {
      if (request.url === '/length') response.writeHead(200, { 'content-length': 9_000_000 }).write('x')
      else if (request.url === '/arrives') drip(response, 'x'.repeat(65_536), 1)
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)))
    })
    const net = client({ maxBytes: 1_000_000 })
    for (const path of ['/length', '/arrives', '/bomb']) {
      expect((await failure(net.fetch(origin + path))).reason, path).toBe('too_large')
    }
    expect((await failure(net.fetch(`${origin}/length`, { maxBytes: 10 }))).message).toContain('10 bytes')
    expect((await failure(net.fetch(`${origin}/bomb`, { maxBytes: 2 << 20 }))).message).toContain('2 MB')
  })

  test('fails with reason too_large on long headers', async () => {
    const origin = await rawSite((socket) => socket.end(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`))
    expect((await failure(client().fetch(origin))).reason).toBe('too_large')
  })

  test('fails with reason decode if the encoding is wrong, unknown, truncated or nested too deep', async () => {
    const zipped = gzipSync('page')
    const origin = await site((request, response) => {
      const [coding, body] = {
        '/lie': ['gzip', Buffer.from('not gzip')] as const,
        '/unknown': ['compress', zipped] as const,
        '/cut': ['gzip', zipped.subarray(0, 15)] as const,
        '/deep': ['gzip, gzip, gzip', gzipSync(gzipSync(zipped))] as const,
      }[request.url ?? ''] ?? ['identity', zipped]
      response.writeHead(200, { 'content-encoding': coding }).end(body)
    })
    for (const path of ['/lie', '/unknown', '/cut', '/deep']) {
      expect((await failure(client().fetch(origin + path))).reason, path).toBe('decode')
    }
  })

  test('fails with reason timeout without a response, on a stall, and on an endless body', async () => {
    const origin = await site((request, response) => {
      if (request.url === '/stops') response.write('x')
      if (request.url === '/endless') drip(response, 'x', 50)
    })
    const net = client({ firstByteMs: 300, idleMs: 300, totalMs: 1_500 })
    for (const path of ['/nothing', '/stops', '/endless']) {
      expect(await failure(net.fetch(origin + path)), path).toMatchObject({ reason: 'timeout', transient: true })
    }
  })

  test('fails with reason timeout on a dripping body, but not on an event stream or at a kilobyte a second', async () => {
    const origin = await site((request, response) => {
      const type = request.url === '/events' ? 'text/event-stream' : 'text/plain'
      response.writeHead(200, { 'content-type': type })
      drip(response, request.url === '/slow' ? 'x'.repeat(200) : 'x', 50)
      setTimeout(() => response.end(), 1_000)
    })
    const net = client({ slowAfterMs: 300 })
    expect(await failure(net.fetch(`${origin}/drip`))).toMatchObject({
      reason: 'timeout',
      transient: true,
      message: 'The answer comes too slowly, at less than 1 kB a second.',
    })
    for (const path of ['/slow', '/events']) expect((await net.fetch(origin + path)).status, path).toBe(200)
  })

  test('fails with reason protocol if the response is not HTTP', async () => {
    const answers = [
      'just text\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello',
      'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello',
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000),
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000),
    ]
    for (const answer of answers) {
      const origin = await rawSite((socket) => socket.end(answer))
      expect((await failure(client().fetch(origin))).reason, answer.slice(0, 60)).toBe('protocol')
    }
  })

  test('fails with reason aborted immediately, before, during and while queued', async () => {
    const origin = await site(() => {})
    const net = client({ connectionsPerOrigin: 1 })
    expect((await failure(net.fetch(origin, { signal: AbortSignal.abort() }))).reason).toBe('aborted')
    const stop = new AbortController()
    const waiting = [1, 2, 3].map(() => failure(net.fetch(origin, { signal: stop.signal })))
    setTimeout(() => stop.abort(new Error('enough')), 50)
    for (const error of await Promise.all(waiting)) {
      expect(error.reason).toBe('aborted')
      expect(error.cause).toMatchObject({ message: 'enough' })
    }
  })
})

function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => response.end(JSON.stringify({ method: request.method, headers: request.headers, body })))
}

function drip(response: ServerResponse, piece: string, everyMs: number): void {
  const timer = setInterval(() => response.write(piece), everyMs)
  response.on('close', () => clearInterval(timer))
}
