import { embedText, fenced, joinParts, section } from '../../markdown/write-markdown.ts'
import { type ApiDocument, splitSummary } from '../api-document.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from '../parse-data.ts'
import { type Lacks, sampleValue, writeCurl, type SampleRequest } from '../sample-value.ts'
import type { OpenApi } from './openapi.ts'
import {
  contentText,
  givenExample,
  serverUrl,
  type Parameter,
  parameterTable,
  readParameters,
  responseSections,
  securityText,
  sentHeader,
} from './operation-parts.ts'

type Operation = {
  subject: 'operation' | 'webhook'
  method: string
  path: string
  item: Loose
  operation: Loose
  pointer: string
}

/** Documents one operation with everything that a caller needs. */
export function operationDocument(api: OpenApi, given: Operation): ApiDocument {
  const { subject, path, item, operation, pointer } = given
  const isWebhook = subject === 'webhook'
  const method = given.method.toUpperCase()
  const parameters = readParameters(api.references, [...listOf(item['parameters']), ...listOf(operation['parameters'])])
  const { headline, text } = splitSummary(textOf(operation['summary']) || textOf(item['summary']))
  const call = isWebhook ? `${path} webhook` : `${method} ${path}`
  const title = headline === '' ? call : `${headline}: ${call}`
  const own = [operation, item].find((holder) => listOf(holder['servers']).length > 0)
  const url = (own ? serverUrl(own, api.baseUrl) : api.baseUrl) + path
  const request = sampleRequest(api, { method, url, operation, parameters })
  const markdown = joinParts([
    `# ${title}`,
    intro(given, method, url),
    embedText(text, 1),
    embedText(textOf(operation['description']) || textOf(item['description']), 1),
    section(
      'Parameters',
      joinParts([parameterTable(api.references, parameters), isWebhook ? '' : note(path, parameters)]),
    ),
    section('Request body', requestBody(api, operation['requestBody'], isWebhook ? 'writeOnly' : 'readOnly')),
    section('Responses', responseSections(api.references, operation['responses'])),
    section('Callbacks', callbacks(api, operation['callbacks'])),
    section('Security', securityText(api, operation)),
    isWebhook ? '' : section('Sample request', fenced(writeCurl(request), 'sh')),
    furtherReading(operation['externalDocs']),
  ])
  return { subject: { kind: subject, name: `${method} ${path}` }, title, markdown, pointer }
}

function intro({ subject, operation }: Operation, method: string, url: string): string {
  const id = textOf(operation['operationId'])
  const tags = textsOf(operation['tags']).join(', ')
  return joinParts([
    subject === 'webhook' ? `The API sends a ${method} request to an address of yours.` : `\`${method} ${url}\``,
    id && `Operation: \`${id}\`.`,
    tags && `Tags: ${tags}.`,
    operation['deprecated'] === true ? '**Deprecated.**' : '',
  ])
}

/** Names the parameters of the path that the operation does not declare. Many descriptions lack some. */
function note(path: string, parameters: Parameter[]): string {
  const declared = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name))
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].flatMap(([, name = '']) => (declared.has(name) ? [] : [name]))
  const list = names.map((name) => `\`${name}\``).join(', ')
  return names.length === 0 ? '' : `Note: the path has ${list}, which the description does not declare.`
}

function requestBody(api: OpenApi, given: unknown, lacks: Lacks): string {
  const { value } = api.references.resolve(given)
  if (!isRecord(value)) return ''
  return joinParts([
    embedText(textOf(value['description']), 2),
    value['required'] === true ? 'Required.' : 'Optional.',
    contentText(api.references, value['content'], lacks),
  ])
}

function callbacks(api: OpenApi, given: unknown): string {
  const lines = Object.entries(recordOf(given)).flatMap(([name, callback]) =>
    Object.entries(api.references.record(callback)).flatMap(([address, item]) =>
      Object.entries(api.references.record(item)).flatMap(([method, operation]) => {
        if (!isRecord(operation)) return []
        const words = textOf(operation['summary']) || textOf(operation['description']).split('\n', 1)[0]
        return [`- \`${name}\`: ${method.toUpperCase()} \`${address}\`${words ? `. ${words}` : ''}`]
      }),
    ),
  )
  return lines.join('\n')
}

function furtherReading(given: unknown): string {
  const { url, description } = recordOf(given)
  return /^https?:/.test(textOf(url)) ? `See also: [${textOf(description) || textOf(url)}](${textOf(url)})` : ''
}

type Call = { method: string; url: string; operation: Loose; parameters: Parameter[] }

/** Builds a sample request with the required parameters, from the operation's examples if it has any. */
function sampleRequest(api: OpenApi, { method, url, operation, parameters }: Call): SampleRequest {
  const valueOf = ({ example, schema, name }: Parameter) =>
    valueText(example ?? sampleValue(api.references, schema)) || name
  let address = url
  const query: string[] = []
  const headers: [string, string][] = []
  for (const parameter of parameters) {
    const { name, place, required } = parameter
    if (place === 'path') address = address.replaceAll(`{${name}}`, encodeURIComponent(valueOf(parameter)))
    if (!required) continue
    if (place === 'query') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(valueOf(parameter))}`)
    if (place === 'header') headers.push([name, valueOf(parameter)])
  }
  headers.push(...credentials(api, operation, query))
  const body = sampleBody(api, operation['requestBody'])
  if (typeof body?.content === 'string') headers.push(['Content-Type', body.type])
  const joined = query.length === 0 ? '' : `${address.includes('?') ? '&' : '?'}${query.join('&')}`
  return { method, url: address + joined, headers, body: body?.content ?? null }
}

/** Returns headers for the first authentication option. Adds a key in the query to `query`. */
function credentials({ root, references }: OpenApi, operation: Loose, query: string[]): [string, string][] {
  const [way] = listOf(operation['security'] ?? root['security'])
  const schemes = recordOf(recordOf(root['components'])['securitySchemes'])
  return Object.keys(recordOf(way)).flatMap((name) => {
    const scheme = references.record(schemes[name])
    if (textOf(scheme['type']) === 'apiKey' && textOf(scheme['in']) === 'query') {
      query.push(`${encodeURIComponent(textOf(scheme['name']))}=YOUR_API_KEY`)
    }
    const header = sentHeader(scheme)
    return header === null ? [] : [header]
  })
}

type Body = { type: string; content: NonNullable<SampleRequest['body']> }

function sampleBody({ references }: OpenApi, given: unknown): Body | null {
  const content = Object.entries(recordOf(references.record(given)['content']))
  const [type, media] = content.find(([name]) => /json/i.test(name)) ?? content[0] ?? []
  if (type === undefined) return null
  const value =
    givenExample(references, recordOf(media)) ?? sampleValue(references, recordOf(media)['schema'], 'readOnly')
  if (value === undefined) return null
  const fields = Object.entries(recordOf(value)).map(([name, each]): [string, string] => [name, valueText(each)])
  if (/multipart\/form-data/i.test(type) && isRecord(value)) return { type, content: fields }
  if (/x-www-form-urlencoded/i.test(type) && isRecord(value)) {
    return { type, content: new URLSearchParams(fields).toString() }
  }
  return { type, content: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',')
  return isRecord(value) ? JSON.stringify(value) : textOf(value)
}
