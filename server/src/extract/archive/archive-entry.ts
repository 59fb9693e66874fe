/** An archive entry other than a folder. `path` is unvalidated. */
export type ArchiveEntry = {
  path: string
  /** Declared size in bytes. */
  size: number
  /** False for links, devices and other special entries. */
  isFile: boolean
  /** Set if the content needs a password. */
  isEncrypted?: boolean
}

/** Called for each entry. Returns a receiver for its bytes, or null to skip it. */
export type EntryVisitor = (entry: ArchiveEntry) => EntryTaker | null

/** Receives the bytes, or null if they are damaged. */
export type EntryTaker = (bytes: Uint8Array<ArrayBuffer> | null) => void

export type ArchiveLimits = {
  /** Maximum decompressed size in bytes. Larger archives are refused. */
  archiveBytes: number
  entries: number
}

/** The archive as a whole is unreadable. The message is the end of a sentence. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem'
}

export function tooLarge({ archiveBytes }: ArchiveLimits): ArchiveProblem {
  return new ArchiveProblem(`it holds more than ${Math.round(archiveBytes / 1e6)} MB`)
}

export const tooManyFiles = (): ArchiveProblem => new ArchiveProblem('it has too many files')
