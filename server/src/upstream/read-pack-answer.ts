import { packetText, readPackets } from './pkt-line.ts'
import { UpstreamError } from './upstream-error.ts'

const SIGNATURE = Buffer.from('PACK')
const PACK_BAND = 1
const ERROR_BAND = 3

/**
 * Extracts the pack from a response: in side-bands, or from old hosts bare at the end. Throws `UpstreamError` with the
 * host's message if there is none.
 */
export function readPack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let at = 0
  for (const packet of packetsBeforePack(bytes)) {
    at += typeof packet === 'string' ? 4 : packet.length + 4
    if (typeof packet === 'string') continue
    const band = packet[0]
    if (band === PACK_BAND) parts.push(packet.subarray(1))
    else if (band === ERROR_BAND) throw refused(packetText(packet.subarray(1)))
    else if (packetText(packet).startsWith('ERR ')) throw refused(packetText(packet).slice(4))
  }
  // Without side-bands, the rest of the response is the pack.
  const pack = parts.length > 0 ? Buffer.concat(parts) : Buffer.from(bytes.slice(at).buffer)
  if (!pack.subarray(0, 4).equals(SIGNATURE)) {
    throw new UpstreamError('failed', 'The host did not answer with a pack of the repository.')
  }
  // Avoids a copy: a pack can have a hundred megabytes.
  return new Uint8Array(pack.buffer, pack.byteOffset, pack.byteLength)
}

function* packetsBeforePack(bytes: Uint8Array) {
  const bare = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  for (const packet of readPackets(bytes)) {
    yield packet
    at += typeof packet === 'string' ? 4 : packet.length + 4
    if (bare.subarray(at, at + 4).equals(SIGNATURE)) return
  }
}

function refused(said: string): UpstreamError {
  return new UpstreamError('failed', `The git host refused the pack. It says: "${said.slice(0, 200)}"`)
}
