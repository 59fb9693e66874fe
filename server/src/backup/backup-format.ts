import { gunzip as gunzipWithCallback, gzip as gzipWithCallback } from 'node:zlib'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Config } from '#config.ts'
import { ENGINES } from '#store/db.ts'
import type { Value } from '#store/snapshot/read-snapshot.ts'

/** The file is not a complete backup. The message is one sentence for the operator. */
export class DamagedBackupError extends Error {
  override name = 'DamagedBackupError'

  constructor(why: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${why}.`, options)
  }
}

/** Bucket of the settings, in which backups can be. */
export type Bucket = Config['blobs']['s3']

/** Entries of a new backup, which is complete or absent at any moment. */
export type ArchiveWriter = AsyncDisposable & {
  add(name: string, data: Uint8Array): Promise<void>
  /** Waits until everything is stored. */
  finish(): Promise<void>
  /** Deletes what was written. */
  discard(): Promise<void>
}

/** Entries of a backup in the order in which they were written. Data that is not read is skipped. */
export type ArchiveReader = AsyncDisposable & {
  entries(): AsyncIterable<{ path: string; read(): Promise<Buffer> }>
}

/** Version of the backup format. A program reads only this version. */
export const BACKUP_FORMAT = 1

const count = z.number().int().min(0)

/** The table of contents, the last but one entry of a backup. */
export const manifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** Version of Docent that wrote it. */
  docent: z.string(),
  engine: z.enum(ENGINES),
  /** Version of the database schema. */
  schema: count,
  createdAt: z.iso.datetime(),
  /** True if it contains the key that credentials are encrypted with. */
  hasKey: z.boolean(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: count })),
  parts: z.array(z.object({ path: z.string(), table: z.string(), rows: count, bytes: count, sha256: z.string() })),
})

export type Manifest = z.output<typeof manifestSchema>

/** Names of the entries besides the parts. */
export const ENTRY = { manifest: 'manifest.json', checksum: 'manifest.json.sha256', key: 'secret.key' } as const

const gzip = promisify(gzipWithCallback)
const gunzip = promisify(gunzipWithCallback)

/** Uncompressed bytes of a part, after which it is written. The last row can exceed it. */
export const PART_BYTES = 4_000_000
/** No row is larger: the largest values are parts of 2 MB, and page texts are limited. */
const LARGEST_PART = 1 << 28
/** Level 1 takes a quarter of the time of level 6. Most of the data is texts, which are already compressed. */
const LEVEL = 1

/**
 * Encodes a row: the length of the following JSON as u32 (little-endian), a JSON array of the values, and the bytes of
 * its binary values. In the JSON, `{"bytes": n}` represents n bytes.
 */
export function encodeRow(row: readonly Value[]): Buffer {
  const binary = row.filter((value) => value instanceof Uint8Array)
  const values = row.map((value) => (value instanceof Uint8Array ? { bytes: value.byteLength } : value))
  const json = Buffer.from(JSON.stringify(values))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.byteLength)
  return Buffer.concat([length, json, ...binary])
}

export const compressRows = (rows: readonly Buffer[]): Promise<Buffer> => gzip(Buffer.concat(rows), { level: LEVEL })

/** Decodes the rows of a part. Throws `DamagedBackupError` if it has another form. */
export async function decodeRows(part: Uint8Array, columns: number): Promise<Value[][]> {
  const bytes = await gunzip(part, { maxOutputLength: LARGEST_PART })
  const rows: Value[][] = []
  let at = 0
  const take = (length: number): Buffer => {
    const taken = bytes.subarray(at, at + length)
    if (taken.byteLength < length) throw new DamagedBackupError('a row is incomplete')
    at += length
    return taken
  }
  while (at < bytes.byteLength) {
    const values = JSON.parse(take(take(4).readUInt32LE()).toString()) as (Value | { bytes: number })[]
    if (values.length !== columns) throw new DamagedBackupError('a row has another number of columns')
    rows.push(
      values.map((value) =>
        typeof value === 'object' && value !== null && 'bytes' in value ? take(value.bytes) : value,
      ),
    )
  }
  return rows
}
