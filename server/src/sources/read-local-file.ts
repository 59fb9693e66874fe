import type { DescriptionPart } from '#extract/repository/spec-collector.ts'
import type { FileOmission, FileOmissionReason, RepositoryFile } from '#extract/repository/repository-file.ts'
import { reasonOfKill } from '#crawl/crawl-budget.ts'
import { type Reading, parseInChild } from '#readers/parse-in-child.ts'
import type { RepositoryProcess } from '#readers/repository-process.ts'
import type { ApiDescription } from '#extract/api/api-document.ts'
import { isGraphql } from '#extract/repository/schema-document.ts'
import { descriptionDocuments, descriptionLimits } from './api-description.ts'
import type { SourceDocument, SourceOmission } from './source-document.ts'

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
): AsyncGenerator<SourceDocument | SourceOmission> {
  const { path, kind, bytes } = file
  if (mayBeDescription(file)) {
    const outcome = await readDescriptionFile(file, { ...reading, child, others: parts })
    if (outcome.kind === 'description') {
      for (const part of outcome.parts) described.add(part)
      yield* descriptionDocuments(outcome.description, url)
      return
    }
    if (kind === 'api' && outcome.kind === 'failed') yield { ...outcome, url }
    if (kind === 'api' && outcome.kind === 'omitted') omitted.push({ path, isFolder: false, reason: outcome.reason })
  }
  // A GraphQL schema that is invalid as a whole can still contain definitions.
  if (kind === 'api') return
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
  for (const { path, isFolder, reason, detail } of groupOmissions(
    omitted.filter((each) => !described.has(each.path)),
  )) {
    yield { kind: 'skipped', url: urlOf(path, isFolder), reason, detail }
  }
}

/** Sentences for one file, and for several of a folder. */
const SENTENCES: Record<FileOmissionReason, [one: string, many: string]> = {
  vendored: ['It belongs to other projects.', 'hold the work of other projects.'],
  generated: ['A program wrote it.', 'were written by a program.'],
  minified: ['It is packed for machines.', 'are packed for machines.'],
  binary: ['It is no text.', 'are no text.'],
  too_large: ['It is larger than what is read.', 'are beyond what is read.'],
  test: ['It is a test.', 'are tests.'],
  link: ['It is a link, and links are not followed.', 'are links, which are not followed.'],
  unsafe_path: ['Its path leads out of the archive.', 'have paths that lead out of the archive.'],
  not_documentation: [
    'It is neither documentation nor code in a language that is read.',
    'are neither documentation nor code in a language that is read.',
  ],
  no_symbols: ['It has no symbols that others can use.', 'have no symbols that others can use.'],
  no_text: ['It is empty.', 'are empty.'],
  encrypted: ['It is protected by a password.', 'are protected by a password.'],
  unreadable: ['It is damaged, or not what its name says.', 'are damaged, or not what their names say.'],
}

/** Omissions of one reason in one folder, reported together at the first file. */
type OmissionGroup = { path: string; isFolder: boolean; reason: FileOmissionReason; detail: string }

/** Groups omitted files by folder and reason: there may be thousands. */
function groupOmissions(omissions: readonly FileOmission[]): OmissionGroup[] {
  const groups = new Map<string, FileOmission[]>()
  for (const omission of omissions) {
    const folder = omission.path.split('/').slice(0, -1).join('/')
    const key = omission.isFolder ? `${omission.path}/` : `${omission.reason} ${folder}`
    groups.set(key, [...(groups.get(key) ?? []), omission])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const [one, many] = SENTENCES[first.reason]
    const detail = first.isFolder
      ? `All files of this folder ${many}`
      : group.length === 1
        ? one
        : `This file and ${group.length - 1} more of its folder ${many}`
    return [{ path: first.path, isFolder: first.isFolder, reason: first.reason, detail }]
  })
}

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
function mayBeDescription({ path, kind }: Pick<File, 'path' | 'kind'>): boolean {
  return kind === 'api' || isGraphql(path)
}

/** Reads an API description from among other files. */
async function readDescriptionFile(
  { path, bytes }: File,
  { child, others, ...reading }: Reading & { child: RepositoryProcess; others: readonly DescriptionPart[] },
): Promise<Outcome> {
  // GraphQL files do not reference others by path.
  const input = { path, bytes, others: isGraphql(path) ? [] : others }
  const size = input.others.reduce((sum, other) => sum + other.bytes.byteLength, bytes.byteLength)
  const result =
    size <= SMALL_BYTES
      ? await child.run('localApi', input)
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
