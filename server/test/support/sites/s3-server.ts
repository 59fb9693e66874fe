import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolvePackage } from '../../mcp/clients/resolve.mjs'
import { startRados } from './rados-server.ts'
import { startSwift } from './swift-server.ts'

/** The part of s3rver that is used. It has no types. */
declare class S3Server {
  constructor(options: object)
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

/** What goes wrong with a request: a status, a cut connection, a body that stops or has another byte. */
export type Fault = 403 | 500 | 501 | 503 | 'cut' | 'stall' | 'wrong byte' | 'lost answer'

const keyOf = (path: string) => path.replace(/\?.*/, '')

type Forwarded = Pick<IncomingMessage, 'method' | 'url' | 'headers'>
type Seen = { method: string; path: string; headers: IncomingMessage['headers'] }

/** Starts s3rver, which has no `If-None-Match` for writes. */
async function startS3rver() {
  const directory = mkdtempSync(join(tmpdir(), 'docent-s3-'))
  const { default: S3rver } = (await import(resolvePackage('s3rver'))) as { default: typeof S3Server }
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await server.run()
  return {
    port,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    async [Symbol.asyncDispose]() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const STARTS = { s3rver: startS3rver, swift: startSwift, rados: startRados }

/**
 * An S3 server behind a proxy that keeps what s3rver lacks, adds `delayMs` to each request, and makes the faults that
 * `faultOf` names.
 */
export async function startS3(kind: keyof typeof STARTS = 's3rver') {
  const server = await STARTS[kind]()
  const { port, credentials } = server
  const seen: Seen[] = []
  const at = {
    faultOf: (_: Seen): Fault | null => null,
    delayMs: 0,
    /** The most requests one after another, each begun after the end of another. 0 begins the count anew. */
    rounds: 0,
    /** Sends an object from memory after its first read: s3rver takes 10 ms of processor time for a megabyte. */
    isInMemory: false,
  }
  const forward = async ({ method = '', url: path = '', headers }: Forwarded, body: Buffer) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request({ host: '127.0.0.1', port, method, path, headers }, resolve).on('error', reject).end(body)
    const answer = await promise
    return { status: answer.statusCode ?? 500, headers: answer.headers, body: answer }
  }

  /** Sends the asked range of an object from memory. False if it is not to, or the bucket does not have the object. */
  const sendKept = async ({ url: path = '', headers }: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (!at.isInMemory || !path.includes('x-id=GetObject')) return false
    const { range = '', ...others } = headers
    let whole = kept.get(keyOf(path))
    if (whole === undefined) {
      const given = await forward({ method: 'GET', url: path, headers: others }, Buffer.alloc(0))
      whole = await buffer(given.body)
      if (given.status !== 200) return false
      kept.set(keyOf(path), whole)
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    if (first === undefined) {
      response.writeHead(200, { 'content-length': whole.length }).end(whole)
      return true
    }
    const part = whole.subarray(Number(first), Number(last) + 1)
    const content = `bytes ${first}-${Number(first) + part.length - 1}/${whole.length}`
    response.writeHead(206, { 'content-length': part.length, 'content-range': content }).end(part)
    return true
  }

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming
    const asked = { method, path, headers }
    seen.push(asked)
    const body = await buffer(incoming)
    if (at.delayMs > 0) await sleep(at.delayMs)
    const fault = at.faultOf(asked)
    if (fault === 'cut') return void response.destroy()
    if (typeof fault === 'number') {
      const code = { 403: 'AccessDenied', 500: 'InternalError', 501: 'NotImplemented', 503: 'SlowDown' }[fault]
      return void response
        .writeHead(fault, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code></Error>`)
    }
    if (kind === 's3rver' && headers['if-none-match'] === '*' && objects.has(keyOf(path)))
      return void response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>')
    if (await sendKept(incoming, response)) return
    const given = await forward(incoming, body)
    if (method === 'PUT' && given.status === 200) objects.add(keyOf(path))
    if (method === 'DELETE') objects.delete(keyOf(path))
    if (fault === null) {
      response.writeHead(given.status, given.headers)
      return pipeline(given.body, response)
    }
    const whole = await buffer(given.body)
    if (fault === 'lost answer') return void response.destroy()
    if (fault === 'wrong byte') whole.writeUInt8(whole.readUInt8(0) ^ 1, 0)
    response.writeHead(given.status, given.headers)
    if (fault === 'stall') response.write(whole.subarray(0, 1))
    else response.end(whole)
  }
  const objects = new Set<string>()
  const kept = new Map<string, Buffer>()
  const proxy = createServer((incoming, response) => {
    const place = at.rounds + 1
    response.once('finish', () => (at.rounds = Math.max(at.rounds, place)))
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return Object.assign(at, {
    url,
    seen,
    /** Paths of the stored objects. */
    objects: () => [...objects],
    /** Settings of the service for this bucket. */
    environment: {
      DOCENT_S3_BUCKET: 'bucket',
      DOCENT_S3_ENDPOINT: url,
      DOCENT_S3_ACCESS_KEY: credentials.accessKeyId,
      DOCENT_S3_SECRET_KEY: credentials.secretAccessKey,
    },
    settings: {
      bucket: 'bucket',
      endpoint: url,
      region: 'us-east-1',
      prefix: '',
      isPathStyle: true,
      credentials,
      encryption: null,
      kmsKey: null,
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await server[Symbol.asyncDispose]()
    },
  })
}
