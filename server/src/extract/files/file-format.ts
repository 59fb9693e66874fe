import { mediaType } from '../decode.ts'
import type { PageInput } from '../extracted-page.ts'
import { type FileFormat, formatOf, formatOfType } from '../repository/repository-file.ts'

/** Types that servers send for files that they do not know. Then the ending of the address decides. */
const UNSPECIFIC =
  /^(?:|(?:application|binary)\/octet-stream|application\/(?:x-)?zip(?:-compressed)?|application\/json|text\/plain)$/

/** Returns the format of a fetched file, or null for a page. */
export function fileFormat({ url, contentType }: Pick<PageInput, 'url' | 'contentType'>): FileFormat | null {
  const type = mediaType(contentType)
  if (UNSPECIFIC.test(type)) return formatOf(URL.parse(url)?.pathname ?? '')
  return formatOfType(type)
}
