import { GiveUp } from '#jobs/errors.ts'
import type { FetchedFile } from '#extract/api/read-description-bytes.ts'
import { type ParseLimits, parseInChild } from '#processes/parse-in-child.ts'
import { fetchWhole } from '../fetch-whole.ts'
import type { ReaderDeps } from '../source-document.ts'

export type OutsideLimits = {
  files: number
  /** Bytes of all files together. */
  bytes: number
  /** Missing files after which the remaining ones are not tried. */
  missing: number
  /** Milliseconds per file, and for all files. */
  fileMs: number
  allMs: number
  /** Depth of references between files. */
  rounds: number
}

/** The largest multi-file descriptions have some hundred files. */
const LIMITS: OutsideLimits = { files: 300, bytes: 32 << 20, missing: 5, fileMs: 20_000, allMs: 120_000, rounds: 20 }

/**
 * Fetches the files referenced by an API description (`urls`) and by those files. Only the same origin is used, within
 * the given limits. Missing files are reported with the references to them.
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
  // Each round reads the references of the previous one in a single process, because starting a process costs more than
  // reading a file.
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
    const found = await parseInChild({ name: 'apiFiles', input: { files: parts } }, limits, deps)
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
    // Keep the URL of the reference, even after a redirect.
    return status === 200 ? { url, bytes, contentType: headers['content-type'] ?? null } : null
  } catch (error) {
    if (error instanceof GiveUp) return null
    throw error
  }
}
