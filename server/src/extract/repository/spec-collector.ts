import { apiFormat } from '../api/parse-data.ts'
import { refersOutside } from '../api/references.ts'
import type { FileOmission } from './repository-file.ts'

/** A data file that an API description may refer to. */
export type DescriptionPart = { path: string; bytes: Uint8Array<ArrayBuffer> }

/** Bytes searched for the format. JSON may be on one line, with its tags or servers first. */
const START = 64 << 10
/** Maximum size of a part. Parts are handwritten, or cover one path or schema each. */
const PART_BYTES = 512 << 10
const ALL_PARTS_BYTES = 16 << 20

/**
 * Separates API descriptions from other JSON and YAML files of a repository or archive during unpacking. Keeps other
 * files that descriptions may refer to. Keeps descriptions of at most `keptBytes` in total.
 */
export function createSpecCollector(keptBytes: number) {
  const folders = new Set<string>()
  let parts: DescriptionPart[] = []
  let room = { descriptions: keptBytes, parts: ALL_PARTS_BYTES }
  return {
    /** Decides about a file: read it as a description, or omit it. A part of a description is included again later. */
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
    /** Returns the possible parts of descriptions that refer to other files. */
    parts(): DescriptionPart[] {
      parts = parts.filter(({ path }) => [...folders].some((folder) => path.startsWith(folder)))
      return parts
    },
  }
}

/** Returns the parent of the description's folder, because shared parts are beside it (`v1/api.yaml`, `common/`). */
function homeOf(path: string): string {
  const folders = path.split('/').slice(0, -2)
  return folders.length === 0 ? '' : `${folders.join('/')}/`
}
