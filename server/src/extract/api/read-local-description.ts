import { apiFormat } from './api-format.ts'
import { decodeText } from '../decode.ts'
import { isGraphql } from '../repository/schema-document.ts'
import { type ApiDescription, type NoDescription, rejectDescription } from './api-document.ts'
import { findOutsideFiles } from './bundle-files.ts'
import { readDescription } from './read-description.ts'

type File = {
  /** Path from the root of the repository or archive. */
  path: string
  bytes: Uint8Array
}

export type LocalDescriptionInput = File & {
  /** Files that it may refer to. */
  others: readonly File[]
}

export type LocalDescription = {
  read: ApiDescription | NoDescription
  /** True if the file is text in a known encoding. */
  isText: boolean
  /** Paths of the other files that it refers to. */
  parts: string[]
}

/** Same limit as for fetched descriptions. */
const MAX_FILES = 300

/** Reads a local description with the files that it refers to. Leaves relative server URLs unchanged. */
export function readLocalDescription({ bytes, path, others }: LocalDescriptionInput): LocalDescription {
  const text = decodeText(bytes, null)
  if (text === null) return { read: rejectDescription('malformed', 'It is no text.'), isText: false, parts: [] }
  if (isGraphql(path) && apiFormat(text) !== 'GraphQL') {
    return { read: rejectDescription('not_a_description', 'It defines no queries.'), isText: true, parts: [] }
  }
  const byUrl = new Map(others.map((other) => [localUrl(other.path), other]))
  const files: Record<string, string> = {}
  const parts: string[] = []
  for (let round = [{ text, url: localUrl(path) }]; round.length > 0 && parts.length < MAX_FILES;) {
    const found = findOutsideFiles({ parts: round })
    round = []
    for (const url of found) {
      const file = byUrl.get(url)
      if (!file || Object.hasOwn(files, url) || parts.length >= MAX_FILES) continue
      const content = decodeText(file.bytes, null)
      if (content === null) continue
      files[url] = content
      parts.push(file.path)
      round.push({ text: content, url })
    }
  }
  return { read: readDescription({ text, url: localUrl(path), files }), isText: true, parts }
}

/** Base URL for references, which must not point to a real host. */
const localUrl = (path: string) => `file:///${path.split('/').map(encodeURIComponent).join('/')}`
