import type { DescriptionPart } from '#extract/repository/description-shelf.ts'
import type { FileOmission, RepositoryFile } from '#extract/repository/repository-file.ts'
import { reasonOfKill } from '#crawl/reasons.ts'
import type { Reading } from '#processes/parse-apart.ts'
import type { RepositoryThread } from '#processes/repository-thread.ts'
import { descriptionDocuments } from '../api/description-documents.ts'
import { groupOmissions } from './omission-sentences.ts'
import { mayBeDescription, readDescriptionFile } from './read-description-file.ts'
import type { SourceDocument, SourceOmission } from '../source-document.ts'

/** Context shared by the files of one source. */
export type Surroundings = Reading & {
  thread: RepositoryThread
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
  { thread, parts, lineAnchor, omitted, described, ...reading }: Surroundings,
): AsyncGenerator<SourceDocument | SourceOmission> {
  const { path, kind, bytes } = file
  if (mayBeDescription(file)) {
    const outcome = await readDescriptionFile(file, { ...reading, thread, others: parts })
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
  const read = await thread.run('read', { path, kind, bytes })
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
