import { GiveUp } from '#jobs/errors.ts'
import type { ApiDescription } from '#extract/api/api-document.ts'
import type { FetchedFile } from '#extract/api/read-description-bytes.ts'
import { killSentence } from '#processes/kill-reason.ts'
import { parseInChild, type ParseLimits } from '#processes/parse-in-child.ts'
import { descriptionDocuments } from './description-documents.ts'
import { fetchOutsideFiles } from './fetch-outside-files.ts'
import { fetchWhole } from '../fetch-whole.ts'
import type { ReaderDeps, WholeReader } from '../source-document.ts'

/** The largest public API descriptions have some 15 MB. */
const MAX_BYTES = 32 << 20

/**
 * Per megabyte, typical descriptions need 12 MB of heap and half a second. Those with thousands of short operations per
 * megabyte need several times as much, and are refused.
 */
export function descriptionLimits(size: number): ParseLimits {
  const megabytes = size >> 20
  return { memoryMb: Math.min(1_536, 128 + 16 * megabytes), killAfterMs: 15_000 + 5_000 * megabytes }
}

const ACCEPT = 'application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.1'

/**
 * Reads an API description, as one document per operation and schema. Queries GraphQL endpoints for their schema.
 * Follows references to other files of the same origin, and reports unresolved ones.
 */
export const readApiDescription: WholeReader = async function* (deps, { url }) {
  const { description, from } = await obtain(deps, url)
  yield* descriptionDocuments(description, from)
}

type Obtained = { description: ApiDescription; from: string }

async function obtain(deps: ReaderDeps, url: string): Promise<Obtained> {
  // Endpoints answer a plain GET with anything: an error, an editor, or the schema of a health check.
  if (looksLikeEndpoint(url)) {
    const { getIntrospectionQuery } = await import('graphql')
    return fetchAndRead(deps, url, { json: { query: getIntrospectionQuery() } })
  }
  return fetchAndRead(deps, url, {})
}

async function fetchAndRead(deps: ReaderDeps, url: string, request: { json?: unknown }): Promise<Obtained> {
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
  if (result.kind === 'parsed') return result.value
  throw new GiveUp(killSentence('Reading the description', result, 'Divide it into smaller ones.'))
}

function looksLikeEndpoint(url: string): boolean {
  return /\/(?:graphql|gql)\/?$/i.test(new URL(url).pathname)
}
