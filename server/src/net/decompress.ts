import { promisify } from 'node:util'
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'
import { NetError } from './net-error.ts'

/** One layer is usual and two happen (a proxy that compresses again); more is an attack. */
const MAX_LAYERS = 2

/**
 * Up to here a body is decompressed on the spot, which costs a quarter of a trip to the thread pool. The output's
 * limit bounds how long that can take, whatever the input claims to be.
 */
const INLINE_BYTES = 64 * 1024

const DECODERS = {
  gzip: { inline: gunzipSync, pooled: promisify(gunzip) },
  deflate: { inline: inflateSync, pooled: promisify(inflate) },
  'deflate-raw': { inline: inflateRawSync, pooled: promisify(inflateRaw) },
  br: { inline: brotliDecompressSync, pooled: promisify(brotliDecompress) },
  zstd: { inline: zstdDecompressSync, pooled: promisify(zstdDecompress) },
}

/**
 * Undoes a Content-Encoding (RFC 9110, 8.4): gzip, deflate with or without its wrapper, br and zstd. No layer may
 * grow beyond `maxBytes`. Throws `NetError` `decode` for what is broken or unknown, `too_large` for what is too big.
 */
export async function decompress(body: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (layers.length > MAX_LAYERS) {
    throw new NetError('decode', `The body is compressed ${layers.length} times over; at most ${MAX_LAYERS} are read.`)
  }
  let bytes = body
  // An empty body of a compressed answer is common (304, HEAD) and is not a broken stream.
  for (const layer of layers.toReversed()) if (bytes.length > 0) bytes = await undo(layer, bytes, maxBytes)
  return bytes
}

async function undo(coding: string, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const decoder = DECODERS[decoderFor(coding, bytes)]
  const options = { maxOutputLength: maxBytes, chunkSize: INLINE_BYTES }
  try {
    return own(bytes.length <= INLINE_BYTES ? decoder.inline(bytes, options) : await decoder.pooled(bytes, options))
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new NetError('too_large', `The body grows beyond ${maxBytes} bytes when it is decompressed.`, { cause })
    }
    throw new NetError('decode', `The body says it is compressed with ${coding}, but cannot be decompressed.`, {
      cause,
    })
  }
}

/**
 * The bytes without what is left of the block that they were written to, which is given back at once. Blocks of this size
 * are not among those that `Buffer` cuts several buffers out of.
 */
function own(bytes: Buffer<ArrayBuffer>): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const isAlone = byteOffset === 0 && buffer.byteLength === INLINE_BYTES && Buffer.poolSize <= INLINE_BYTES
  return isAlone ? new Uint8Array(buffer.transfer(byteLength)) : bytes
}

function decoderFor(coding: string, bytes: Uint8Array): keyof typeof DECODERS {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return 'gzip'
    case 'deflate':
      // Half of the servers that say deflate send it without the zlib wrapper, whose first nibble is always 8.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? 'deflate' : 'deflate-raw'
    case 'br':
    case 'zstd':
      return coding
    default:
      throw new NetError('decode', `The body is compressed in a way that is not supported ("${coding.slice(0, 40)}").`)
  }
}
