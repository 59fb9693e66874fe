import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Config } from '#config.ts'
import { StoreUnavailableError, describe } from '#store/engine/outages.ts'
import type { ObjectStore, Part } from './object-store.ts'

type Settings = NonNullable<Config['blobs']['s3']>

/** The client waits 0.1 s and longer between tries, after SlowDown 0.5 s and longer. */
const TRIES = 4
const CONNECT_MS = 3_000
/** Time without a packet in either direction. */
const IDLE_MS = 5_000
/** Time for sending an object and receiving the head of the answer. */
const ANSWER_MS = 20_000
/** Time for an object, of 8 MB at most. */
const OBJECT_MS = 30_000
/** Objects deleted at the same time. Deletions of many at once need checksums that not every server knows. */
const DELETED_AT_ONCE = 20

/** Objects in a bucket of Amazon S3, or of a server with its interface. Only this file loads the client. */
export function openObjectS3(settings: Settings, idleMs = IDLE_MS): ObjectStore {
  const { bucket: Bucket, prefix, encryption, kmsKey } = settings
  const client = openClient(settings, idleMs)
  const at = (key: string) => ({ Bucket, Key: prefix + key })
  /** False for a server without conditional writes, such as OpenStack Swift. */
  let isConditional = true
  return {
    async put(key, data) {
      const encrypted = encryption === null ? {} : { ServerSideEncryption: encryption }
      const by = kmsKey === null ? {} : { SSEKMSKeyId: kmsKey }
      const input = { ...at(key), Body: data, ...encrypted, ...by }
      const send = (condition: { IfNoneMatch?: '*' }) =>
        explained(() => client.send(new PutObjectCommand({ ...input, ...condition })))
      const condition = isConditional ? { IfNoneMatch: '*' as const } : {}
      await send(condition).catch(async (error: unknown) => {
        const status = statusOf(error)
        // No key is used twice: the object exists if the answer to an earlier try was lost.
        if (status === 412) return
        if (status !== 501 || !condition.IfNoneMatch) throw error
        await send({})
        isConditional = false
      })
    },
    get: (key, into, part) => explained(() => getObject(client, { ...at(key), ...rangeOf(into, part) }, into)),
    async delete(keys) {
      for (let from = 0; from < keys.length; from += DELETED_AT_ONCE) {
        const some = keys.slice(from, from + DELETED_AT_ONCE)
        await explained(() => Promise.all(some.map((key) => client.send(new DeleteObjectCommand(at(key))))))
      }
    },
    async *list(folder) {
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const input = {
          Bucket,
          Prefix: `${prefix}${folder}/`,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }
        const { Contents = [], NextContinuationToken } = await explained(() =>
          client.send(new ListObjectsV2Command(input)),
        )
        yield Contents.map(({ Key = '', Size = 0, LastModified }) => {
          return { key: Key.slice(prefix.length), bytes: Size, modifiedAt: LastModified?.getTime() ?? Date.now() }
        })
        token = NextContinuationToken
      }
    },
    close: () => client.destroy(),
  }
}

const rangeOf = ({ byteLength }: Uint8Array, part: Part | undefined) =>
  part && { Range: `bytes=${part.from}-${part.from + byteLength - 1}` }

function openClient({ endpoint, region, isPathStyle, credentials }: Settings, idleMs: number): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: TRIES,
    // Other servers do not know the newer checksums. The signature covers the bytes that are sent, and every read is
    // compared with the SHA-256 of its address.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: idleMs,
    },
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  })
}

/** The client tries again up to the head of an answer only. */
async function getObject(client: S3Client, at: { Bucket: string; Key: string; Range?: string }, into: Uint8Array) {
  for (let tries = 1; ; tries++) {
    const body = await client.send(new GetObjectCommand(at)).then(
      ({ Body }) => Body as Readable,
      (error: unknown) => {
        if (error instanceof NoSuchKey) return null
        throw error
      },
    )
    if (body === null) return false
    const timer = setTimeout(() => body.destroy(new Error('The object did not arrive in time')), OBJECT_MS)
    try {
      let read = 0
      // An iterator takes a third of the time more.
      body.on('data', (piece: Uint8Array) => {
        // The hash decides about an object of another size.
        if (read + piece.byteLength <= into.byteLength) into.set(piece, read)
        read += piece.byteLength
      })
      await finished(body)
      return true
    } catch (error) {
      if (tries === TRIES) throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

const STORAGE = 'The object storage'

/** Status of an answer, or of that which an error explains. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof S3ServiceException) return error.$metadata.httpStatusCode
  return error instanceof Error && error.cause ? statusOf(error.cause) : undefined
}

/** Statuses after which the same request can succeed later. */
const isPassing = (status: number | undefined) =>
  status === undefined || (status >= 500 && status !== 501) || status === 429 || status === 408

/** Throws `StoreUnavailableError` if the storage does not answer, or refuses: its operator must change something. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const status = statusOf(error)
    if (error instanceof TypeError) throw error
    if (isPassing(status)) throw new StoreUnavailableError('away', error, STORAGE)
    const named = error instanceof Error ? new Error(`${error.name}: ${describe(error)}`, { cause: error }) : error
    throw new StoreUnavailableError('refused', named, STORAGE)
  }
}
