import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DocentError, toDocentError } from '#errors.ts'
import { createBodyBudget } from './body-budget.ts'
import { createBodyClock, IncomingBody } from './incoming-body.ts'
import { linger } from './request-gate.ts'

type Read = (body: IncomingBody) => Promise<string>
/** One "second" of the clock is shorter in tests. A piece gets ten of them, a whole body sixty. */
type Options = { secondMs?: number; budget?: ReturnType<typeof createBodyBudget> }

const whole: Read = async (body) => (await body.text(1_000_000)) ?? 'not UTF-8'
/** Returns the sizes of the pieces. */
const inPieces: Read = async (body) => {
  const sizes: number[] = []
  for await (const piece of body.pieces()) sizes.push(piece.byteLength)
  return sizes.join(' ')
}

/** Starts a server that responds with the body it read, or with the error code. */
async function serve(read: Read, { secondMs = 1_000, budget = createBodyBudget() }: Options = {}) {
  const clock = createBodyClock(secondMs)
  const answerTo = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const address = incoming.headers['x-address']?.toString() ?? 'a'
    using body = new IncomingBody({ incoming, outgoing }, { budget, clock }, address)
    const answer = await read(body).catch((cause: unknown) => toDocentError(cause))
    if (answer instanceof DocentError) outgoing.writeHead(answer.status, answer.headers).end(answer.code)
    else outgoing.end(answer)
  }
  const server = createServer((incoming, outgoing) => {
    outgoing.prependOnceListener('finish', () => linger({ incoming, outgoing }))
    void answerTo(incoming, outgoing)
  })
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Bytes that the server read from the last connection. */
    bytesRead: () => sockets.at(-1)?.bytesRead ?? 0,
    /** Sends a chunked body, one write per chunk. Returns the response body. */
    async send(chunks: Iterable<string>, { pauseMs = 0, address = 'a' } = {}): Promise<string> {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.on('error', () => {})
      let text = ''
      socket.on('data', (piece: string) => void (text += piece))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(
        `POST / HTTP/1.1\r\nHost: a\r\nX-Address: ${address}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      for (const chunk of chunks) {
        if (socket.destroyed) break
        const isTaken = socket.write(`${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`)
        if (pauseMs > 0) await sleep(pauseMs)
        else if (!isTaken) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
      }
      if (!socket.destroyed) socket.write('0\r\n\r\n')
      await closed
      return text
        .slice(text.indexOf('\r\n\r\n') + 4)
        .replaceAll(/(^|\r\n)[\da-f]+\r\n/g, '')
        .trim()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const repeat = (chunk: string, times: number): string[] => Array.from({ length: times }, () => chunk)

test('reads a chunked body as text', async () => {
  await using server = await serve(whole)
  expect(await server.send(['{"a":', '"ü', 'b"}'])).toBe('{"a":"üb"}')
})

test('reads a body of thousands of small chunks, and refuses a body of one-byte chunks', async () => {
  await using server = await serve(async (body) => String((await body.text(1_000_000))?.length))
  expect(await server.send(repeat('a', 4_096))).toBe('4096')
  expect(await server.send(repeat('a', 4_200))).toBe('chunks_too_small')
  expect(await server.send(repeat('a'.repeat(64), 9_000))).toBe(String(64 * 9_000))
})

/** More than the buffers of both sides of a connection hold. */
const MANY = 5_000_000
function* endless(chunk: string): Generator<string> {
  for (let n = 0; n < MANY; n++) yield chunk
}

test('answers a body of one-byte chunks, and reads no more than a megabyte of its rest', async () => {
  await using server = await serve(whole)
  expect(await server.send(endless('a'))).toBe('chunks_too_small')
  expect(server.bytesRead()).toBeLessThan(1_500_000)
})

test('reads no more of one-byte chunks after another refusal', async () => {
  await using server = await serve(async (body) => String(await body.text(10)))
  expect(await server.send(endless('a'))).toBe('payload_too_large')
  expect(server.bytesRead()).toBeLessThan(1_500_000)
})

test('accepts few small chunks from an address that has just sent too many, and as many as before from others', async () => {
  await using server = await serve(async (body) => String((await body.text(1_000_000))?.length))
  expect(await server.send(repeat('a', 4_200))).toBe('chunks_too_small')
  expect(await server.send(repeat('a', 64))).toBe('64')
  expect(await server.send(repeat('a', 80))).toBe('chunks_too_small')
  expect(await server.send(repeat('a', 4_000), { address: 'b' })).toBe('4000')
})

test('refuses small chunks in a streamed body', async () => {
  await using server = await serve(inPieces)
  expect(await server.send(repeat('a', 5_000))).toBe('chunks_too_small')
})

test('yields pieces of 64 KiB however small the chunks are', async () => {
  await using server = await serve(inPieces)
  const sizes = (await server.send(repeat('a'.repeat(1_000), 300))).split(' ').map(Number)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(300_000)
  expect(sizes.slice(0, -1).every((size) => size >= 65_536)).toBe(true)
})

test('accepts a body at the limit and refuses one byte more', async () => {
  await using server = await serve(async (body) => String((await body.text(5_000))?.length))
  expect(await server.send(repeat('a'.repeat(100), 50))).toBe('5000')
  expect(await server.send([...repeat('a'.repeat(100), 50), 'a'])).toBe('payload_too_large')
})

test('times out a stalled body, but not a slow steady one', async () => {
  await using server = await serve(whole, { secondMs: 30 })
  expect(await server.send(repeat('a', 3), { pauseMs: 20 })).toBe('aaa')
  expect(await server.send(repeat('a', 100), { pauseMs: 20 })).toBe('request_timeout')
})

test('times out a body that exceeds the total deadline', async () => {
  // The limit of the size must not come first on a busy machine.
  await using server = await serve(async (body) => String(await body.text(100_000_000)), { secondMs: 30 })
  expect(await server.send(repeat('a'.repeat(70_000), 1_000), { pauseMs: 150 })).toBe('request_timeout')
})

test('times out a stalled streamed body without counting the time of its reader', async () => {
  const slowly: Read = async (body) => {
    let bytes = 0
    for await (const piece of body.pieces()) {
      bytes += piece.byteLength
      await sleep(400)
    }
    return String(bytes)
  }
  await using server = await serve(slowly, { secondMs: 30 })
  expect(await server.send(repeat('a'.repeat(1_000), 150))).toBe('150000')
  expect(await server.send(repeat('a', 100), { pauseMs: 20 })).toBe('request_timeout')
})

test('refuses a body beyond the memory budget of its address or of the node', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let read = 0
  const hold: Read = async (body) => {
    const text = await body.text(1_000_000)
    read++
    await held
    return String(text?.length)
  }
  await using server = await serve(hold, { budget: createBodyBudget({ total: 350_000, perAddress: 250_000 }) })
  const big = repeat('a'.repeat(1_000), 100)
  const first = server.send(big)
  await expect.poll(() => read).toBe(1)
  expect(await server.send(big)).toBe('too_busy')
  const other = server.send(big, { address: 'b' })
  await expect.poll(() => read).toBe(2)
  expect(await server.send(big, { address: 'c' })).toBe('too_busy')
  release()
  expect(await Promise.all([first, other])).toEqual(['100000', '100000'])
  expect(await server.send(big, { address: 'c' })).toBe('100000')
})

test('buffers little of an unread body', async () => {
  let taken = 0
  const { take, ...others } = createBodyBudget()
  const counting = {
    take: (address: string, bytes: number) => {
      taken += bytes
      return take(address, bytes)
    },
    ...others,
  }
  const never: Read = async () => {
    await sleep(300)
    return 'refused'
  }
  await using server = await serve(never, { budget: counting })
  expect(await server.send(repeat('a'.repeat(10_000), 500))).toBe('refused')
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(200_000)
})
