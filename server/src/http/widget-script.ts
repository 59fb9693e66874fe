import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DocentError } from '#errors.ts'
import { acceptsEncoding } from './accepts-encoding.ts'

/** Folder of the built widget. `scripts/build.mjs` fills it. */
const FOLDER = new URL('../../../widget/dist/', import.meta.url)

/** Pages load it often, and a new version should reach them within the hour. */
const MAX_AGE_SECONDS = 3_600

type Encoding = 'br' | 'gzip'
/** The smaller one first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

type Script = { etag: string; plain: Uint8Array<ArrayBuffer>; encoded: Record<Encoding, Uint8Array<ArrayBuffer>> }

/**
 * Creates the answer to `GET /embed/docent.js`. Reads the files once, on the first request. Throws `503
 * widget_not_built`.
 */
export function createWidgetScript(): (headers: Headers) => Response {
  let script: Script | undefined
  return (headers) => {
    script ??= readScript()
    const { etag, plain, encoded } = script
    const common = {
      etag,
      vary: 'Accept-Encoding',
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers: common })
    const accepted = headers.get('accept-encoding') ?? undefined
    const encoding = ENCODINGS.find((one) => acceptsEncoding(accepted, one))
    return new Response(encoding ? encoded[encoding] : plain, {
      headers: {
        ...common,
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
    })
  }
}

function readScript(): Script {
  try {
    const read = (suffix: string) => new Uint8Array(readFileSync(new URL(`docent.js${suffix}`, FOLDER)))
    const plain = read('')
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return { etag, plain, encoded: { br: read('.br'), gzip: read('.gz') } }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new DocentError('widget_not_built', { cause })
  }
}
