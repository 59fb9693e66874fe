import { cellText, embedText, joinParts, writeTable } from '../../markdown/write-markdown.ts'
import { isRecord, type Loose, recordOf, textOf, listOf, textsOf } from '../parse-data.ts'
import type { References } from '../references.ts'
import { describe, schemaType } from '../schema-fields.ts'
import { describeContent, writeExample } from '../describe-schema.ts'
import { type Lacks, sampleValue } from '../sample-value.ts'
import type { OpenApi } from './openapi.ts'

export type Parameter = {
  name: string
  /** `path`, `query`, `header`, `cookie` or `querystring`. */
  place: string
  required: boolean
  description: string
  schema: unknown
  example: unknown
}

const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/** Reads parameters in order. Those of the operation follow those of the path item, and override them. */
export function readParameters(references: References, given: unknown[]): Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const each of given) {
    const value = references.record(each)
    const name = textOf(value['name'])
    const place = textOf(value['in'])
    if (!PLACES.has(place) || name === '') continue
    const [media] = Object.values(recordOf(value['content']))
    const schema = value['schema'] ?? recordOf(media)['schema']
    const example = givenExample(references, value)
    const deprecated = value['deprecated'] === true ? 'Deprecated.' : ''
    const { description: _, ...facts } = references.record(schema)
    const description = [cellText(textOf(value['description'])), deprecated, describe(facts)].filter(Boolean).join(' ')
    const required = place === 'path' || value['required'] === true
    parameters.set(`${place} ${name}`, { name, place, required, description, schema, example })
  }
  return [...parameters.values()]
}

/** Returns the example of a parameter or a media type, or the first of its named examples. */
export function givenExample(references: References, { example, examples }: Loose): unknown {
  const [named] = Object.values(recordOf(examples)).map((each) => references.record(each)['value'])
  return example ?? named
}

export function parameterTable(references: References, parameters: Parameter[]): string {
  const rows = parameters.map(({ name, place, required, description, schema }) => [
    `\`${name}\``,
    place,
    schema === undefined ? '' : schemaType(references, schema),
    required ? 'yes' : '',
    description,
  ])
  return writeTable(['Name', 'In', 'Type', 'Required', 'Description'], rows)
}

/** Renders each response as a section: meaning, headers, fields and an example. */
export function responseSections(references: References, given: unknown): string {
  const sections = Object.entries(recordOf(given)).flatMap(([status, each]) => {
    if (status.startsWith('x-')) return []
    const response = references.record(each)
    const description = textOf(response['description'])
    const [first = '', ...rest] = description.split('\n')
    const isShort = first.length <= 80 && first !== ''
    return joinParts([
      `### ${nameOf(status)}${isShort ? `: ${first}` : ''}`,
      embedText(isShort ? rest.join('\n') : description, 3),
      headerTable(references, response['headers']),
      contentText(references, response['content'], 'writeOnly'),
      linkLines(response['links']),
    ])
  })
  return joinParts(sections)
}

function nameOf(status: string): string {
  if (status === 'default') return 'Any other status'
  return /^[1-5]xx$/i.test(status) ? `${status.charAt(0)}xx` : status
}

/** Renders the fields and an example of each media type. */
export function contentText(references: References, given: unknown, lacks: Lacks): string {
  const parts = Object.entries(recordOf(given)).flatMap(([type, each]) => {
    const media = recordOf(each)
    const schema = media['schema'] ?? media['itemSchema']
    const sample =
      givenExample(references, media) ?? (/json/.test(type) ? sampleValue(references, schema, lacks) : undefined)
    return [describeContent(references, type, schema), writeExample(sample)]
  })
  return joinParts(parts)
}

function headerTable(references: References, given: unknown): string {
  const rows = Object.entries(recordOf(given)).map(([name, each]) => {
    const { schema, description } = references.record(each)
    return [`\`${name}\``, schema === undefined ? '' : schemaType(references, schema), cellText(textOf(description))]
  })
  return writeTable(['Header', 'Type', 'Description'], rows)
}

