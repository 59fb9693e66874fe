import { GiveUp } from '#jobs/lease.ts'
import type { ApiDescription, ApiSubject } from '#extract/api/api-document.ts'
import type { FetchedFile } from '#extract/api/read-description.ts'
import { killSentence } from '#workers/kill-reason.ts'
import { parseInChild, type ParseLimits } from '#readers/parse-in-child.ts'
import {
  fetchWhole,
  type ReaderDeps,
  type WholeReader,
  type SourceDocument,
  type SourceOmission,
} from './source-document.ts'

/** The largest public API descriptions have some 15 MB. */
const MAX_BYTES = 32 << 20

/** Per megabyte, typical descriptions need 12 MB of heap and half a second. Unusual ones are refused. */
export function descriptionLimits(size: number): ParseLimits {
  const megabytes = size >> 20
  return { memoryMb: Math.min(1_536, 128 + 16 * megabytes), killAfterMs: 15_000 + 5_000 * megabytes }
}

const ACCEPT = 'application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.1'

/** Reads an API description and files of its origin that it refers to. Asks GraphQL endpoints for their schema. */
export const readApiDescription: WholeReader = async function* (deps, { url }) {
  // Endpoints answer a plain GET with anything: an error, an editor, or the schema of a health check.
  const isEndpoint = /\/(?:graphql|gql)\/?$/i.test(new URL(url).pathname)
  const request = isEndpoint ? { json: { query: (await import('graphql')).getIntrospectionQuery() } } : {}
  const { description, from } = await fetchAndRead(deps, url, request)
  yield* descriptionDocuments(description, from)
}

async function fetchAndRead(deps: ReaderDeps, url: string, request: { json?: unknown }) {
  const response = await fetchWhole(deps, url, { ...request, headers: { accept: ACCEPT }, maxBytes: MAX_BYTES })
  const { url: from, bytes, headers } = response
  const root = { url: from, bytes, contentType: headers['content-type'] ?? null }
  let read = await readInChild(deps, root, null)
  if (read.kind === 'outside') {
    const files = await fetchOutsideFiles(deps, { url: from, urls: read.urls }, descriptionLimits(bytes.byteLength))
    read = await readInChild(deps, root, files)
  }
  response.release?.()
  if (read.kind === 'outside') throw new Error('A description whose files were given asked for them again.')
  if (read.kind === 'rejected') throw new GiveUp(`${url}: ${read.detail}`)
  return { description: read, from }
}

async function readInChild(deps: ReaderDeps, root: FetchedFile, files: readonly FetchedFile[] | null) {
  const size = (files ?? []).reduce((sum, file) => sum + file.bytes.byteLength, root.bytes.byteLength)
  const result = await parseInChild({ name: 'api', input: { root, files } }, descriptionLimits(size), deps)
  if (result.kind === 'done') return result.value
  throw new GiveUp(killSentence('Reading the description', result, 'Divide it into smaller ones.'))
}

/** Converts an API description to documents, and its problems to omissions. */
export function descriptionDocuments(
  { documents, problems }: ApiDescription,
  from: string,
): (SourceDocument | SourceOmission)[] {
  return [
    ...documents.map(({ subject, title, markdown, pointer }): SourceDocument => ({
      kind: 'document',
      url: subject === null ? withoutFragment(from) : partUrl(from, subject.kind, subject.name),
      title,
      markdown,
      language: null,
      anchors: pointer === null ? [] : [{ offset: 0, anchor: encodeURI(pointer) }],
    })),
    ...problems.map(({ at, reason, detail }): SourceOmission => ({
      kind: 'skipped',
      url: partUrl(from, 'problem', at),
      reason,
      detail,
    })),
  ]
}

/**
 * URL of one part: that of the description, which readers can open, with a parameter that file servers ignore.
 * Citations add the part's JSON pointer (RFC 6901) as the fragment.
 */
function partUrl(description: string, kind: ApiSubject | 'problem', name: string): string {
  const url = new URL(withoutFragment(description))
  const readable = encodeURIComponent(name).replaceAll('%20', '+').replaceAll('%2F', '/').replaceAll('%23', '')
  url.search += `${url.search === '' ? '?' : '&'}docent-${kind}=${readable}`
  return url.href
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}

/**
 * Files and their bytes together, missing files after which no others are tried, milliseconds per file and for all, and
 * depth of references. The largest descriptions have some hundred files.
 */
const LIMITS = { files: 300, bytes: 32 << 20, missing: 5, fileMs: 20_000, allMs: 120_000, rounds: 20 }
export type OutsideLimits = typeof LIMITS

/** Fetches files that a description refers to (`urls`), and theirs, of the same origin within the limits. */
export async function fetchOutsideFiles(
  deps: ReaderDeps,
  root: { url: string; urls: readonly string[] },
  limits: ParseLimits,
  given: Partial<OutsideLimits> = {},
): Promise<FetchedFile[]> {
  const most = { ...LIMITS, ...given }
  const { origin } = new URL(root.url)
  const files: FetchedFile[] = []
  const known = new Set([withoutFragment(root.url)])
  const deadline = performance.now() + most.allMs
  let bytes = 0
  let missing = 0
  // Each round reads the references of the previous one in a single process, because starting a process costs more than
  // reading a file.
  for (let urls = root.urls, round = 0; urls.length > 0 && round < most.rounds; round++) {
    const before = files.length
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
      }
    }
    if (files.length === before) break
    const input = { files: files.slice(before) }
    const found = await parseInChild({ name: 'apiFiles', input }, limits, deps)
    urls = found.kind === 'done' ? found.value : []
  }
  return files
}

async function tryFetch(
  deps: ReaderDeps,
  url: string,
  limits: { maxBytes: number; totalMs: number },
): Promise<FetchedFile | null> {
  const acceptRedirect = (to: URL) => to.origin === new URL(url).origin
  try {
    const { status, bytes, headers } = await fetchWhole(deps, url, { ...limits, acceptRedirect })
    // Keep the URL of the reference, even after a redirect.
    return status === 200 ? { url, bytes, contentType: headers['content-type'] ?? null } : null
  } catch (error) {
    if (error instanceof GiveUp) return null
    throw error
  }
}
