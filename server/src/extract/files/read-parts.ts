import { ArchiveProblem, isZip, readZip } from '../archive/read-archive.ts'
import { FileProblem } from './file-problem.ts'

/** Parts of a file by path. */
export type Parts = ReadonlyMap<string, Uint8Array>

/** Upper bound for files in a file. Presentations and books have some hundred pictures. */
const MAX_ENTRIES = 10_000
/** Upper bound for the unpacked parts that are read. A page of text has about 10 kB, a cell 50 bytes. */
export const MAX_PARTS = 32 << 20

/** Signature of a compound file: an encrypted document, or one of Office 97. */
const COMPOUND = 'd0cf11e0a1b11ae1'

/** Unpacks the parts of a zip file whose paths match. Throws `FileProblem`. */
export async function readParts(bytes: Uint8Array, wanted: RegExp): Promise<Parts> {
  if (Buffer.from(bytes.subarray(0, 8)).toString('hex') === COMPOUND) {
    throw new FileProblem(
      'encrypted',
      'The file is protected by a password, or saved in an old format. Save it without a password and in its present format.',
    )
  }
  if (!isZip(bytes)) throw damaged('it does not begin like one of its kind')
  const parts = new Map<string, Uint8Array>()
  let size = 0
  try {
    await readZip(bytes, { archiveBytes: MAX_PARTS, entries: MAX_ENTRIES }, (entry) => {
      if (!wanted.test(entry.path)) return null
      if (entry.isEncrypted === true) throw protectedByPassword()
      size += entry.size
      if (size > MAX_PARTS) {
        throw new FileProblem('too_large', `The file has more than ${MAX_PARTS >> 20} MB of text. Divide it.`)
      }
      return (content) => {
        if (content === null) throw damaged(`its part ${entry.path.slice(0, 100)} cannot be unpacked`)
        parts.set(entry.path, content)
      }
    })
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    throw error.message.includes('password') ? protectedByPassword() : damaged(error.message)
  }
  return parts
}

export function protectedByPassword(): FileProblem {
  return new FileProblem('encrypted', 'The file is protected by a password. Save it without one and try again.')
}

/** `why` is the end of a sentence. */
export function damaged(why: string): FileProblem {
  return new FileProblem('unreadable', `The file is damaged: ${why}. Save it anew.`)
}

/** Returns a part that each file of this kind has. Throws `FileProblem`. */
export function partOf(parts: Parts, path: string): Uint8Array {
  const part = parts.get(path)
  if (part === undefined) throw damaged(`it has no ${path.slice(0, 100)}`)
  return part
}
