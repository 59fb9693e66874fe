import { ByteReader, ByteWriter } from './bytes.ts'
import { SegmentError } from './sections.ts'

/** Position of a key in the dictionary, and the range of its data. */
export type DictionaryEntry = { id: number; start: number; end: number }

/** Filter for a walk: keys that begin with `prefix`. Keys rejected by `isWanted` are not decoded. */
export type KeyRange = {
  prefix?: string
  /** Receives the key in the first `length` bytes of `bytes`, valid only during the call. */
  isWanted?: (bytes: Uint8Array, length: number) => boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const MAX_KEY_BYTES = 1024

/** Keys per block. A lookup reads half a block on average; 16 costs a quarter of a byte per key and 0.3 µs. */
const BLOCK_KEYS = 16

/** A sorted list of keys, searched in place (see `DictionaryWriter.finish`). */
export class Dictionary {
  readonly size: number
  readonly #blocks: Uint32Array
  readonly #bytes: Uint8Array
  /** Bytes of the key to find. */
  readonly #wanted = new Uint8Array(MAX_KEY_BYTES)

  /** Throws `SegmentError` if the number of keys does not match the number of blocks. */
  constructor(blocks: Uint32Array, bytes: Uint8Array) {
    const blockCount = Math.max(0, blocks.length - 1)
    // The last block has at least one key and is not overfull. Walking a damaged count would take minutes.
    if (Math.ceil(blocks[blockCount] / BLOCK_KEYS) !== blockCount) throw damaged()
    this.#blocks = blocks
    this.#bytes = bytes
    this.size = blocks[blockCount]
  }

  find(key: string): DictionaryEntry | null {
    if (this.size === 0) return null
    const { read, written } = encoder.encodeInto(key, this.#wanted)
    return read < key.length ? null : this.#findInBlock(this.#findBlock(written), written)
  }

  /** Visits keys in order. */
  walk(onKey: (key: string, entry: DictionaryEntry) => void, range: KeyRange = {}): void {
    if (this.size === 0) return
    const { prefix = '', isWanted } = range
    const first = encoder.encode(prefix).subarray(0, MAX_KEY_BYTES)
    this.#wanted.set(first)
    const block = this.#findBlock(first.length)
    const reader = new ByteReader(this.#bytes, this.#blocks[block])
    const key = new Uint8Array(MAX_KEY_BYTES)
    let start = 0
    for (let id = block * BLOCK_KEYS; id < this.size; id++) {
      if (id % BLOCK_KEYS === 0) start = reader.varint()
      const length = readKey(reader, key, this.#bytes.length)
      const end = start + reader.varint()
      const order = compareBytes(key, 0, Math.min(length, first.length), first, first.length)
      if (order > 0) return
      // Lookups cannot reach longer keys, but earlier versions wrote some.
      const isKept = length <= MAX_KEY_BYTES
      if (isKept && order === 0 && (isWanted === undefined || isWanted(key, length)))
        onKey(decoder.decode(key.subarray(0, length)), { id, start, end })
      start = end
    }
  }

  /** The last block whose first key is not greater than the first `length` bytes of the wanted key. */
  #findBlock(length: number): number {
    let low = 0
    let high = this.#blocks.length - 2
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#compareFirst(middle, length) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Compares the block's first key with the first `length` bytes of the wanted key. */
  #compareFirst(block: number, length: number): number {
    const reader = new ByteReader(this.#bytes, this.#blocks[block])
    reader.varint()
    reader.varint()
    const keyLength = reader.varint()
    return compareBytes(this.#bytes, reader.at, keyLength, this.#wanted, length)
  }

  #findInBlock(block: number, length: number): DictionaryEntry | null {
    const bytes = this.#bytes
    const wanted = this.#wanted
    const reader = new ByteReader(bytes, this.#blocks[block])
    const most = Math.min(this.size, (block + 1) * BLOCK_KEYS)
    let start = reader.varint()
    // Length of the common prefix of `wanted` and the keys so far. A key that shares less with its predecessor is
    // greater than `wanted`.
    let matched = 0
    for (let id = block * BLOCK_KEYS; id < most; id++) {
      const shared = reader.varint()
      const rest = reader.varint()
      const keyLength = shared + rest
      const suffix = reader.at
      reader.at += rest
      const dataLength = reader.varint()
      if (shared < matched) return null
      if (shared === matched) {
        while (matched < keyLength && matched < length && bytes[suffix + matched - shared] === wanted[matched])
          matched++
        if (matched === length && keyLength === length) return { id, start, end: start + dataLength }
        if (matched === length || (matched < keyLength && bytes[suffix + matched - shared] > wanted[matched]))
          return null
      }
      start += dataLength
    }
    return null
  }
}

/** Reads a key over its predecessor in `key`, which keeps `MAX_KEY_BYTES` of it. Returns its full length. */
function readKey(reader: ByteReader, key: Uint8Array, maxLength: number): number {
  const shared = reader.varint()
  const rest = reader.varint()
  const length = shared + rest
  if (length > maxLength) throw damaged()
  for (let at = shared; at < length; at++) {
    const byte = reader.byte()
    if (at < MAX_KEY_BYTES) key[at] = byte
  }
  return length
}

const damaged = () => new SegmentError('The segment is damaged: its dictionary.')

function compareBytes(a: Uint8Array, aAt: number, aLength: number, b: Uint8Array, bLength: number): number {
  const most = Math.min(aLength, bLength)
  for (let at = 0; at < most; at++) {
    const order = a[aAt + at] - b[at]
    if (order !== 0) return order
  }
  return aLength - bLength
}

/** Writes a dictionary: keys in the order of `sortKeys`, each with a range of a data section. */
export class DictionaryWriter {
  readonly #offsets: number[] = []
  readonly #out = new ByteWriter(1 << 14)
  #before: Uint8Array = new Uint8Array(0)
  #count = 0
  #dataOffset = 0

  /** Appends a key. `dataLength` is its number of bytes in the data section, after those of the previous key. */
  add(key: string, dataLength: number): void {
    const bytes = encoder.encode(key)
    const first = this.#count % BLOCK_KEYS === 0
    if (first) {
      this.#offsets.push(this.#out.length)
      this.#out.varint(this.#dataOffset)
    }
    const shared = first ? 0 : sharedPrefix(this.#before, bytes)
    this.#out.varint(shared)
    this.#out.varint(bytes.length - shared)
    this.#out.bytes(bytes.subarray(shared))
    this.#out.varint(dataLength)
    this.#dataOffset += dataLength
    this.#before = bytes
    this.#count++
  }

  /**
   * Returns the offsets (u32 per block), followed by the number of keys, and the blocks. A block is the u32 data
   * offset, then per key: the length of the prefix shared with the previous key, the rest of the key, and the length of
   * its data. All lengths are varints.
   */
  finish(): { blocks: Uint32Array; keys: Uint8Array } {
    return { blocks: Uint32Array.from([...this.#offsets, this.#count]), keys: this.#out.view().slice() }
  }
}

const SURROGATE = /[\ud800-\udfff]/

/** Sorts keys by their UTF-8 bytes, in place. */
export function sortKeys(keys: string[]): string[] {
  // UTF-16 order equals UTF-8 order except beyond the basic plane. Comparing bytes would take three times as long.
  if (!keys.some((key) => SURROGATE.test(key))) return keys.sort()
  return keys.sort((a, b) => Buffer.compare(encoder.encode(a), encoder.encode(b)))
}

function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let shared = 0
  while (shared < most && a[shared] === b[shared]) shared++
  return shared
}
