import { UpstreamError } from './upstream-error.ts'

/** A packet of git's wire format: its payload, or a special packet. */
export type Packet = Uint8Array | 'flush' | 'delimiter' | 'end'

const MARKS = { '0000': 'flush', '0001': 'delimiter', '0002': 'end' } as const

/** Frames a line for git: four hexadecimal digits of length, including themselves (gitprotocol-common). */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

/** Yields the packets of a response. Throws `UpstreamError` `failed` if it is malformed. */
export function* readPackets(bytes: Uint8Array): Generator<Packet> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < buffer.length;) {
    const digits = buffer.toString('latin1', at, at + 4)
    const mark = digits in MARKS ? MARKS[digits as keyof typeof MARKS] : null
    if (mark !== null) {
      at += 4
      yield mark
      continue
    }
    const length = /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length < 4 || at + length > buffer.length) {
      throw new UpstreamError('failed', 'The host did not answer as git hosts do.')
    }
    yield buffer.subarray(at + 4, at + length)
    at += length
  }
}

/** The text of a packet without its line break. */
export function packetText(packet: Uint8Array): string {
  return Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('utf8').replace(/\n$/, '')
}
