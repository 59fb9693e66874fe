/** Something in an archive that is no folder. `path` is as it is written there, and may be anything. */
export type ArchiveEntry = {
  path: string
  /** Bytes, as the archive says before it is read. */
  size: number
  /** False for links, devices and whatever else there is. */
  isFile: boolean
  /** Set where its content cannot be read without a password. */
  isEncrypted?: boolean
}

/** Decides about each entry: what takes its bytes when they are read, or null to leave it. */
export type EntryVisitor = (entry: ArchiveEntry) => EntryTaker | null

/** Gets the bytes, or null where they are damaged. */
export type EntryTaker = (bytes: Uint8Array<ArrayBuffer> | null) => void

export type ArchiveLimits = {
  /** Bytes of the archive when it is decompressed; larger ones are refused. */
  archiveBytes: number
  entries: number
}

/** Why an archive as a whole cannot be read; the message ends a sentence. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem'
}

export function tooLarge({ archiveBytes }: ArchiveLimits): ArchiveProblem {
  return new ArchiveProblem(`it holds more than ${Math.round(archiveBytes / 1e6)} MB`)
}

export const tooManyFiles = (): ArchiveProblem => new ArchiveProblem('it has too many files')
