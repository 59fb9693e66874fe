import { apiFormat } from '../api/parse-data.ts'
import { refersOutside } from '../api/references.ts'
import type { EntryTaker } from '../archive/read-archive.ts'
import type { FileOmission, FileOmissionReason } from './repository-file.ts'
import { declaresJsonSchema } from './json-schema-document.ts'
import type { Sorted } from './sort-file.ts'

/** A data file that an API description may refer to. */
export type DescriptionPart = { path: string; bytes: Uint8Array<ArrayBuffer> }

type KeptFile<Kind> = { path: string; kind: Kind; bytes: Uint8Array<ArrayBuffer> }

/** Content of an archive: the relevant files, and the reasons for omitting the others. */
export type Unpacked<Kind> =
  | {
      kind: 'unpacked'
      files: KeptFile<Kind>[]
      /** Omitted files that API descriptions may refer to. */
      parts: DescriptionPart[]
      omissions: FileOmission[]
    }
  /** Unreadable archive, explained in a sentence. */
  | { kind: 'rejected'; detail: string }

/** Bytes searched for the format. JSON may be on one line, with its tags or servers first. */
const START = 64 << 10
/** Bytes searched for the declaration of a JSON Schema, which mostly comes first. */
const SCHEMA_START = 8 << 10
/** Maximum size of a part. Parts are handwritten, or cover one path or schema each. */
const PART_BYTES = 512 << 10
const ALL_PARTS_BYTES = 16 << 20

/** Separates descriptions, up to `keptBytes`, from other data files, and keeps those they may refer to. */
export function createSpecCollector(keptBytes: number) {
  const folders = new Set<string>()
  const parts: DescriptionPart[] = []
  let room = keptBytes
  let roomForParts = ALL_PARTS_BYTES
  return {
    /** Returns the reason to omit a file, or null for a description. A part of one is included again later. */
    judge(path: string, bytes: Uint8Array<ArrayBuffer>): FileOmissionReason | null {
      const size = bytes.byteLength
      if (!isDescription(bytes)) {
        if (size <= PART_BYTES && size <= roomForParts) {
          roomForParts -= size
          parts.push({ path, bytes })
        }
        return 'not_documentation'
      }
      if (size > room) return 'too_large'
      room -= size
      if (refersOutside(asBuffer(bytes).toString())) folders.add(homeOf(path))
      return null
    },
    /** Returns the possible parts of descriptions that refer to other files. */
    parts: () => parts.filter(({ path }) => [...folders].some((folder) => path.startsWith(folder))),
  }
}

/**
 * Collects files in order. Keeps at most `keptBytes` of each share of the kinds, and of API descriptions. Other data
 * files that are JSON Schemas have `schemaKind`.
 */
export function createFileCollector<Kind extends string>(
  keptBytes: number,
  shareOf: (kind: Kind) => string,
  schemaKind?: Kind,
) {
  const files = new Map<string, KeptFile<Kind>>()
  const omissions = new Map<string, FileOmission>()
  const kept = new Map<string, number>()
  const specs = createSpecCollector(keptBytes)
  const omit = (path: string, reason: FileOmissionReason, isFolder = false): null => {
    omissions.set(path, { path, isFolder, reason })
    return null
  }
  const keepSchema = (path: string, bytes: Uint8Array<ArrayBuffer>, kind: Kind): void => {
    const total = (kept.get(shareOf(kind)) ?? 0) + bytes.byteLength
    if (total > keptBytes) return void omit(path, 'too_large')
    kept.set(shareOf(kind), total)
    files.set(path, { path, kind, bytes })
  }
  return {
    omit,
    /** Returns the receiver of a file, or null for an omission. Folders of omissions are below `root`. */
    take(path: string, size: number, sorted: Sorted<Kind>, root = ''): EntryTaker | null {
      if ('omit' in sorted) {
        return sorted.folder === null ? omit(path, sorted.omit) : omit(root + sorted.folder, sorted.omit, true)
      }
      const { kind } = sorted
      const share = shareOf(kind)
      const total = (kept.get(share) ?? 0) + (kind === 'api' ? 0 : size)
      if (total > keptBytes) return omit(path, 'too_large')
      kept.set(share, total)
      return (bytes) => {
        const reason = bytes === null ? 'unreadable' : kind === 'api' ? specs.judge(path, bytes) : null
        // As on disk, the later of two files with one path wins.
        if (bytes && reason === null) files.set(path, { path, kind, bytes })
        else if (bytes && schemaKind !== undefined && isJsonSchema(bytes)) keepSchema(path, bytes, schemaKind)
        else omit(path, reason ?? 'unreadable')
      }
    },
    unpacked: () => ({
      kind: 'unpacked' as const,
      files: [...files.values()],
      parts: specs.parts(),
      omissions: [...omissions.values()],
    }),
  }
}

/** True for an API description, by the beginning of its text. */
export function isDescription(bytes: Uint8Array<ArrayBuffer>): boolean {
  return apiFormat(asBuffer(bytes).toString('utf8', 0, START)) !== null
}

/** True for a JSON Schema, by the beginning of its text. */
export function isJsonSchema(bytes: Uint8Array<ArrayBuffer>): boolean {
  return declaresJsonSchema(asBuffer(bytes).toString('utf8', 0, SCHEMA_START))
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Returns the parent of the description's folder, because shared parts are beside it (`v1/api.yaml`, `common/`). */
function homeOf(path: string): string {
  const folders = path.split('/').slice(0, -2)
  return folders.length === 0 ? '' : `${folders.join('/')}/`
}
