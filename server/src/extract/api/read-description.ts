import { type ApiDescription, type NoDescription, rejectDescription } from './api-document.ts'
import { type DescriptionFiles, bundleFiles, findOutsideFiles, refersOutside } from './references.ts'
import { readAsyncApi } from './asyncapi.ts'
import { looksLikeSdl, readIntrospection, readSdl } from './read-sdl.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, parseData, apiFormat } from './parse-data.ts'
import { readPostman } from './postman.ts'
import { readOpenApi } from './openapi/openapi.ts'
import { decodeText } from '../decode.ts'
import { isGraphql } from '../repository/repository-file.ts'

/** Upper bound in characters. The largest descriptions in use have about 15 MB. */
const MAX_CHARACTERS = 32 << 20

type Given = { text: string; url: string; files?: DescriptionFiles }

/**
 * Converts an API description to documents: OpenAPI 2.0 to 3.2, AsyncAPI 2 and 3, Postman collections, GraphQL schemas
 * as SDL or as an introspection result. `url` is the source of the text, `files` are the referenced files. Fetches and
 * reads nothing else.
 */
export function readDescription({ text, url, files = {} }: Given): ApiDescription | NoDescription {
  if (text.length > MAX_CHARACTERS) {
    return rejectDescription(
      'too_complex',
      `The description is longer than ${MAX_CHARACTERS >> 20} million characters.`,
    )
  }
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text)) {
    return rejectDescription(
      'not_a_description',
      'The address leads to a web page and not to a description. Give the address of its JSON or YAML file.',
    )
  }
  if (looksLikeSdl(text)) return readSdl(text)
  const data = parseData(text)
  if (data.kind === 'rejected') return data
  const read = isRecord(data.value) ? reader(bundleFiles(data.value, url, files)) : undefined
  return read?.(url) ?? rejectDescription('not_a_description', NOT_KNOWN)
}

const NOT_KNOWN =
  'This is no description of an API that can be read: OpenAPI, Swagger, AsyncAPI, a Postman collection or a GraphQL schema.'

function reader(root: Loose): ((url: string) => ApiDescription | NoDescription) | undefined {
  if (textOf(root['openapi']) !== '' || textOf(root['swagger']) !== '') return (url) => readOpenApi(root, url)
  if (textOf(root['asyncapi']) !== '') return () => readAsyncApi(root)
  if (Array.isArray(root['errors']) && !isRecord(root['data'])) return () => refusedIntrospection(root['errors'])
  const schema = isRecord(root['data']) ? root['data']['__schema'] : root['__schema']
  if (isRecord(schema)) return () => readIntrospection(schema)
  // Postman's API wraps collections.
  const collection = isRecord(root['collection']) ? root['collection'] : root
  if (isRecord(collection['info']) && Array.isArray(collection['item'])) return () => readPostman(collection)
  return undefined
}

function refusedIntrospection(errors: unknown): NoDescription {
  const said = textOf(recordOf(listOf(errors)[0])['message']).slice(0, 200)
  return rejectDescription('not_a_description', `The GraphQL endpoint does not tell its schema. It says: "${said}"`)
}

/** A fetched file. */
export type FetchedFile = { url: string; bytes: Uint8Array; contentType: string | null }

/**
 * Reads a fetched API description, or returns the URLs of files that it refers to if `files` is null. Never throws for
 * its content.
 */
export function readDescriptionBytes({
  root,
  files,
}: {
  root: FetchedFile
  files: readonly FetchedFile[] | null
}): ApiDescription | NoDescription | { kind: 'outside'; urls: string[] } {
  const text = decodeText(root.bytes, root.contentType)
  if (text === null) {
    return rejectDescription(
      'not_a_description',
      'The description is no text in any known encoding. Give the address of a JSON or YAML file.',
    )
  }
  const { url } = root
  if (files === null && refersOutside(text)) {
    const urls = findOutsideFiles([{ text, url }])
    if (urls.length > 0) return { kind: 'outside', urls }
  }
  const texts = textsOfFiles(files ?? []).map((file) => [file.url, file.text] as const)
  return readDescription({ text, url, files: Object.fromEntries(texts) })
}

/** Returns the URLs of the files that the given ones refer to. */
export function findFilesOutside({ files }: { files: readonly FetchedFile[] }): string[] {
  return findOutsideFiles(textsOfFiles(files))
}

function textsOfFiles(files: readonly FetchedFile[]): { text: string; url: string }[] {
  return files.flatMap(({ url, bytes, contentType }) => {
    const text = decodeText(bytes, contentType)
    return text === null ? [] : [{ text, url }]
  })
}

/** A file by its path from the root of the repository or archive. */
type File = { path: string; bytes: Uint8Array }

type LocalDescription = {
  read: ApiDescription | NoDescription
  /** True if the file is text in a known encoding. */
  isText: boolean
  /** Paths of the other files that it refers to. */
  parts: string[]
}

/** Same limit as for fetched descriptions. */
const MAX_FILES = 300

/** Reads a local description with the files that it refers to. Leaves relative server URLs unchanged. */
export function readLocalDescription({ bytes, path, others }: File & { others: readonly File[] }): LocalDescription {
  const text = decodeText(bytes, null)
  if (text === null) return { read: rejectDescription('malformed', 'It is no text.'), isText: false, parts: [] }
  if (isGraphql(path) && apiFormat(text) !== 'GraphQL') {
    return { read: rejectDescription('not_a_description', 'It defines no queries.'), isText: true, parts: [] }
  }
  const byUrl = new Map(others.map((other) => [localUrl(other.path), other]))
  const files: Record<string, string> = {}
  const parts: string[] = []
  for (let round = [{ text, url: localUrl(path) }]; round.length > 0 && parts.length < MAX_FILES;) {
    const found = findOutsideFiles(round)
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
