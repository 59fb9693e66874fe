import { type ApiDescription, type NoDescription, rejectDescription } from './api-document.ts'
import { type DescriptionFiles, bundleFiles } from './bundle-files.ts'
import { readAsyncApi } from './asyncapi/asyncapi.ts'
import { introspectionToSdl } from './graphql/introspection-to-sdl.ts'
import { looksLikeSdl, readSdl } from './graphql/read-sdl.ts'
import { isRecord, listOf, type Loose, recordOf, textOf } from './loose-json.ts'
import { parseData } from './parse-data.ts'
import { readPostman } from './postman.ts'
import { readOpenApi } from './openapi/openapi.ts'

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

function readIntrospection(schema: Loose): ApiDescription | NoDescription {
  const sdl = introspectionToSdl(schema)
  return typeof sdl === 'string' ? readSdl(sdl) : sdl
}
