import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { create } from 'tar'
import { CommandError } from '../command-error.ts'

/** The files of a folder as one compressed archive. Throws `CommandError` for more than the service takes at once. */
export async function packFiles(folder: string, files: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  // With `./` in front, since a name that begins with `@` would be taken for an archive to be put in.
  const paths = files.map((path) => `./${path}`)
  for await (const chunk of create({ cwd: folder, gzip: true, portable: true, noDirRecurse: true }, paths)) {
    bytes += chunk.byteLength
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge(folder)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** What is said of more than can be sent at once. */
export function tooLarge(path: string): CommandError {
  const limit = MAX_UPLOAD_BYTES >> 20
  return new CommandError(`${path} has more than ${limit} MB, which is too much to be sent at once. Divide it.`)
}
