import { upgrade } from '@scalar/openapi-upgrader'
import { embedText, joinParts, section, writeTable } from '../../markdown/write-markdown.ts'
import {
  type ApiDescription,
  type ApiDocument,
  type ApiProblem,
  describeApi,
  invalid,
  type NoDescription,
  rejectDescription,
} from '../api-document.ts'
import { isRecord, type Loose, recordOf, textOf, listOf, textsOf } from '../parse-data.ts'
import { createReferences, escapePointer, type References } from '../references.ts'
import { schemaDocuments } from '../describe-schema.ts'
import { operationDocument } from './operation-document.ts'
import { serverUrl, describeScheme } from './operation-parts.ts'

/** Methods of a path item, up to OpenAPI 3.2. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** An OpenAPI description with shared data for all documents. */
export type OpenApi = {
  root: Loose
  references: References
  /** Default base URL for requests, without trailing slash. */
  baseUrl: string
}

/** Converts an OpenAPI description (2.0 to 3.2) to documents. Reports invalid parts and documents the rest. */
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
  const operations = [
    ...readItems(api, { section: 'paths', home: '/paths' }, problems),
    ...readItems(api, { section: 'webhooks', home: isRenamed('x-webhooks') ? '/x-webhooks' : '/webhooks' }, problems),
  ]
  const schemas = schemaDocuments(references, root, isRenamed('definitions') ? '/definitions' : '/components/schemas')
  if (operations.length === 0 && schemas.length === 0) {
    problems.push(invalid('#/paths', 'The description has neither operations nor schemas.'))
  }
  const format = `OpenAPI ${version}`
  const overview = overviewDocument(api, format, operations)
  return describeApi(format, overview, [...operations, ...schemas], [...problems, ...references.problems()])
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
  const subject = section === 'paths' ? ('operation' as const) : ('webhook' as const)
  for (const [path, item] of Object.entries(recordOf(api.root[section]))) {
    if (path.startsWith('x-')) continue
    const { value } = api.references.resolve(item)
    const pointer = `${home}/${escapePointer(path)}`
    if (!isRecord(value)) {
      problems.push(invalid(`#${pointer}`, `"${path}" holds no operations.`))
      continue
    }
    for (const [method, operation] of operationsOf(value)) {
      const place = { subject, method, path, item: value, pointer: `${pointer}/${method}` }
      if (isRecord(operation)) documents.push(operationDocument(api, { ...place, operation }))
      else problems.push(invalid(`#${place.pointer}`, `${method.toUpperCase()} ${path} is no operation.`))
    }
  }
  return documents
}

function operationsOf(item: Loose): [method: string, operation: unknown][] {
  const usual = METHODS.filter((method) => method in item).map((method): [string, unknown] => [method, item[method]])
  return [...usual, ...Object.entries(recordOf(item['additionalOperations']))]
}

function overviewDocument({ root, references }: OpenApi, format: string, operations: ApiDocument[]) {
  const info = recordOf(root['info'])
  const title = textOf(info['title']) || 'API'
  const schemes = Object.entries(recordOf(recordOf(root['components'])['securitySchemes'])).map(([name, scheme]) =>
    describeScheme(name, references.record(scheme)),
  )
  const markdown = joinParts([
    `# ${title}`,
    [textOf(info['version']) && `Version ${textOf(info['version'])}`, format].filter(Boolean).join(', ') + '.',
    textOf(info['summary']),
    embedText(textOf(info['description']), 1),
    section('Servers', servers(root['servers'])),
    section('Authentication', joinParts(schemes)),
    section('Tags', tags(root['tags'])),
    section('Operations', list(operations, 'operation')),
    section('Webhooks', list(operations, 'webhook')),
    section('Contact and terms', contact(info)),
  ])
  return { title, markdown }
}

function servers(given: unknown): string {
  const rows = listOf(given)
    .filter(isRecord)
    .map(({ url, description, variables }) => {
      const names = Object.entries(recordOf(variables)).map(([name, each]) => {
        const { enum: choices, default: usual } = recordOf(each)
        const values = listOf(choices).map(textOf)
        return `\`${name}\`: ${values.length > 0 ? `one of ${values.join(', ')}; ` : ''}default ${textOf(usual)}`
      })
      return [`\`${textOf(url)}\``, textOf(description), names.join('. ')]
    })
  return writeTable(['URL', 'Description', 'Variables'], rows)
}

function tags(given: unknown): string {
  const lines = listOf(given)
    .filter(isRecord)
    .filter(({ description }) => textOf(description) !== '')
    .map(({ name, description }) => `- **${textOf(name)}**: ${textOf(description).replace(/\s+/g, ' ')}`)
  return lines.join('\n')
}

function list(documents: ApiDocument[], kind: 'operation' | 'webhook'): string {
  const own = documents.filter(({ subject }) => subject?.kind === kind)
  // The line starts with the call, so leave it out of the title.
  const summary = (title: string) => title.replace(/: (?:[A-Z]+ \/\S*|\S+ webhook)$/, '')
  return own.map(({ subject, title }) => `- \`${subject?.name ?? ''}\`: ${summary(title)}`).join('\n')
}

function contact(info: Loose): string {
  const { name, url, email } = recordOf(info['contact'])
  const license = recordOf(info['license'])
  const lines = [
    ['Contact', textsOf([name, url, email]).join(', ')],
    ['Licence', textsOf([license['name'], license['url']]).join(', ')],
    ['Terms of service', textOf(info['termsOfService'])],
  ]
  return lines.flatMap(([label, value]) => (value ? [`- ${label}: ${value}`] : [])).join('\n')
}
