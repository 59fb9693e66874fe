import type { DescriptionPart } from '#extract/repository/collect-files.ts'
import {
  type FileOmission,
  type FileOmissionReason,
  isConverted,
  isGraphql,
  mediaTypeOf,
  type RepositoryFile,
} from '#extract/repository/repository-file.ts'
import { reasonOfKill } from '#crawl/crawl-budget.ts'
import { type Reading, parseInChild } from '#readers/parse-in-child.ts'
import type { RepositoryProcess } from '#readers/repository-process.ts'
import type { ApiDescription } from '#extract/api/api-document.ts'
import { descriptionDocuments, descriptionLimits } from './api-description.ts'
import REASONS from '#extract/repository/omission-reasons.json' with { type: 'json' }
import type { SourceDocument, SourceFile, SourceOmission } from './source-document.ts'

/** Context shared by the files of one source. */
export type Surroundings = Reading & {
  child: RepositoryProcess
  /** Omitted files that API descriptions may reference. */
  parts: readonly DescriptionPart[]
  /** Returns the fragment of a line; null if there are none. */
  lineAnchor: ((line: number) => string) | null
  /** Output: collects omissions among the files read. */
  omitted: FileOmission[]
  /** Output: collects paths of `parts` that belong to a description. */
  described: Set<string>
}

/** Reads a file of a repository or an archive as one document, or as several if it is an API description. */
export async function* readLocalFile(
  file: RepositoryFile,
  url: string,
  { child, parts, lineAnchor, omitted, described, ...reading }: Surroundings,
): AsyncGenerator<SourceDocument | SourceFile | SourceOmission> {
  const { path, kind, bytes } = file
  if (isConverted(kind)) {
    yield { kind: 'file', url, contentType: mediaTypeOf(kind), bytes }
    return
  }
  // For GraphQL its reader decides: schema parts without queries are no description.
  if (kind === 'api' || isGraphql(path)) {
    const outcome = await readDescriptionFile(file, { ...reading, child, parts })
    if (outcome.kind === 'description') {
      for (const part of outcome.parts) described.add(part)
      yield* descriptionDocuments(outcome.description, url)
      return
    }
    // A GraphQL schema that is invalid as a whole can still contain definitions.
    if (kind === 'api') {
      if (outcome.kind === 'failed') yield { ...outcome, url }
      else omitted.push({ path, isFolder: false, reason: outcome.reason })
      return
    }
  }
  const read = await child.run('read', { path, kind, bytes })
  if (read.kind === 'killed') yield { kind: 'failed', url, ...reasonOfKill(read, 'Reading the file') }
  else if (read.value.kind === 'omitted') omitted.push({ path, isFolder: false, reason: read.value.reason })
  else {
    const { title, markdown, lines } = read.value.document
    const anchors = lines && (lineAnchor ? lines.map((at) => ({ ...at, anchor: lineAnchor(at.line) })) : [])
    yield { kind: 'document', url, title, markdown, language: null, ...(anchors ? { anchors } : {}) }
  }
}

/** Yields the omissions by folder, without files that turned out to be part of an API description. */
export function* tellOmissions(
  { omitted, described }: Pick<Surroundings, 'omitted' | 'described'>,
  urlOf: (path: string, isFolder: boolean) => string,
): Generator<SourceOmission> {
  const untold = omitted.filter((each) => !described.has(each.path))
  for (const { path, isFolder, reason, detail } of groupOmissions(untold)) {
    yield { kind: 'skipped', url: urlOf(path, isFolder), reason, detail }
  }
}

/** Groups omitted files by folder and reason, and reports each group at its first file: there may be thousands. */
function groupOmissions(omissions: readonly FileOmission[]) {
  const groups = Map.groupBy(omissions, ({ path, isFolder, reason }) =>
    isFolder ? `${path}/` : `${reason} ${path.split('/').slice(0, -1).join('/')}`,
  )
  return groups.values().flatMap((group) => {
    const [first, ...others] = group
    if (!first) return []
    const { one, many } = REASONS[first.reason]
    const several = first.isFolder ? 'All files of this folder' : `This file and ${others.length} more of its folder`
    return [{ ...first, detail: first.isFolder || others.length > 0 ? `${several} ${many}` : one }]
  })
}

/** `parts` are the paths of referenced files. */
type Outcome =
  | { kind: 'description'; description: ApiDescription; parts: string[] }
  | { kind: 'omitted'; reason: FileOmissionReason }
  | { kind: 'failed'; reason: string; detail: string }

/** Larger files get a process with more memory. Most are smaller, and a process for each would cost more. */
const SMALL_BYTES = 1 << 20

async function readDescriptionFile(
  { path, bytes }: RepositoryFile,
  { child, parts: others, ...reading }: Pick<Surroundings, 'child' | 'parts'> & Reading,
): Promise<Outcome> {
  // GraphQL files do not reference others by path.
  const input = { path, bytes, others: isGraphql(path) ? [] : others }
  const size = input.others.reduce((sum, other) => sum + other.bytes.byteLength, bytes.byteLength)
  const result =
    size <= SMALL_BYTES
      ? await child.run('localApi', input)
      : await parseInChild({ name: 'localApi', input }, descriptionLimits(size), reading)
  if (result.kind === 'killed') return { kind: 'failed', ...reasonOfKill(result, 'Reading the description') }
  const { read, parts } = result.value
  if (read === null) return { kind: 'omitted', reason: 'unreadable' }
  if (read.kind === 'description') return { kind: 'description', description: read, parts }
  return read.reason === 'not_a_description'
    ? { kind: 'omitted', reason: 'not_documentation' }
    : { kind: 'failed', reason: 'unreadable', detail: read.detail }
}
