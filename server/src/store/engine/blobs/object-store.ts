import { hash } from 'node:crypto'
import type { BLOB_PLACES } from '#lib/blob-settings.ts'

/** A place for objects outside of the database. Objects never change, and no key is used twice. */
export type ObjectStore = {
  /** Writes an object, which is complete or absent at any moment. */
  put(key: string, data: Uint8Array): Promise<void>
  /** An object as it is stored. Null if it does not exist. */
  get(key: string): Promise<Uint8Array | null>
  /** Deletes objects. Missing ones are no error. */
  delete(keys: readonly string[]): Promise<void>
  /** The objects below a folder, some at a time. */
  list(folder: string): AsyncIterable<{ key: string; modifiedAt: number }[]>
  close?(): void
}

/** True if the data has the SHA-256 with which the last part of its key begins. */
export const isWhole = (key: string, data: Uint8Array): boolean =>
  key.startsWith(`${hash('sha256', data)}.`, key.lastIndexOf('/') + 1)

/** Where bytes are stored. */
export type Place = (typeof BLOB_PLACES)[number]
