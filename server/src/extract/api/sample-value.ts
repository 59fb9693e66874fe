import { isRecord, listOf, type Loose, textOf, textsOf } from './parse-data.ts'
import type { References } from './references.ts'

const MAX_DEPTH = 6
/** Maximum number of values in a sample: every field of a typical body, and at most a page. */
const MAX_VALUES = 150

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  time: '09:30:00',
  email: 'user@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  url: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

/** Fields that a message lacks: the client never sends read-only fields, and the API never sends write-only ones. */
export type Lacks = 'readOnly' | 'writeOnly'

/** Returns a sample value from the examples or types of a schema, without the fields that the message lacks. */
export function sampleValue(references: References, schema: unknown, lacks?: Lacks): unknown {
  let left = MAX_VALUES
  const isSent = (property: unknown) => {
    const { value } = references.resolve(property)
    return lacks === undefined || !isRecord(value) || value[lacks] !== true
  }

  const sample = (from: unknown, depth: number, open: string[]): unknown => {
    const { value, ref } = references.resolve(from)
    if (!isRecord(value) || (ref !== null && open.includes(ref)) || depth > MAX_DEPTH || left-- <= 0) return undefined
    const given = givenValue(value)
    if (given !== undefined) return given
    const inside = ref === null ? open : [...open, ref]
    const [variant] = [...listOf(value['oneOf']), ...listOf(value['anyOf'])]
    const parts = [...listOf(value['allOf']), ...(variant === undefined ? [] : [variant])]
    const merged = parts.map((part) => sample(part, depth, inside))
    const own = sampleOfType(value, { isSent, sample: (inner) => sample(inner, depth + 1, inside) })
    if (parts.length === 0) return own
    const objects = [...merged, own].filter(isRecord)
    return objects.length > 0 ? Object.assign({}, ...objects) : merged.find((part) => part !== undefined)
  }

  return sample(schema, 0, [])
}

function givenValue(schema: Loose): unknown {
  const [first] = listOf(schema['examples'])
  const [choice] = listOf(schema['enum'])
  return schema['example'] ?? first ?? schema['const'] ?? schema['default'] ?? choice
}

type Sampler = { isSent: (property: unknown) => boolean; sample: (schema: unknown) => unknown }

function sampleOfType(schema: Loose, { isSent, sample }: Sampler): unknown {
  const type = typeof schema['type'] === 'string' ? schema['type'] : textsOf(schema['type']).find((t) => t !== 'null')
  const properties = schema['properties']
  if (isRecord(properties)) {
    const entries = Object.entries(properties)
      .filter(([, property]) => isSent(property))
      .map(([name, property]) => [name, sample(property)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  switch (type) {
    case 'string':
      return BY_FORMAT[textOf(schema['format'])] ?? 'string'
    case 'integer':
      return schema['minimum'] ?? 1
    case 'number':
      return schema['minimum'] ?? 1.5
    case 'boolean':
      return true
    case 'array':
      return [sample(schema['items'])].filter((value) => value !== undefined)
    case 'object':
      return {}
    default:
      return undefined
  }
}

/** A sample request. */
export type SampleRequest = {
  method: string
  /** URL with parameter values, or with parameter names in braces. */
  url: string
  headers: [name: string, value: string][]
  /** Raw text, or form fields. */
  body: { kind: 'text'; text: string } | { kind: 'form'; fields: [name: string, value: string][] } | null
}

/** Renders the request as a curl command, one argument per line. */
export function writeCurl({ method, url, headers, body }: SampleRequest): string {
  const words = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`]
  for (const [name, value] of headers) words.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body?.kind === 'text') words.push(`-d ${quote(body.text)}`)
  if (body?.kind === 'form') for (const [name, value] of body.fields) words.push(`-F ${quote(`${name}=${value}`)}`)
  return words.join(' \\\n  ')
}

/** Quotes for a POSIX shell, where single quotes disable all special characters. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
