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
