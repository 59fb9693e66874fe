import { apiFormat } from '../extract/api-format.ts'
import type { ApiDescription } from '../extract/api/api-document.ts'
import { decodeText } from '../extract/decode.ts'
import type { DescriptionPart } from '../extract/repository/description-shelf.ts'
import type { FileOmissionReason } from '../extract/repository/repository-file.ts'
import { isGraphql } from '../extract/repository/schema-document.ts'
import { killSentence } from '../kill-reason.ts'
import { parseApart } from '../parse-apart.ts'
import type { RepositoryThread } from '../repository-thread.ts'
import { descriptionLimits } from './api-description.ts'

type File = { path: string; kind: string; bytes: Uint8Array<ArrayBuffer> }

/** `parts` are the paths of other files that belong to it. */
type Outcome =
  | { kind: 'description'; description: ApiDescription; parts: string[] }
  | { kind: 'omitted'; reason: FileOmissionReason }
  | { kind: 'failed'; reason: string; detail: string }

/** Larger ones get a process with more memory; most are smaller, and a process for each would cost more than it. */
const SMALL_BYTES = 1 << 20

/** Whether a file is read as a description of an API: not the parts of a GraphQL schema that have no queries. */
export function isDescription({ path, kind, bytes }: File): boolean {
  return kind === 'api' || (isGraphql(path) && apiFormat(decodeText(bytes, null) ?? '') === 'GraphQL')
}

/** Reads a description of an API that is a file among others. */
export async function readDescriptionFile(
  { path, bytes }: File,
  { thread, others, signal }: { thread: RepositoryThread; others: readonly DescriptionPart[]; signal: AbortSignal },
): Promise<Outcome> {
  const text = decodeText(bytes, null)
  if (text === null) return { kind: 'omitted', reason: 'unreadable' }
  const texts = others.flatMap((other) => {
    const content = decodeText(other.bytes, null)
    return content === null ? [] : [[other.path, content] as const]
  })
  const input = { path, text, others: Object.fromEntries(texts) }
  const size = texts.reduce((sum, [, content]) => sum + content.length, text.length)
  const result =
    size <= SMALL_BYTES
      ? await thread.run('describe', input)
      : await parseApart({ name: 'localApi', input }, descriptionLimits(size), signal)
  if (result.kind === 'killed') {
    const detail = killSentence('Reading the description', result.reason)
    return { kind: 'failed', reason: 'too_slow_to_read', detail }
  }
  const { read, parts } = result.value
  if (read.kind === 'description') return { kind: 'description', description: read, parts }
  return read.reason === 'not_a_description'
    ? { kind: 'omitted', reason: 'not_documentation' }
    : { kind: 'failed', reason: 'unreadable', detail: read.detail }
}
