const decoder = new TextDecoder()

/** Reads the output of `ByteWriter`. Past the end, integers are 0 and texts empty, so that every loop ends. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }

  bytes(length: number): Uint8Array {
    const view = this.#bytes.subarray(this.at, this.at + length)
    this.at += length
    return view
  }

  text(): string {
    return decoder.decode(this.bytes(this.varint()))
  }
}

const encoder = new TextEncoder()

/** A growable byte buffer. Integers are unsigned LEB128 varints of at most 32 bits. */
export class ByteWriter {
  #bytes: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.length++] = value
  }

  varint(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#grow(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  bytes(values: Uint8Array): void {
    if (this.length + values.length > this.#bytes.length) this.#grow(values.length)
    this.#bytes.set(values, this.length)
    this.length += values.length
  }

  /** Writes UTF-8 with its length in bytes first. */
  text(value: string): void {
    const encoded = encoder.encode(value)
    this.varint(encoded.length)
    this.bytes(encoded)
  }

  clear(): void {
    this.length = 0
  }

  /** The bytes written so far. Shares memory with the writer until it grows. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + by))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** A growable list of unsigned 32-bit integers. */
export class GrowingWords {
  #words = new Uint32Array(1 << 12)
  length = 0

  push(value: number): void {
    if (this.length === this.#words.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words[this.length++] = value
  }

  view(): Uint32Array {
    return this.#words.subarray(0, this.length)
  }
}

/** Assigns numbers to distinct strings. Number 0 is the empty string. */
export class StringTableWriter {
  readonly #ids = new Map<string, number>([['', 0]])

  id(text: string): number {
    let id = this.#ids.get(text)
    if (id === undefined) this.#ids.set(text, (id = this.#ids.size))
    return id
  }

  /** Format: varint number of strings, varint byte length of each, then the strings in UTF-8. */
  view(): Uint8Array {
    const out = new ByteWriter()
    const encoded = [...this.#ids.keys()].map((text) => encoder.encode(text))
    out.varint(encoded.length)
    for (const { length } of encoded) out.varint(length)
    for (const bytes of encoded) out.bytes(bytes)
    return out.view()
  }
}

/** Opens a table, parsed on first use. Returns the empty string for an unknown number. */
export function openStringTable(bytes: Uint8Array): (id: number) => string {
  let starts: Uint32Array | null = null
  return (id) => {
    starts ??= textStarts(bytes)
    const start = starts[id]
    return start === undefined ? '' : decoder.decode(bytes.subarray(start, starts[id + 1]))
  }
}

function textStarts(bytes: Uint8Array): Uint32Array {
  const reader = new ByteReader(bytes)
  const starts = new Uint32Array(Math.min(reader.varint(), bytes.length) + 1)
  for (let id = 0; id + 1 < starts.length; id++) starts[id + 1] = reader.varint()
  starts[0] = reader.at
  for (let id = 1; id < starts.length; id++) starts[id] += starts[id - 1]
  return starts
}
