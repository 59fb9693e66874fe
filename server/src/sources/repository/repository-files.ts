import { freeBytes } from '#lib/limits/free-bytes.ts'
import { GiveUp } from '#jobs/errors.ts'
import type { RepositoryFile } from '#extract/repository/repository-file.ts'
import { killSentence } from '#processes/kill-reason.ts'
import type { Reading } from '#processes/parse-in-child.ts'
import { RepositoryProcess } from '#processes/repository-process.ts'
import { type Surroundings, readLocalFile, tellOmissions } from '../files/read-local-file.ts'
import type { SourceDocument, SourceOmission } from '../source-document.ts'

/** The files of one repository state, as fetched. */
export type RepositoryFiles = {
  bytes: Uint8Array<ArrayBuffer>
  /** The remaining Content-Encoding of an archive. */
  encoding: string
  /** Called after the bytes were read. */
  release?: () => void
  /** The commit to read if the bytes are a git pack; null for archives. */
  commit: string | null
  /** The file or folder to read; empty for all. */
  scope: string
  pageUrl: (path: string, isFolder?: boolean) => string
  /** Returns the fragment of a line; null if there are none. */
  lineAnchor: ((line: number) => string) | null
}

/** Reads documentation and code in a child process, the most useful files first. Throws `GiveUp`. */
export async function* readRepositoryFiles(
  { bytes, encoding, release, commit, scope, pageUrl, lineAnchor }: RepositoryFiles,
  { signal, memory, onFault }: Reading,
): AsyncGenerator<SourceDocument | SourceOmission> {
  await using child = new RepositoryProcess({ signal, memory, onFault })
  const unpacked = await child.run('unpack', { size: bytes.byteLength, encoding, scope, commit }, bytes)
  freeBytes(bytes)
  release?.()
  if (unpacked.kind === 'killed') {
    throw new GiveUp(killSentence("Reading the repository's archive", unpacked))
  }
  if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
  const { files, parts, omissions } = unpacked.value
  if (files.length === 0 && omissions.length === 0) {
    throw new GiveUp(scope === '' ? 'The repository is empty.' : `The repository has nothing at "${scope}".`)
  }
  const around: Surroundings = {
    child,
    parts,
    lineAnchor,
    signal,
    memory,
    onFault,
    omitted: [...omissions],
    described: new Set(),
  }
  for (const file of files.sort(byInterest)) yield* readLocalFile(file, pageUrl(file.path), around)
  yield* tellOmissions(around, pageUrl)
}

/** Sorts the most useful files first, so that they are searchable while the rest is being read. */
function byInterest(a: RepositoryFile, b: RepositoryFile): number {
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}

function rank({ kind, path }: RepositoryFile): number {
  if (/^readme\b[^/]*$/i.test(path)) return 0
  if (kind === 'code') return 3
  return kind === 'licence' || kind === 'text' ? 2 : 1
}
