import { mediaType } from '../decode.ts'
import type { PageInput } from '../extracted-page.ts'
import { type FileFormat, formatOf, formatOfType } from '../repository/repository-file.ts'

/** Types that servers send for files that they do not know. Then the ending of the address decides. */
const UNSPECIFIC =
  /^(?:|(?:application|binary)\/octet-stream|application\/(?:x-)?zip(?:-compressed)?|application\/json|text\/plain)$/

/** Entries of zip archives, each of one format only. */
const ENTRIES: readonly (readonly [string, FileFormat])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'odt'],
  ['mimetypeapplication/epub+zip', 'epub'],
]
/** Room for the first entry of an archive, and for its list of entries: about a thousand. */
const [HEAD, LIST] = [200, 1 << 16]

/** Returns the format of a fetched file, or null for a page. Some servers send files as `text/html`, or without a name. */
export function fileFormat({ url, contentType, bytes }: Pick<PageInput, 'url' | 'contentType' | 'bytes'>) {
  const type = mediaType(contentType)
  const named = UNSPECIFIC.test(type) ? formatOf(URL.parse(url)?.pathname ?? '') : formatOfType(type)
  return named ?? zipFormat(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

function zipFormat(bytes: Buffer): FileFormat | null {
  if (bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') return null
  const text = bytes.toString('latin1', 0, HEAD) + bytes.toString('latin1', Math.max(0, bytes.length - LIST))
  return ENTRIES.find(([entry]) => text.includes(entry))?.[1] ?? null
}
