import { isRecord, type Loose, recordOf, textOf, listOf, textsOf } from '../parse-data.ts'
import type { References } from '../references.ts'
import { describe, schemaType } from '../schema-fields.ts'
import { cellText, joinParts, embedText } from '../api-document.ts'
import { writeTable, describeContent, writeExample } from '../describe-schema.ts'
import { sampleValue } from '../sample-value.ts'
import type { OpenApi } from './openapi.ts'

export type Parameter = {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  required: boolean
  description: string
  schema: unknown
  /** Example of the parameter, or undefined. */
  example: unknown
}

const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/**
 * Reads parameters in order. For one name and place the later one wins, because the operation overrides the path item.
 */
export function readParameters(references: References, given: unknown[]): Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const each of given) {
    const { value } = references.resolve(each)
    if (!isRecord(value) || !PLACES.has(textOf(value['in'])) || textOf(value['name']) === '') continue
    const parameter = readParameter(references, value)
    parameters.set(`${parameter.place} ${parameter.name}`, parameter)
  }
  return [...parameters.values()]
}

function readParameter(references: References, value: Loose): Parameter {
  const [media] = Object.values(recordOf(value['content']))
  const schema = value['schema'] ?? recordOf(media)['schema']
  const [named] = Object.values(recordOf(value['examples'])).map((each) => recordOf(references.resolve(each).value))
  const place = textOf(value['in']) as Parameter['place']
  const deprecated = value['deprecated'] === true ? 'Deprecated.' : ''
  const { description: _, ...facts } = recordOf(references.resolve(schema).value)
  const words = [cellText(textOf(value['description'])), deprecated, describe(facts)]
  return {
    name: textOf(value['name']),
    place,
    required: place === 'path' || value['required'] === true,
    description: words.filter(Boolean).join(' '),
    schema,
    example: value['example'] ?? named?.['value'],
  }
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
    const response = recordOf(references.resolve(each).value)
    const description = textOf(response['description'])
    const [first = '', ...rest] = description.split('\n')
    const isShort = first.length <= 80 && first !== ''
    return [
      joinParts([
        `### ${nameOf(status)}${isShort ? `: ${first}` : ''}`,
        embedText(isShort ? rest.join('\n') : description, 3),
        headerTable(references, response['headers']),
        ...Object.entries(recordOf(response['content'])).map(([type, media]) => content(references, type, media)),
        linkLines(response['links']),
      ]),
    ]
  })
  return joinParts(sections)
}

function nameOf(status: string): string {
  if (status === 'default') return 'Any other status'
  return /^[1-5]xx$/i.test(status) ? `${status.charAt(0)}xx` : status
}

function content(references: References, type: string, media: unknown): string {
  const { schema, itemSchema, example, examples } = recordOf(media)
  const body = schema ?? itemSchema
  const named = Object.values(recordOf(examples)).map((each) => recordOf(references.resolve(each).value)['value'])
  const sample = example ?? named[0] ?? (/json/.test(type) ? sampleValue(references, body, 'writeOnly') : undefined)
  return joinParts([describeContent(references, type, body), writeExample(sample)])
}

function headerTable(references: References, given: unknown): string {
  const rows = Object.entries(recordOf(given)).map(([name, each]) => {
    const header = recordOf(references.resolve(each).value)
    return [
      `\`${name}\``,
      header['schema'] === undefined ? '' : schemaType(references, header['schema']),
      cellText(textOf(header['description'])),
    ]
  })
  return writeTable(['Header', 'Type', 'Description'], rows)
}

function linkLines(given: unknown): string {
  const lines = Object.entries(recordOf(given)).map(([name, each]) => {
    const link = recordOf(each)
    const to = textOf(link['operationId']) || textOf(link['operationRef'])
    return `- Link \`${name}\`${to === '' ? '' : ` to \`${to}\``}${textOf(link['description']) && `: ${textOf(link['description'])}`}`
  })
  return lines.join('\n')
}

/** Describes the accepted credentials of an operation, or that it needs none. Empty if the description does not say. */
export function securityText({ root, references }: OpenApi, operation: Loose): string {
  const given = operation['security'] ?? root['security']
  if (!Array.isArray(given)) return ''
  const ways = listOf(given).filter(isRecord)
  const schemes = recordOf(recordOf(root['components'])['securitySchemes'])
  const lines = ways.map((way) => {
    const parts = Object.entries(way).map(([name, scopes]) => {
      const scheme = recordOf(references.resolve(schemes[name]).value)
      const needs = textsOf(scopes).map((scope) => `\`${scope}\``)
      return `${schemeText(name, scheme)}${needs.length === 0 ? '' : `, scopes ${needs.join(', ')}`}`
    })
    return `- ${parts.join(' and ') || 'without credentials'}`
  })
  if (lines.length === 0) return 'No credentials are needed.'
  return lines.length === 1 ? (lines[0] ?? '').slice(2) : joinParts(['One of:', lines.join('\n')])
}

/** Describes a scheme on one line, such as `bearerAuth: header "Authorization: Bearer …" (JWT)`. */
export function schemeText(name: string, scheme: Loose): string {
  const header = sentHeader(scheme)
  const format = textOf(scheme['bearerFormat'])
  const type = textOf(scheme['type'])
  if (header) return `\`${name}\`: header \`${header.join(': ')}\`${format === '' ? '' : ` (${format})`}`
  if (type === 'apiKey') return `\`${name}\`: key in ${textOf(scheme['in'])} \`${textOf(scheme['name'])}\``
  const discovery = textOf(scheme['openIdConnectUrl'])
  return `\`${name}\`${type === '' ? '' : `: ${type}`}${discovery === '' ? '' : ` (${discovery})`}`
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
    const addresses = [textOf(authorizationUrl), textOf(tokenUrl)].filter(Boolean).join(', ')
    const lines = Object.entries(recordOf(scopes)).map(([scope, meaning]) => `- \`${scope}\`: ${textOf(meaning)}`)
    return joinParts([`Flow ${flow}${addresses === '' ? '' : `: ${addresses}`}`, lines.join('\n')])
  })
  return joinParts([schemeText(name, scheme), embedText(textOf(scheme['description']), 3), ...flows])
}

/**
 * Returns the absolute URL of the first server, with default values for its variables. The URL stays relative for a
 * description from a file, because that has no host.
 */
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
