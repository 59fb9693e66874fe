import { decodeText } from '../decode.ts'
import { type ApiDescription, type NoDescription, rejectDescription } from './api-document.ts'
import { findOutsideFiles } from './bundle-files.ts'
import { readDescription } from './read-description.ts'
import { refersOutside } from './refers-outside.ts'

/** A fetched file. */
export type FetchedFile = { url: string; bytes: Uint8Array; contentType: string | null }

type Given = {
  root: FetchedFile
  /** Referenced files, or null if they are not known yet. */
  files: readonly FetchedFile[] | null
}

/** URLs of files to fetch before reading. */
type Outside = { kind: 'outside'; urls: string[] }

/**
 * Reads an API description from fetched bytes, or returns the URLs of the files that it refers to. Never throws because
 * of their content.
 */
export function readDescriptionBytes({ root, files }: Given): ApiDescription | NoDescription | Outside {
  const text = textOf(root)
  if (text === null) {
    return rejectDescription(
      'not_a_description',
      'The description is no text in any known encoding. Give the address of a JSON or YAML file.',
    )
  }
  const { url } = root
  if (files === null && refersOutside(text)) {
    const urls = findOutsideFiles({ parts: [{ text, url }] })
    if (urls.length > 0) return { kind: 'outside', urls }
  }
  const texts = (files ?? []).flatMap((file) => {
    const content = textOf(file)
    return content === null ? [] : [[file.url, content] as const]
  })
  return readDescription({ text, url, files: Object.fromEntries(texts) })
}

/** Returns the URLs of the files that the given ones refer to. */
export function findFilesOutside({ files }: { files: readonly FetchedFile[] }): string[] {
  const parts = files.flatMap((file) => {
    const text = textOf(file)
    return text === null ? [] : [{ text, url: file.url }]
  })
  return findOutsideFiles({ parts })
}

const textOf = ({ bytes, contentType }: FetchedFile): string | null => decodeText(bytes, contentType)
