import type { ApiDescription } from '#extract/api/api-document.ts'
import type { DescriptionPart } from '#extract/repository/spec-collector.ts'
import type { FileOmissionReason } from '#extract/repository/repository-file.ts'
import { isGraphql } from '#extract/repository/schema-document.ts'
import { reasonOfKill } from '#crawl/reasons.ts'
import { type Reading, parseInChild } from '#processes/parse-in-child.ts'
import type { RepositoryProcess } from '#processes/repository-process.ts'
import { descriptionLimits } from '../api/api-description.ts'

type File = { path: string; kind: string; bytes: Uint8Array<ArrayBuffer> }

/** `parts` are the paths of referenced files. */
type Outcome =
  | { kind: 'description'; description: ApiDescription; parts: string[] }
  | { kind: 'omitted'; reason: FileOmissionReason }
  | { kind: 'failed'; reason: string; detail: string }

/**
 * Larger files get a process with more memory. Most are smaller, and a process for each would cost more than reading
 * it.
 */
const SMALL_BYTES = 1 << 20

/**
 * Returns whether a file may be an API description. For GraphQL its reader decides: schema parts without queries are
 * none.
 */
export function mayBeDescription({ path, kind }: Pick<File, 'path' | 'kind'>): boolean {
  return kind === 'api' || isGraphql(path)
}

/** Reads an API description from among other files. */
export async function readDescriptionFile(
  { path, bytes }: File,
  { child, others, ...reading }: Reading & { child: RepositoryProcess; others: readonly DescriptionPart[] },
): Promise<Outcome> {
  // GraphQL files do not reference others by path.
  const input = { path, bytes, others: isGraphql(path) ? [] : others }
  const size = input.others.reduce((sum, other) => sum + other.bytes.byteLength, bytes.byteLength)
  const result =
    size <= SMALL_BYTES
      ? await child.run('describe', input)
      : await parseInChild({ name: 'localApi', input }, descriptionLimits(size), reading)
  if (result.kind === 'killed') {
    return { kind: 'failed', ...reasonOfKill(result, 'Reading the description') }
  }
  const { read, isText, parts } = result.value
  if (!isText) return { kind: 'omitted', reason: 'unreadable' }
  if (read.kind === 'description') return { kind: 'description', description: read, parts }
  return read.reason === 'not_a_description'
    ? { kind: 'omitted', reason: 'not_documentation' }
    : { kind: 'failed', reason: 'unreadable', detail: read.detail }
}
