import { GiveUp } from '#jobs/errors.ts'
import { decodeText } from '../extract/decode.ts'
import { type ParseLimits, parseApart } from '../parse-apart.ts'
import { fetchWhole } from './fetch-whole.ts'
import type { ReaderDeps } from './source-document.ts'

type Description = { text: string; url: string }

/** The largest descriptions that are kept in pieces have some hundred. */
const MAX_FILES = 300
const MAX_BYTES = 32 << 20
/** So many files that cannot be had: the others will not be there either. */
const GIVE_UP_AFTER = 5
const TOTAL_MS = 20_000
/** Milliseconds for all of them. */
const ALL_MS = 120_000
/** Files that refer to files that refer to files. */
const MAX_ROUNDS = 20

/**
 * The files that a description refers to, and those that they refer to, by address: of its own origin alone, so many
 * and so large together. What cannot be had is missing, and is reported with the references to it.
 */
export async function fetchOutsideFiles(
  deps: ReaderDeps,
  root: Description,
  limits: ParseLimits,
): Promise<Record<string, string>> {
  const { origin } = new URL(root.url)
  const files: Record<string, string> = {}
  const known = new Set([root.url.split('#', 1)[0]])
  const deadline = performance.now() + ALL_MS
  let bytes = 0
  let missing = 0
  // Each round takes up what the one before has found; a thread for each file would cost more than its reading.
  for (let parts = [root], round = 0; parts.length > 0 && round < MAX_ROUNDS; round++) {
    const found = await parseApart({ name: 'apiFiles', input: { parts } }, limits, deps.signal)
    parts = []
    for (const url of found.kind === 'parsed' ? found.value : []) {
      if (known.has(url) || new URL(url).origin !== origin) continue
      known.add(url)
      const isEnough = known.size > MAX_FILES || bytes > MAX_BYTES || missing >= GIVE_UP_AFTER
      if (isEnough || performance.now() > deadline) return files
      const text = await tryFetch(deps, url)
      if (text === null) missing++
      else {
        bytes += text.length
        files[url] = text
        parts.push({ text, url })
      }
    }
  }
  return files
}

async function tryFetch(deps: ReaderDeps, url: string): Promise<string | null> {
  const { origin } = new URL(url)
  try {
    const response = await fetchWhole(deps, url, {
      maxBytes: MAX_BYTES,
      totalMs: TOTAL_MS,
      acceptRedirect: (to) => to.origin === origin,
    })
    return response.status === 200 ? decodeText(response.bytes, response.headers['content-type'] ?? null) : null
  } catch (error) {
    if (error instanceof GiveUp) return null
    throw error
  }
}
