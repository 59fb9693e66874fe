import { GiveUp } from '#jobs/errors.ts'
import type { ApiDescription } from '../extract/api/api-document.ts'
import { refersOutside } from '../extract/api/refers-outside.ts'
import { decodeText } from '../extract/decode.ts'
import { killSentence } from '../kill-reason.ts'
import { parseApart, type ParseLimits } from '../parse-apart.ts'
import { descriptionDocuments } from './description-documents.ts'
import { fetchOutsideFiles } from './fetch-outside-files.ts'
import { fetchWhole } from './fetch-whole.ts'
import type { ReaderDeps, WholeReader } from './source-document.ts'

/** The largest public descriptions have some 15 MB. */
const MAX_BYTES = 32 << 20

/** YAML takes some hundred times its size while it is read, and half a second a megabyte. */
export function descriptionLimits(size: number): ParseLimits {
  const megabytes = size >> 20
  return { memoryMb: Math.min(1_536, 160 + 120 * megabytes), killAfterMs: 15_000 + 5_000 * megabytes }
}

const ACCEPT = 'application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.1'

/**
 * Reads a description of an API, one document for each operation and each schema of it. A GraphQL endpoint is asked for
 * its schema. References to other files of its origin are followed, and reported where they lead to nothing.
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
  const text = decodeText(response.bytes, response.headers['content-type'] ?? null)
  if (text === null)
    throw new GiveUp('The description is no text in any known encoding. Give the address of a JSON or YAML file.')
  const { url: from } = response
  const files = refersOutside(text)
    ? await fetchOutsideFiles(deps, { text, url: from }, descriptionLimits(response.bytes.byteLength))
    : {}
  const size = Object.values(files).reduce((sum, file) => sum + file.length, response.bytes.byteLength)
  const result = await parseApart(
    { name: 'api', input: { text, url: from, files } },
    descriptionLimits(size),
    deps.signal,
  )
  if (result.kind === 'killed') {
    throw new GiveUp(`${killSentence('Reading the description', result.reason)} Divide it into smaller ones.`)
  }
  if (result.value.kind === 'rejected') throw new GiveUp(`${url}: ${result.value.detail}`)
  return { description: result.value, from }
}

function looksLikeEndpoint(url: string): boolean {
  return /\/(?:graphql|gql)\/?$/i.test(new URL(url).pathname)
}
