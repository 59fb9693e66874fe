import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** An event as a receiver got it. */
export type Received = {
  path: string
  headers: IncomingMessage['headers']
  text: string
  body: { type: string; timestamp: string; data: any }
}

export type Receiver = AsyncDisposable & {
  url: string
  received: Received[]
  /** How the receiver answers from now on: with a status, or by a function. */
  answer: number | ((response: ServerResponse) => void)
  /** Waits for `count` events in total, of one type if it is given, and returns them. */
  until(count: number, type?: string): Promise<Received[]>
}

/** A receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readAll(request)
    const { url: path = '/', headers } = request
    receiver.received.push({ path, headers, text, body: text === '' ? null : JSON.parse(text) })
    if (typeof receiver.answer === 'function') receiver.answer(response)
    else response.writeHead(receiver.answer).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    received: [],
    answer: 204,
    async until(count, type) {
      for (;;) {
        const found = receiver.received.filter(({ body }) => type === undefined || body.type === type)
        if (found.length >= count) return found
        await sleep(20)
      }
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** True if a receiver with this secret may trust the event. Written from the specification, without our code. */
export function isGenuine({ headers, text }: Pick<Received, 'headers' | 'text'>, secret: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest()
  return (signatures ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
