import type { SourceType } from '@docent/contract/sources'
import { DocentError } from '#errors.ts'
import type { NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { detectType } from '../servers/detect-type.ts'

/** Somebody waits in front of a form. */
const TOTAL_MS = 8_000
/** The title of a page and the first keys of a description are at their beginning; whole ones are rarely larger. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_LABEL = 100

export const detectSource: Handler<'sources.detect'> = async ({ deps }, { url: text }) => {
  const address = deps.parseAddress(text)
  if (!address) throw new DocentError('valid_url_required')
  if (await deps.pointsToPrivate(address.href)) throw new DocentError('private_source_url')
  const guess = detectType(address)
  // What their addresses tell says more than what a look would show.
  const seen = await look(deps, address, guess)
  return { url: address.href, type: guess, label: null, problem: null, ...seen }
}

type Seen = { reachable: boolean; type?: SourceType; label?: string | null; problem?: string }

async function look({ net }: OperationDeps, address: URL, guess: SourceType): Promise<Seen> {
  try {
    const response = await net.fetch(address.href, { totalMs: TOTAL_MS, maxBytes: MAX_BYTES })
    // An MCP endpoint answers a plain GET with an error, and has told what it is by that.
    if (guess === 'mcp' && [400, 401, 405, 406].includes(response.status)) return { reachable: true }
    if (response.status >= 400) return { reachable: false, problem: `The address answered ${response.status}.` }
    return { reachable: true, ...recognise(response, guess) }
  } catch (error) {
    if (!(error instanceof NetError)) throw error
    // Too much to read on the spot is still there to be read.
    if (error.reason === 'too_large') return { reachable: true }
    return { reachable: false, problem: error.message }
  }
}

/** What the answer is, where it says so itself, and its title. */
function recognise({ headers, bytes }: NetResponse, guess: SourceType): { type: SourceType; label: string | null } {
  const contentType = headers['content-type'] ?? ''
  const start = Buffer.from(bytes.subarray(0, 64 * 1024)).toString('utf8')
  if (/^application\/pdf\b/i.test(contentType) || start.startsWith('%PDF-')) return { type: 'pdf', label: null }
  const isApi = /^\s*["']?(openapi|swagger|asyncapi)["']?\s*:|^\s*\{\s*"(openapi|swagger|asyncapi)"\s*:/m.test(start)
  if (isApi && !/html/i.test(contentType))
    return { type: 'api', label: labelOf(/"?title"?\s*:\s*"?([^"\n,}]+)/.exec(start)) }
  return { type: guess, label: labelOf(/<title[^>]*>([^<]*)/i.exec(start)) }
}

function labelOf(match: RegExpExecArray | null): string | null {
  const text = (match?.[1] ?? '').replace(/\s+/g, ' ').trim()
  return text === '' ? null : [...text].slice(0, MAX_LABEL).join('')
}
