import type { ApiDescription, NoDescription } from './api-document.ts'
import { findOutsideFiles } from './bundle-files.ts'
import { readDescription } from './read-description.ts'

type Given = {
  text: string
  /** From the root of what it is part of. */
  path: string
  /** What it may refer to, by path. */
  others: Readonly<Record<string, string>>
}

export type LocalDescription = {
  read: ApiDescription | NoDescription
  /** Paths of the others that belong to it. */
  parts: string[]
}

/** As many as of a description that is fetched. */
const MAX_FILES = 300

/** Reads a description that is a file among others. Relative addresses of servers stay as they are. */
export function readLocalDescription({ text, path, others }: Given): LocalDescription {
  const byUrl = new Map(Object.entries(others).map(([other, content]) => [localUrl(other), { other, content }]))
  const files: Record<string, string> = {}
  const parts: string[] = []
  for (let round = [{ text, url: localUrl(path) }]; round.length > 0 && parts.length < MAX_FILES;) {
    const found = findOutsideFiles({ parts: round })
    round = []
    for (const url of found) {
      const file = byUrl.get(url)
      if (!file || Object.hasOwn(files, url) || parts.length >= MAX_FILES) continue
      files[url] = file.content
      parts.push(file.other)
      round.push({ text: file.content, url })
    }
  }
  return { read: readDescription({ text, url: localUrl(path), files }), parts }
}

/** An address that references resolve against, and that leads nowhere. */
const localUrl = (path: string) => `file:///${path.split('/').map(encodeURIComponent).join('/')}`
