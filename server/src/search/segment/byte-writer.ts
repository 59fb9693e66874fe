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
