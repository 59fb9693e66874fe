import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Assigns numbers to distinct strings. Number 0 is the empty string. */
export class StringTableWriter {
  readonly #ids = new Map<string, number>([['', 0]])

  id(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const id = this.#ids.size
    this.#ids.set(text, id)
    return id
  }

  /** Format: varint number of strings, varint byte length of each, then the strings in UTF-8. */
  finish(): Uint8Array {
    const out = new ByteWriter()
    const encoded = [...this.#ids.keys()].map((text) => encoder.encode(text))
    out.varint(encoded.length)
    for (const { length } of encoded) out.varint(length)
    for (const bytes of encoded) out.bytes(bytes)
    return out.view().slice()
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
