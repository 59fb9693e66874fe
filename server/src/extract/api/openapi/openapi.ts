import { upgrade } from '@scalar/openapi-upgrader'
import {
  type ApiDescription,
  type ApiDocument,
  type ApiProblem,
  invalid,
  type NoDescription,
  rejectDescription,
} from '../api-document.ts'
import { isRecord, type Loose, recordOf, textOf } from '../loose-json.ts'
import { createReferences, escapePointer } from '../references.ts'
import { schemaDocument } from '../schema-document.ts'
import type { OpenApi } from './open-api.ts'
import { operationDocument } from './operation-document.ts'
import { overviewDocument } from './overview-document.ts'
import { serverUrl } from './server-url.ts'

/** Methods of a path item, up to OpenAPI 3.2. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/**
 * Converts an OpenAPI description (2.0 to 3.2) to an overview and one document per operation, webhook and schema.
 * Reports invalid parts and documents the rest.
 */
export function readOpenApi(given: Loose, url: string): ApiDescription | NoDescription {
  const version = textOf(given['openapi']) || textOf(given['swagger'])
  // YAML reads unquoted 2.0 and 3.0 as the numbers 2 and 3.
  if (!/^(?:2(?:\.0)?|3|3\.[0-2](?:\..*)?)$/.test(version)) {
    return rejectDescription(
      'unknown_version',
      `OpenAPI ${version} is no version that can be read: 2.0 and 3.0 to 3.2 are.`,
    )
  }
  const problems: ApiProblem[] = []
  const root = toCurrent(given, version, problems)
  const references = createReferences(root)
  const api: OpenApi = { root, references, baseUrl: serverUrl(root, url) }
  const isRenamed = (key: string) => key in given && !(key in root)
  const webhooks = { section: 'webhooks', home: isRenamed('x-webhooks') ? '/x-webhooks' : '/webhooks' } as const
  const operations = [
    ...readItems(api, { section: 'paths', home: '/paths' }, problems),
    ...readItems(api, webhooks, problems),
  ]
  const home = isRenamed('definitions') ? '/definitions' : '/components/schemas'
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas'])).map(([name, schema]) =>
    schemaDocument(references, name, schema, `${home}/${escapePointer(name)}`),
  )
  if (operations.length === 0 && schemas.length === 0) {
    problems.push(invalid('#/paths', 'The description has neither operations nor schemas.'))
  }
  const overview = overviewDocument(api, `OpenAPI ${version}`, operations)
  return {
    kind: 'description',
    format: `OpenAPI ${version}`,
    title: overview.title,
    documents: [overview, ...operations, ...schemas],
    problems: [...problems, ...references.problems()],
  }
}

/** Upgrades to OpenAPI 3.1. Some broken descriptions cannot be converted and are read unchanged. */
function toCurrent(given: Loose, version: string, problems: ApiProblem[]): Loose {
  if (/^3\.[12]/.test(version)) return given
  try {
    const named =
      'swagger' in given ? { ...given, swagger: '2.0' } : { ...given, openapi: version === '3' ? '3.0.0' : version }
    return recordOf(upgrade(named, '3.1'))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    problems.push(invalid('#', `The description could not be converted from version ${version}: ${error.message}`))
    return given
  }
}

/** A section with path items. `home` is its pointer in the file, where the upgrade may have found another name. */
type ItemSection = { section: 'paths' | 'webhooks'; home: string }

function readItems(api: OpenApi, { section, home }: ItemSection, problems: ApiProblem[]): ApiDocument[] {
  const documents: ApiDocument[] = []
  for (const [path, item] of Object.entries(recordOf(api.root[section]))) {
    if (path.startsWith('x-')) continue
    const { value } = api.references.resolve(item)
    const pointer = `${home}/${escapePointer(path)}`
    if (!isRecord(value)) {
      problems.push(invalid(`#${pointer}`, `"${path}" holds no operations.`))
      continue
    }
    for (const [method, operation] of operationsOf(value)) {
      const at = `${pointer}/${method}`
      if (!isRecord(operation)) problems.push(invalid(`#${at}`, `${method.toUpperCase()} ${path} is no operation.`))
      else {
        const subject = section === 'paths' ? ('operation' as const) : ('webhook' as const)
        documents.push(operationDocument(api, { subject, method, path, item: value, operation, pointer: at }, problems))
      }
    }
  }
  return documents
}

function operationsOf(item: Loose): [method: string, operation: unknown][] {
  const usual = METHODS.filter((method) => method in item).map((method): [string, unknown] => [method, item[method]])
  return [...usual, ...Object.entries(recordOf(item['additionalOperations']))]
}
