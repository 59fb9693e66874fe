import { GiveUp } from '#jobs/errors.ts'
import type { FetchedFile } from '../extract/api/read-description-bytes.ts'
import { type ParseLimits, parseApart } from '../parse-apart.ts'
import { fetchWhole } from './fetch-whole.ts'
import type { ReaderDeps } from './source-document.ts'

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
 * The files that a description refers to (`urls`), and those that they refer to: of its own origin alone, so many and so
 * large together. What cannot be had is missing, and is reported with the references to it.
 */
export async function fetchOutsideFiles(
  deps: ReaderDeps,
  root: { url: string; urls: readonly string[] },
  limits: ParseLimits,
  given: Partial<OutsideLimits> = {},
): Promise<FetchedFile[]> {
  const most = { ...LIMITS, ...given }
  const { origin } = new URL(root.url)
  const files: FetchedFile[] = []
  const known = new Set([root.url.split('#', 1)[0]])
  const deadline = performance.now() + most.allMs
  let bytes = 0
  let missing = 0
  // Each round takes up what the one before has found; a process for each file would cost more than its reading.
  for (let urls = root.urls, round = 0; urls.length > 0 && round < most.rounds; round++) {
    const parts: FetchedFile[] = []
    for (const url of urls) {
      if (known.has(url) || new URL(url).origin !== origin) continue
      known.add(url)
      const isEnough = files.length >= most.files || bytes >= most.bytes || missing >= most.missing
      if (isEnough || performance.now() > deadline) return files
      const file = await tryFetch(deps, url, { maxBytes: most.bytes - bytes, totalMs: most.fileMs })
      if (file === null) missing++
      else {
        bytes += file.bytes.byteLength
        files.push(file)
        parts.push(file)
      }
    }
    if (parts.length === 0) break
    const found = await parseApart({ name: 'apiFiles', input: { files: parts } }, limits, deps)
    urls = found.kind === 'parsed' ? found.value : []
  }
  return files
}

async function tryFetch(
  deps: ReaderDeps,
  url: string,
  limits: { maxBytes: number; totalMs: number },
): Promise<FetchedFile | null> {
  const { origin } = new URL(url)
  try {
    const { status, bytes, headers } = await fetchWhole(deps, url, {
      ...limits,
      acceptRedirect: (to) => to.origin === origin,
    })
    // By the address that it is referred to by, wherever that leads.
    return status === 200 ? { url, bytes, contentType: headers['content-type'] ?? null } : null
  } catch (error) {
    if (error instanceof GiveUp) return null
    throw error
  }
}
