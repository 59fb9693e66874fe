import { type ApiDescription, type NoDescription, rejectDescription } from './api-document.ts'
import { bundleFiles, type FileText, findOutsideFiles, refersOutside } from './references.ts'
import { readAsyncApi } from './asyncapi.ts'
import { looksLikeSdl, readIntrospection, readSdl } from './read-sdl.ts'
import { isRecord, type Loose, recordOf, textOf, parseData, apiFormat } from './parse-data.ts'
import { readPostman } from './postman.ts'
import { readOpenApi } from './openapi/openapi.ts'
import { decodeText } from '../decode.ts'
import { isGraphql } from '../repository/repository-file.ts'

/** Upper bound in characters. The largest descriptions in use have about 15 MB. */
const MAX_CHARACTERS = 32 << 20

type Given = { text: string; url: string; textAt?: FileText }

/**
 * Converts an API description to documents: OpenAPI 2.0 to 3.2, AsyncAPI 2 and 3, Postman collections, GraphQL schemas
 * as SDL or as an introspection result. `url` is the source of the text, `textAt` gives referenced files.
 */
export function readDescription({ text, url, textAt }: Given): ApiDescription | NoDescription {
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
  const root = recordOf(data.value)
  return readData(textAt && refersOutside(text) ? bundleFiles(root, url, textAt) : root, url)
}

const NOT_KNOWN =
  'This is no description of an API that can be read: OpenAPI, Swagger, AsyncAPI, a Postman collection or a GraphQL schema.'

function readData(root: Loose, url: string): ApiDescription | NoDescription {
  if (textOf(root['openapi']) !== '' || textOf(root['swagger']) !== '') return readOpenApi(root, url)
  if (textOf(root['asyncapi']) !== '') return readAsyncApi(root)
  if (Array.isArray(root['errors']) && !isRecord(root['data'])) return refusedIntrospection(root['errors'])
  const schema = isRecord(root['data']) ? root['data']['__schema'] : root['__schema']
  if (isRecord(schema)) return readIntrospection(schema)
  // Postman's API wraps collections.
  const collection = isRecord(root['collection']) ? root['collection'] : root
  const isCollection = isRecord(collection['info']) && Array.isArray(collection['item'])
  return isCollection ? readPostman(collection) : rejectDescription('not_a_description', NOT_KNOWN)
}

function refusedIntrospection(errors: unknown[]): NoDescription {
  const said = textOf(recordOf(errors[0])['message']).slice(0, 200)
  return rejectDescription('not_a_description', `The GraphQL endpoint does not tell its schema. It says: "${said}"`)
}

export type FetchedFile = { url: string; bytes: Uint8Array; contentType: string | null }

/** Reads a fetched description, or lists its references if `files` is null. Never throws for its content. */
export function readDescriptionBytes(given: {
  root: FetchedFile
  files: readonly FetchedFile[] | null
}): ApiDescription | NoDescription | { kind: 'outside'; urls: string[] } {
  const { root, files } = given
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
  const texts = new Map(textsOfFiles(files ?? []).map((file) => [file.url, file.text]))
  return readDescription({ text, url, textAt: (address) => texts.get(address) ?? null })
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

type File = { path: string; bytes: Uint8Array }

type LocalDescription = {
  /** Null for a file that is no text in a known encoding. */
  read: ApiDescription | NoDescription | null
  parts: string[]
}

/** Reads a local description with the files that it refers to. Leaves relative server URLs unchanged. */
export function readLocalDescription({ bytes, path, others }: File & { others: readonly File[] }): LocalDescription {
  const text = decodeText(bytes, null)
  const parts: string[] = []
  if (text === null) return { read: null, parts }
  if (isGraphql(path) && apiFormat(text) !== 'GraphQL') {
    return { read: rejectDescription('not_a_description', 'It defines no queries.'), parts }
  }
  const byUrl = new Map(others.map((other) => [localUrl(other.path), other]))
  const textAt = (url: string) => {
    const file = byUrl.get(url)
    const content = file ? decodeText(file.bytes, null) : null
    if (file && content !== null) parts.push(file.path)
    return content
  }
  return { read: readDescription({ text, url: localUrl(path), textAt }), parts }
}

/** Base URL for references, which must not point to a real host. */
const localUrl = (path: string) => `file:///${path.split('/').map(encodeURIComponent).join('/')}`
