import { hash } from 'node:crypto'
import type { BLOB_PLACES } from '#lib/blob-settings.ts'
import { StoreError } from '#store/engine/outages.ts'

/**
 * A part of an object: its first byte, and the bytes of the whole object. Whoever asks for it verifies it. `isAhead`: the
 * whole will be read too.
 */
export type Part = { from: number; of: number; isAhead?: true }

/** A place for objects outside of the database. Objects never change, and no key is used twice. */
export type ObjectStore = {
  /** Writes an object, which is complete or absent at any moment. */
  put(key: string, data: Uint8Array): Promise<void>
  /** Reads an object, or the part, into memory of that size, which must not be used before. False if it does not exist. */
  get(key: string, into: Uint8Array, part?: Part): Promise<boolean>
  /** Deletes objects. Missing ones are no error. */
  delete(keys: readonly string[]): Promise<void>
  /** The objects below a folder, some at a time. */
  list(folder: string): AsyncIterable<{ key: string; bytes: number; modifiedAt: number }[]>
  close?(): void | Promise<void>
}

/** True if the data has the SHA-256 with which the last part of its key begins. */
export const isWhole = (key: string, data: Uint8Array): boolean =>
  key.startsWith(`${hash('sha256', data)}.`, key.lastIndexOf('/') + 1)

/** Reads of an object whose bytes have another hash than its address, before they count as damaged. */
const READS = 3

/** Compares every whole object that is read with its address. Reads reject with `StoreError` if it is damaged. */
export function verifyReads(inner: ObjectStore): ObjectStore {
  return {
    ...inner,
    async get(key, into, part) {
      if (part) return inner.get(key, into, part)
      for (let reads = 0; reads < READS; reads++) {
        if (!(await inner.get(key, into))) return false
        if (isWhole(key, into)) return true
      }
      throw new StoreError(`The stored object ${key} is damaged: its content has another SHA-256.`)
    },
  }
}

/** Where bytes are stored. */
export type Place = (typeof BLOB_PLACES)[number]
