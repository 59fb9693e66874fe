import { apiFormat } from '../api-format.ts'
import { refersOutside } from '../api/refers-outside.ts'
import type { FileOmission } from './repository-file.ts'

/** A file of data that a description of an API may refer to. */
export type DescriptionPart = { path: string; bytes: Uint8Array<ArrayBuffer> }

/** Within these a description says what it is; JSON may be on one line, with its tags or servers first. */
const START = 64 << 10
/** Pieces of descriptions are written by hand, or for one path or schema each. */
const PART_BYTES = 512 << 10
const ALL_PARTS_BYTES = 16 << 20

/**
 * Tells descriptions of APIs from the other JSON and YAML files of a repository or an archive, as each is unpacked, and
 * keeps of the others what the descriptions may refer to. Descriptions of `keptBytes` together are kept.
 */
export function createDescriptionShelf(keptBytes: number) {
  const folders = new Set<string>()
  let parts: DescriptionPart[] = []
  let room = { descriptions: keptBytes, parts: ALL_PARTS_BYTES }
  return {
    /** What becomes of one of them: read as a description, or left out, which is taken back where it is a part of one. */
    judge(path: string, bytes: Uint8Array<ArrayBuffer>): 'api' | FileOmission {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (apiFormat(text.toString('utf8', 0, START)) === null) {
        if (bytes.byteLength <= PART_BYTES && bytes.byteLength <= room.parts) {
          room.parts -= bytes.byteLength
          parts.push({ path, bytes })
        }
        return { path, isFolder: false, reason: 'not_documentation' }
      }
      if (bytes.byteLength > room.descriptions) return { path, isFolder: false, reason: 'too_large' }
      room.descriptions -= bytes.byteLength
      if (refersOutside(text.toString())) folders.add(homeOf(path))
      return 'api'
    },
    /** What may belong to the descriptions that refer to other files. */
    parts(): DescriptionPart[] {
      parts = parts.filter(({ path }) => [...folders].some((folder) => path.startsWith(folder)))
      return parts
    },
  }
}

/** The folder above that of a description: pieces that several share stand beside them (`v1/api.yaml`, `common/`). */
function homeOf(path: string): string {
  const folders = path.split('/').slice(0, -2)
  return folders.length === 0 ? '' : `${folders.join('/')}/`
}
