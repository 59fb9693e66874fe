import { type ApiDocument, type ApiProblem, invalid, joinParts, section } from '../api-document.ts'
import { embedText } from '../embed-text.ts'
import { describeContent, writeExample } from '../describe-schema.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from '../loose-json.ts'
import { type Lacks, sampleValue } from '../sample-value.ts'
import { writeCurl } from '../sample-request.ts'
import { splitSummary } from '../split-summary.ts'
import { writeFence } from '../write-table.ts'
import type { OpenApi } from './open-api.ts'
import { serverUrl } from './server-url.ts'
import { type Parameter, parameterTable, readParameters } from './parameters.ts'
import { responseSections } from './responses.ts'
import { buildSampleRequest } from './build-sample-request.ts'
import { securityText } from './security.ts'

export type Operation = {
  subject: 'operation' | 'webhook'
  /** Method as written in the description. */
  method: string
  path: string
  /** The path item with the shared settings of its operations. */
  item: Loose
  operation: Loose
  pointer: string
}

/** Documents one operation with everything that a caller needs. */
export function operationDocument(api: OpenApi, given: Operation, problems: ApiProblem[]): ApiDocument {
  const { subject, path, item, operation, pointer } = given
  const method = given.method.toUpperCase()
  const parameters = readParameters(api.references, [...listOf(item['parameters']), ...listOf(operation['parameters'])])
  for (const name of undeclared(path, parameters)) {
    if (subject === 'operation')
      problems.push(invalid(`#${pointer}`, `${method} ${path} does not declare the parameter "${name}" of its path.`))
  }
  const { headline, text } = splitSummary(textOf(operation['summary']) || textOf(item['summary']))
  const call = subject === 'webhook' ? `${path} webhook` : `${method} ${path}`
  const title = headline === '' ? call : `${headline}: ${call}`
  const markdown = joinParts([
    `# ${title}`,
    intro(api, given, method),
    embedText(text, 1),
    embedText(textOf(operation['description']) || textOf(item['description']), 1),
    section('Parameters', parameterTable(api.references, parameters)),
    section(
      'Request body',
      requestBody(api, operation['requestBody'], subject === 'webhook' ? 'writeOnly' : 'readOnly'),
    ),
    section('Responses', responseSections(api.references, operation['responses'])),
    section('Callbacks', callbacks(api, operation['callbacks'])),
    section('Security', securityText(api, operation)),
    subject === 'webhook' ? '' : section('Sample request', sample(api, given, parameters)),
    furtherReading(operation['externalDocs']),
  ])
  const name = subject === 'webhook' ? `${method} ${path}` : call
  return { subject: { kind: subject, name }, title, markdown, pointer }
}

function intro(api: OpenApi, { subject, path, item, operation }: Operation, method: string): string {
  const own = [operation, item].find((holder) => listOf(holder['servers']).length > 0)
  const base = own ? serverUrl(own, api.baseUrl) : api.baseUrl
  const facts = [
    subject === 'webhook'
      ? `The API sends a ${method} request to an address of yours.`
      : `\`${method} ${base}${path}\``,
    textOf(operation['operationId']) === '' ? '' : `Operation: \`${textOf(operation['operationId'])}\`.`,
    textsOf(operation['tags']).length === 0 ? '' : `Tags: ${textsOf(operation['tags']).join(', ')}.`,
    operation['deprecated'] === true ? '**Deprecated.**' : '',
  ]
  return facts.filter(Boolean).join('\n\n')
}

function undeclared(path: string, parameters: Parameter[]): string[] {
  const declared = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name))
  return [...path.matchAll(/\{([^{}/]+)\}/g)].flatMap(([, name = '']) => (declared.has(name) ? [] : [name]))
}

function requestBody(api: OpenApi, given: unknown, lacks: Lacks): string {
  const { value } = api.references.resolve(given)
  if (!isRecord(value)) return ''
  const parts = Object.entries(recordOf(value['content'])).map(([type, media]) => {
    const { schema, example, examples } = recordOf(media)
    const [named] = Object.values(recordOf(examples)).map(
      (each) => recordOf(api.references.resolve(each).value)['value'],
    )
    return joinParts([
      describeContent(api.references, type, schema),
      writeExample(example ?? named ?? (/json/.test(type) ? sampleValue(api.references, schema, lacks) : undefined)),
    ])
  })
  return joinParts([
    embedText(textOf(value['description']), 2),
    value['required'] === true ? 'Required.' : 'Optional.',
    ...parts,
  ])
}

function callbacks(api: OpenApi, given: unknown): string {
  const lines = Object.entries(recordOf(given)).flatMap(([name, callback]) =>
    Object.entries(recordOf(api.references.resolve(callback).value)).flatMap(([address, item]) =>
      Object.entries(recordOf(api.references.resolve(item).value)).flatMap(([method, operation]) => {
        if (!isRecord(operation)) return []
        const words = textOf(operation['summary']) || textOf(operation['description']).split('\n', 1)[0]
        return [`- \`${name}\`: ${method.toUpperCase()} \`${address}\`${words ? `. ${words}` : ''}`]
      }),
    ),
  )
  return lines.join('\n')
}

function sample(api: OpenApi, { method, path, item, operation }: Operation, parameters: Parameter[]): string {
  const own = [operation, item].find((holder) => listOf(holder['servers']).length > 0)
  const base = own ? serverUrl(own, api.baseUrl) : api.baseUrl
  const request = buildSampleRequest(api, { method: method.toUpperCase(), url: base + path, operation, parameters })
  return writeFence('sh', writeCurl(request))
}

function furtherReading(given: unknown): string {
  const { url, description } = recordOf(given)
  return /^https?:/.test(textOf(url)) ? `See also: [${textOf(description) || textOf(url)}](${textOf(url)})` : ''
}