function linkLines(given: unknown): string {
  const lines = Object.entries(recordOf(given)).map(([name, each]) => {
    const link = recordOf(each)
    const to = textOf(link['operationId']) || textOf(link['operationRef'])
    const description = textOf(link['description'])
    return `- Link \`${name}\`${to && ` to \`${to}\``}${description && `: ${description}`}`
  })
  return lines.join('\n')
}

/** Describes the accepted credentials of an operation, or that it needs none. Empty if the description does not say. */
export function securityText({ root, references }: OpenApi, operation: Loose): string {
  const given = operation['security'] ?? root['security']
  if (!Array.isArray(given)) return ''
  const schemes = recordOf(recordOf(root['components'])['securitySchemes'])
  const lines = given.filter(isRecord).map((way) => {
    const parts = Object.entries(way).map(([name, scopes]) => {
      const needs = textsOf(scopes).map((scope) => `\`${scope}\``)
      return `${schemeText(name, references.record(schemes[name]))}${needs.length === 0 ? '' : `, scopes ${needs.join(', ')}`}`
    })
    return `- ${parts.join(' and ') || 'without credentials'}`
  })
  if (lines.length === 0) return 'No credentials are needed.'
  return lines.length === 1 ? (lines[0] ?? '').slice(2) : joinParts(['One of:', lines.join('\n')])
}

/** Describes a scheme on one line, such as `bearerAuth: header "Authorization: Bearer …" (JWT)`. */
function schemeText(name: string, scheme: Loose): string {
  const header = sentHeader(scheme)
  const format = textOf(scheme['bearerFormat'])
  const type = textOf(scheme['type'])
  if (header) return `\`${name}\`: header \`${header.join(': ')}\`${format && ` (${format})`}`
  if (type === 'apiKey') return `\`${name}\`: key in ${textOf(scheme['in'])} \`${textOf(scheme['name'])}\``
  const discovery = textOf(scheme['openIdConnectUrl'])
  return `\`${name}\`${type && `: ${type}`}${discovery && ` (${discovery})`}`
}

/** Returns the header for the credential, with a placeholder value, or null. */
export function sentHeader(scheme: Loose): [name: string, value: string] | null {
  const type = textOf(scheme['type'])
  if (type === 'apiKey') return textOf(scheme['in']) === 'header' ? [textOf(scheme['name']), 'YOUR_API_KEY'] : null
  if (type === 'http') {
    const kind = textOf(scheme['scheme']).toLowerCase()
    if (kind === 'basic') return ['Authorization', 'Basic YOUR_CREDENTIALS']
    return ['Authorization', `${kind === 'bearer' || kind === '' ? 'Bearer' : kind} YOUR_TOKEN`]
  }
  return type === 'oauth2' || type === 'openIdConnect' ? ['Authorization', 'Bearer YOUR_TOKEN'] : null
}

/** Describes a scheme with its description, flows and scopes, for the overview. */
export function describeScheme(name: string, scheme: Loose): string {
  const flows = Object.entries(recordOf(scheme['flows'])).map(([flow, each]) => {
    const { authorizationUrl, tokenUrl, scopes } = recordOf(each)
    const addresses = textsOf([authorizationUrl, tokenUrl]).join(', ')
    const lines = Object.entries(recordOf(scopes)).map(([scope, meaning]) => `- \`${scope}\`: ${textOf(meaning)}`)
    return joinParts([`Flow ${flow}${addresses === '' ? '' : `: ${addresses}`}`, lines.join('\n')])
  })
  return joinParts([schemeText(name, scheme), embedText(textOf(scheme['description']), 3), ...flows])
}

/** Returns the URL of the first server, with defaults for its variables. Relative for a description from a file. */
export function serverUrl(holder: Loose, base: string): string {
  const [server] = listOf(holder['servers'])
  const { url, variables } = recordOf(server)
  const filled = textOf(url).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    return textOf(recordOf(recordOf(variables)[name])['default']) || whole
  })
  const absolute = base.startsWith('file:') ? null : URL.parse(filled || '/', base)
  // URL parsing would encode the braces of variables without a value.
  if (absolute === null || /^[a-z][a-z+.-]*:\/\//i.test(filled)) return filled.replace(/(?<!\/)\/+$/, '')
  return absolute.href.replace(/(?<!\/)\/+$/, '')
}
