import { GiveUp } from '#jobs/errors.ts'
import { decodeText } from '../extract/decode.ts'
import { type ParseLimits, parseApart } from '../parse-apart.ts'
import { fetchWhole } from './fetch-whole.ts'
import type { ReaderDeps } from './source-document.ts'

type Description = { text: string; url: string }

export type OutsideLimits = {
  files: number
  /** Of all files together. */
  bytes: number
  /** Files that cannot be had, after which the others will not be there either. */
  missing: number
  /** Milliseconds for one file, and for all of them. */
  fileMs: number
  allMs: number
  /** Files that refer to files that refer to files. */
  rounds: number
}

/** The largest descriptions that are kept in pieces have some hundred. */
const LIMITS: OutsideLimits = { files: 300, bytes: 32 << 20, missing: 5, fileMs: 20_000, allMs: 120_000, rounds: 20 }

/**
 * The files that a description refers to, and those that they refer to, by address: of its own origin alone, so many
 * and so large together. What cannot be had is missing, and is reported with the references to it.
 */
export async function fetchOutsideFiles(
  deps: ReaderDeps,
  root: Description,
  limits: ParseLimits,
  given: Partial<OutsideLimits> = {},
): Promise<Record<string, string>> {
  const most = { ...LIMITS, ...given }
  const { origin } = new URL(root.url)
  const files: Record<string, string> = {}
  const known = new Set([root.url.split('#', 1)[0]])
  const deadline = performance.now() + most.allMs
  let bytes = 0
  let missing = 0
  // Each round takes up what the one before has found; a thread for each file would cost more than its reading.
  for (let parts = [root], round = 0; parts.length > 0 && round < most.rounds; round++) {
    const found = await parseApart({ name: 'apiFiles', input: { parts } }, limits, deps.signal)
    parts = []
    for (const url of found.kind === 'parsed' ? found.value : []) {
      if (known.has(url) || new URL(url).origin !== origin) continue
      known.add(url)
      const isEnough = Object.keys(files).length >= most.files || bytes >= most.bytes || missing >= most.missing
      if (isEnough || performance.now() > deadline) return files
      const text = await tryFetch(deps, url, { maxBytes: most.bytes - bytes, totalMs: most.fileMs })
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

async function tryFetch(
  deps: ReaderDeps,
  url: string,
  limits: { maxBytes: number; totalMs: number },
): Promise<string | null> {
  const { origin } = new URL(url)
  try {
    const response = await fetchWhole(deps, url, {
      ...limits,
      acceptRedirect: (to) => to.origin === origin,
    })
    return response.status === 200 ? decodeText(response.bytes, response.headers['content-type'] ?? null) : null
  } catch (error) {
    if (error instanceof GiveUp) return null
    throw error
  }
}
