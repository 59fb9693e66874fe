import { crc32 } from 'node:zlib'

/** 64-bit SimHash (Charikar 2002) of a set of terms. Near-duplicates differ in few bits. */
export class SimHash {
  readonly #votes = new Uint16Array(64)
  /** Votes of at most 255 terms, one byte for each bit. A word of them adds four at once. */
  readonly #recent = new Uint32Array(16)
  readonly #recentVotes = new Uint8Array(this.#recent.buffer)
  #added = 0
  low = 0
  high = 0

  add(low: number, high: number): void {
    for (let word = 0; word < 8; word++) {
      this.#recent[word] += BITS_AS_BYTES[(low >>> (word * 4)) & 15]
      this.#recent[word + 8] += BITS_AS_BYTES[(high >>> (word * 4)) & 15]
    }
    if (++this.#added === 255) this.#count()
  }

  /** Computes `low` and `high` from `count` added terms, and resets. */
  finish(count: number): void {
    this.#count()
    this.low = 0
    this.high = 0
    for (let bit = 0; bit < 32; bit++) {
      if (this.#votes[bit] * 2 > count) this.low |= 1 << bit
      if (this.#votes[bit + 32] * 2 > count) this.high |= 1 << bit
    }
    this.#votes.fill(0)
  }

  #count(): void {
    for (let bit = 0; bit < 64; bit++) this.#votes[bit] += this.#recentVotes[bit]
    this.#recent.fill(0)
    this.#added = 0
  }
}

/** Shorter texts are the same by chance, such as `Returns the number of bytes`. */
const LEAST_TEMPLATE_WORDS = 8

/** A hash of a text without its names: the same for passages that differ in names only. */
export class TemplateHash {
  #hash = 0
  #words = 0

  add(term: number): void {
    this.#hash = Math.imul(this.#hash ^ term, 0x01000193) ^ (this.#hash >>> 15)
    this.#words += 1
  }

  /** Returns the hash of the added words, or 0 if they are few or fewer than `codeWords`, and resets. */
  finish(codeWords: number): number {
    const hash = this.#words < Math.max(LEAST_TEMPLATE_WORDS, codeWords) ? 0 : this.#hash >>> 0 || 1
    this.#hash = 0
    this.#words = 0
    return hash
  }
}

/** The four bits of a number, lowest first, as the bytes of a word. */
const BITS_AS_BYTES = Uint32Array.from(
  { length: 16 },
  (_, bits) => new Uint32Array(Uint8Array.of(bits & 1, (bits >> 1) & 1, (bits >> 2) & 1, bits >> 3).buffer)[0] ?? 0,
)

/** A well-mixed 32-bit hash of a text (FNV-1a, then the finaliser of MurmurHash3). */
export function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Hamming distance of two 32-bit values. */
export function bitDistance(a: number, b: number): number {
  let bits = a ^ b
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A one-byte hash of a term. Other terms have the same, so look it up only on pages known to have the term. */
export function wordMark(term: string): number {
  return markOfHash(hashText(term, 0))
}

/** The mark of a term, from its first hash. */
export function markOfHash(hash: number): number {
  return hash >>> 24
}

/** Number of content words per page with an opening mark. */
export const OPENING_WORDS = 100

/** A two-byte hash of a word as written, in lower case. One in 65,536 other words has the same mark. */
export function openingMark(word: string): number {
  return hashText(word, 0) >>> 16
}

/** Checksum of a list of link texts, to detect changes. 0 for an empty list. */
export function anchorChecksum(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : crc32(texts.join('\n'))
}
