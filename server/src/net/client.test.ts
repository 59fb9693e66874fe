import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createNetClient, type NetClientConfig } from './client.ts'
import { NetError } from './net-error.ts'
import { parseNetworks } from './networks.ts'

const open: AsyncDisposable[] = []

afterEach(async () => {
  for (const resource of open.splice(0).toReversed()) await resource[Symbol.asyncDispose]()
})

function client(config: Partial<NetClientConfig> = {}) {
  const net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'docent-test', ...config })
  open.push(net)
  return net
}

async function site(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that runs `talk` on every connection, for responses that node:http cannot send. */
async function rawSite(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => talk(socket))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  open.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function failure(attempt: Promise<unknown>): Promise<NetError> {
  const error = await attempt.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof NetError)) throw new Error('not a NetError', { cause: error })
  return error
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('HTTP response', () => {
  test('returns status, headers, bytes and final URL', async () => {
    const origin = await site((request, response) => {
      response.writeHead(404, { 'X-Seen': request.headers['user-agent'], 'Set-Cookie': ['a=1', 'b=2'] })
      response.end('nothing here')
    })
    const answer = await client().fetch(`${origin}/page?q=1#part`)
    expect(answer).toMatchObject({ ok: true, url: `${origin}/page?q=1`, status: 404, redirects: [] })
    expect(answer.headers).toMatchObject({ 'x-seen': 'docent-test', 'set-cookie': 'a=1, b=2' })
    expect(text(answer.bytes)).toBe('nothing here')
    expect(answer.elapsedMs).toBeGreaterThan(0)
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

describe('redirects', () => {
  test('follows and records redirects', async () => {
    const origin = await site((request, response) => {
      if (request.url === '/a') response.writeHead(301, { location: '/b#x' }).end('moved')
      else if (request.url === '/b') response.writeHead(308, { location: '../c?d=1' }).end()
      else response.end(request.url)
    })
    const answer = await client().fetch(`${origin}/a`)
    expect(answer).toMatchObject({ url: `${origin}/c?d=1`, redirects: [`${origin}/a`, `${origin}/b`] })
  })

  test('returns a redirect without a location as the response', async () => {
    const origin = await site((_, response) => response.writeHead(302).end('moved'))
    expect(await client().fetch(origin)).toMatchObject({ status: 302, redirects: [] })
  })

  test('returns a redirect that the caller rejects as the response', async () => {
    const origin = await site((_, response) => response.writeHead(302, { location: 'http://example.com/' }).end())
    const answer = await client().fetch(origin, { acceptRedirect: (to) => to.host !== 'example.com' })
    expect(answer).toMatchObject({ status: 302, url: `${origin}/`, headers: { location: 'http://example.com/' } })
  })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('follows a %i redirect of a POST with %s', async (status, method, body) => {
    const origin = await site((request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/next' }).end()
      else echo(request, response)
    })
    expect(JSON.parse(text((await client().fetch(origin, { json: { a: 1 } })).bytes))).toMatchObject({ method, body })
  })

  test('drops credentials on a cross-origin redirect', async () => {
    const other = await site((request, response) => echo(request, response))
    const origin = await site((request, response) => {
      if (request.url === '/same') response.writeHead(302, { location: '/there' }).end()
      else if (request.url === '/there') echo(request, response)
      else response.writeHead(302, { location: other }).end()
    })
    const headers = { authorization: 'Bearer x', cookie: 'a=1', 'X-API-Key': 'k', 'if-none-match': '"e"' }
    const seen = JSON.parse(text((await client().fetch(origin, { headers })).bytes)).headers
    expect(seen).not.toHaveProperty('authorization')
    expect(seen).not.toHaveProperty('cookie')
    expect(seen).not.toHaveProperty('x-api-key')
    expect(seen).toHaveProperty('if-none-match')
    const same = JSON.parse(text((await client().fetch(`${origin}/same`, { headers })).bytes)).headers
    expect(same).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'k' })
  })

  test('stops redirects that loop, never end or change the scheme', async () => {
    const origin = await site((request, response) => {
      const step = Number(request.url?.slice(2))
      const to = { '/a': '/b', '/b': '/a', '/self': '/self', '/file': 'file:///etc/passwd' }[request.url ?? '']
      response.writeHead(302, { location: to ?? `/n${step + 1}` }).end()
    })
    expect(await failure(client().fetch(`${origin}/a`))).toMatchObject({ reason: 'redirect_loop' })
    expect(await failure(client().fetch(`${origin}/self`))).toMatchObject({ reason: 'redirect_loop' })
    expect(await failure(client().fetch(`${origin}/n0`))).toMatchObject({ reason: 'too_many_redirects' })
    expect(await failure(client().fetch(`${origin}/file`))).toMatchObject({ reason: 'invalid_url' })
  })

  test.each([
    ['UTF-8', 'utf8', '/gr%C3%B6%C3%9Fe/%E4%BD%A0?q=%C3%BC'],
    ['Latin-1', 'latin1', '/gr%F6%DFe/%60?q=%FC'],
  ] as const)('follows a Location in raw %s', async (_, encoding, path) => {
    const asked: (string | undefined)[] = []
    // Node's server writes headers with one byte per character.
    const location = Buffer.from('/größe/你?q=ü', encoding).toString('latin1')
    const origin = await site((request, response) => {
      asked.push(request.url)
      if (request.url === '/') response.writeHead(302, { location }).end()
      else response.end('here')
    })
    const { url, bytes } = await client().fetch(`${origin}/`)
    expect([asked, url, text(bytes)]).toEqual([['/', path], `${origin}${path}`, 'here'])
  })

  test('refuses a redirect to an invalid address without repeating it', async () => {
    for (const location of [
      'http://user:pw@10.9.8.7/',
      'http://10.9.8.7:25/',
      'gopher://10.9.8.7/',
      'http://10.9.8.7/',
    ]) {
      const origin = await site((_, response) => response.writeHead(302, { location }).end())
      expect((await failure(client().fetch(origin))).message, location).not.toContain('10.9.8')
    }
  })

  test('refuses a redirect to a private address', async () => {
    const origin = await site((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    expect(await failure(client().fetch(origin))).toMatchObject({ reason: 'blocked_address', url: 'http://10.0.0.1/' })
  })
})

describe('SSRF guard', () => {
  test('blocks private targets by address and by name', async () => {
    let requests = 0
    const origin = await site((_, response) => {
      requests++
      response.end()
    })
    const net = client({ allowNetworks: [] })
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '0x7f.1', '2130706433', '017700000001']) {
      const url = origin.replace('127.0.0.1', host)
      expect(await failure(net.fetch(url)), host).toMatchObject({ reason: 'blocked_address', transient: false })
    }
    expect(requests).toBe(0)
    expect((await client().fetch(origin.replace('127.0.0.1', 'localhost'))).status).toBe(200)
  })

  test('refuses every private address with the same message', async () => {
    const net = client({ allowNetworks: [] })
    const messages = await Promise.all(
      ['http://10.0.0.1/', 'http://169.254.169.254/x', 'http://[fd00::1]/', 'http://localhost:9999/'].map(
        async (url) => (await failure(net.fetch(url))).message,
      ),
    )
    expect(new Set(messages)).toEqual(
      new Set([
        'The address leads to a private or internal network, which is not fetched. ' +
          'The operator can allow a network with DOCENT_ALLOW_NETWORKS.',
      ]),
    )
  })

  test('blocks the service’s own endpoints within allowed networks', async () => {
    const asked: (string | undefined)[] = []
    const own = await site((request, response) => {
      asked.push(request.headers.host)
      response.end()
    })
    const { port } = new URL(own)
    const elsewhere = await site((_, response) => response.writeHead(302, { location: `${own}/healthz` }).end())
    for (const host of [null, '127.0.0.1', 'localhost']) {
      const allowNetworks = parseNetworks('0.0.0.0/0, ::/0')
      const net = client({ allowNetworks, ownEndpoints: () => [{ host, port: Number(port) }] })
      const targets = ['127.0.0.1', 'localhost', '127.8.9.1', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0']
      for (const url of [...targets.map((target) => `http://${target}:${port}/`), `${elsewhere}/`]) {
        expect(await failure(net.fetch(url)), url).toMatchObject({ reason: 'blocked_address' })
      }
      const kept = await net.fetch(`${elsewhere}/`, { acceptRedirect: () => false })
      expect(kept.status).toBe(302)
    }
    expect(asked).toEqual([])
    // The same port on another host is not ours.
    const net = client({ ownEndpoints: () => [{ host: '192.0.2.1', port: Number(port) }] })
    expect((await net.fetch(own)).status).toBe(200)
  })

  test('blocks private targets in front of a proxy as well', async () => {
    const asked: (string | undefined)[] = []
    const proxy = await site((request, response) => {
      asked.push(request.url)
      response.end('through the proxy')
    })
    const net = client({ proxy, allowNetworks: [] })
    expect(await failure(net.fetch('http://10.0.0.1/'))).toMatchObject({ reason: 'blocked_address' })
    expect(await failure(net.fetch('http://localhost/'))).toMatchObject({ reason: 'blocked_address' })
    expect(text((await net.fetch('http://9.9.9.9/page')).bytes)).toBe('through the proxy')
    expect(asked).toEqual(['http://9.9.9.9/page'])
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
    await open.pop()?.[Symbol.asyncDispose]()
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
      const begun = performance.now()
      expect(await failure(net.fetch(origin + path)), path).toMatchObject({ reason: 'timeout', transient: true })
      expect(performance.now() - begun).toBeLessThan(8_000)
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
