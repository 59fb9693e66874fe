import { defined } from '#lib/objects.ts'
import { isRecord, listOf, type Loose, textOf, textsOf } from './parse-data.ts'
import type { References } from './references.ts'
import { variantsOf } from './schema-fields.ts'
import schemaWords from './schema-words.json' with { type: 'json' }

const MAX_DEPTH = 6
/** Maximum number of values in a sample: every field of a typical body, and at most a page. */
const MAX_VALUES = 150

const BY_FORMAT: Readonly<Record<string, string>> = schemaWords.samples

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
    const parts = [...listOf(value['allOf']), ...variantsOf(value).slice(0, 1)]
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
  const properties = schema['properties']
  if (isRecord(properties)) {
    const sent = Object.entries(properties).filter(([, property]) => isSent(property))
    return defined(Object.fromEntries(sent.map(([name, property]) => [name, sample(property)])))
  }
  const type = textsOf([schema['type']].flat()).find((each) => each !== 'null')
  if (type === 'string') return BY_FORMAT[textOf(schema['format'])] ?? 'string'
  if (type === 'integer') return schema['minimum'] ?? 1
  if (type === 'number') return schema['minimum'] ?? 1.5
  if (type === 'boolean') return true
  if (type === 'array') return [sample(schema['items'])].filter((value) => value !== undefined)
  return type === 'object' ? {} : undefined
}

export type SampleRequest = {
  method: string
  /** URL with parameter values, or with parameter names in braces. */
  url: string
  headers: [name: string, value: string][]
  body: string | [field: string, value: string][] | null
}

/** Renders the request as a curl command, one argument per line. */
export function writeCurl({ method, url, headers, body }: SampleRequest): string {
  const words = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`]
  for (const [name, value] of headers) words.push(`-H ${quote(`${name}: ${value}`)}`)
  if (typeof body === 'string') words.push(`-d ${quote(body)}`)
  else for (const [name, value] of body ?? []) words.push(`-F ${quote(`${name}=${value}`)}`)
  return words.join(' \\\n  ')
}

/** Quotes for a POSIX shell, where single quotes disable all special characters. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
