import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { create } from 'tar'
import { CommandError } from '../command-error.ts'

/** The files of a folder as one compressed archive. Throws `CommandError` above the upload limit. */
export async function packFiles(folder: string, files: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Prefixed with `./`, because tar takes a name that begins with `@` for an archive to include.
  const paths = files.map((path) => `./${path}`)
  for await (const chunk of create({ cwd: folder, gzip: true, portable: true, noDirRecurse: true }, paths)) {
    bytes += chunk.byteLength
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge(folder)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The error for more than the upload limit. */
export function tooLarge(path: string): CommandError {
  const limit = MAX_UPLOAD_BYTES >> 20
  return new CommandError(`${path} has more than ${limit} MB, which is too much to be sent at once. Divide it.`)
}
