import { isRecord, listOf, type Loose, recordOf, textOf } from '../loose-json.ts'
import { sampleValue } from '../sample-value.ts'
import type { SampleRequest } from '../sample-request.ts'
import type { OpenApi } from './open-api.ts'
import type { Parameter } from './parameters.ts'
import { sentHeader } from './security.ts'

type Call = { method: string; url: string; operation: Loose; parameters: Parameter[] }

/** Builds a sample request with the required parameters, from the operation's examples if it has any. */
export function buildSampleRequest(api: OpenApi, { method, url, operation, parameters }: Call): SampleRequest {
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
  if (body?.type !== undefined && body.content.kind === 'text') headers.push(['Content-Type', body.type])
  const joined = query.length === 0 ? '' : `${address.includes('?') ? '&' : '?'}${query.join('&')}`
  return { method, url: address + joined, headers, body: body?.content ?? null }
}

/** Returns headers for the first authentication option. Adds a key in the query to `query`. */
function credentials({ root, references }: OpenApi, operation: Loose, query: string[]): [string, string][] {
  const [way] = listOf(operation['security'] ?? root['security'])
  const schemes = recordOf(recordOf(root['components'])['securitySchemes'])
  return Object.keys(recordOf(way)).flatMap((name) => {
    const scheme = recordOf(references.resolve(schemes[name]).value)
    if (textOf(scheme['type']) === 'apiKey' && textOf(scheme['in']) === 'query') {
      query.push(`${encodeURIComponent(textOf(scheme['name']))}=YOUR_API_KEY`)
    }
    const header = sentHeader(scheme)
    return header === null ? [] : [header]
  })
}

type Body = { type: string; content: NonNullable<SampleRequest['body']> }

function sampleBody({ references }: OpenApi, given: unknown): Body | null {
  const content = Object.entries(recordOf(recordOf(references.resolve(given).value)['content']))
  const [type, media] = content.find(([name]) => /json/i.test(name)) ?? content[0] ?? []
  if (type === undefined) return null
  const { schema, example, examples } = recordOf(media)
  const [named] = Object.values(recordOf(examples)).map((each) => recordOf(references.resolve(each).value)['value'])
  const value = example ?? named ?? sampleValue(references, schema, 'readOnly')
  if (value === undefined) return null
  if (/multipart\/form-data/i.test(type) && isRecord(value)) {
    const fields = Object.entries(value).map(([name, each]): [string, string] => [name, valueText(each)])
    return { type, content: { kind: 'form', fields } }
  }
  if (/x-www-form-urlencoded/i.test(type) && isRecord(value)) {
    const pairs = Object.entries(value).map(([name, each]): [string, string] => [name, valueText(each)])
    return { type, content: { kind: 'text', text: new URLSearchParams(pairs).toString() } }
  }
  return { type, content: { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) } }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',')
  return isRecord(value) ? JSON.stringify(value) : textOf(value)
}
