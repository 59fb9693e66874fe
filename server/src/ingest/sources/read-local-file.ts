import type { DescriptionPart } from '../extract/repository/description-shelf.ts'
import type { FileOmission, RepositoryFile } from '../extract/repository/repository-file.ts'
import { reasonOfKill } from '../kill-reason.ts'
import type { Reading } from '../parse-apart.ts'
import type { RepositoryThread } from '../repository-thread.ts'
import { descriptionDocuments } from './description-documents.ts'
import { groupOmissions } from './omission-sentences.ts'
import { mayBeDescription, readDescriptionFile } from './read-description-file.ts'
import type { SourceDocument, SourceOmission } from './source-document.ts'

/** The files among which one is read. */
export type Surroundings = Reading & {
  thread: RepositoryThread
  /** Files that were left out, and that descriptions of APIs may refer to. */
  parts: readonly DescriptionPart[]
  /** The fragment of a line; null where there is none. */
  lineAnchor: ((line: number) => string) | null
  /** Is added to: what is left out of the files that were read. */
  omitted: FileOmission[]
  /** Is added to: paths of the parts that turned out to belong to a description. */
  described: Set<string>
}

/** Reads a file of a repository or an archive, as one document, or several where it describes an API. */
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
  // A GraphQL schema that is invalid as a whole has definitions all the same.
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

/** What was left out, folder by folder, without what was read after all as part of a description. */
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
