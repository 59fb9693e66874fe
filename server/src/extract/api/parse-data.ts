import {
  CORE_SCHEMA,
  YAMLException,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  load,
  mapTag,
  seqTag,
  strTag,
} from 'js-yaml'
import { type NoDescription, rejectDescription } from './api-document.ts'

/** Upper bound for values. The largest descriptions in use have about 15 MB and a million values. */
const MAX_VALUES = 4_000_000
const MAX_DEPTH = 200
/** Upper bound for aliases. Handwritten descriptions use a few dozen; a YAML bomb makes thousands from one. */
const MAX_ALIASES = 1_000

const UNKNOWN_TAG = { implicit: false, matchByTagPrefix: true, identify: () => false } as const

/** Ignores application tags (`!include`, `!Ref`) and further YAML tags, and reads their values as untagged. */
const SCHEMA = CORE_SCHEMA.withTags(
  ['!', 'tag:'].flatMap((prefix) => [
    defineScalarTag(prefix, { ...strTag, ...UNKNOWN_TAG }),
    defineSequenceTag(prefix, { ...seqTag, ...UNKNOWN_TAG }),
    defineMappingTag(prefix, { ...mapTag, ...UNKNOWN_TAG }),
  ]),
)

/** Parses JSON or YAML to a value within `MAX_VALUES` and `MAX_DEPTH`, which is never circular. */
export function parseData(text: string): { kind: 'data'; value: unknown } | NoDescription {
  try {
    const value = parseJson(text) ?? parseYaml(text)
    if (!isTooComplex(value)) return { kind: 'data', value }
    return rejectDescription('too_complex', 'The description is nested too deeply, or has too many values.')
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    const where = mark ? ` in line ${mark.line + 1}` : ''
    return rejectDescription('malformed', `The description is neither JSON nor YAML: ${reason}${where}.`)
  }
}

/** Returns null if the text is not valid JSON. YAML accepts some texts for which JSON is too strict. */
function parseJson(text: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** An empty document is not an error; it holds no description. */
function parseYaml(text: string): unknown {
  const options = { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES }
  return text.trim() === '' ? null : load(text, options)
}

/** Counts values without recursion, and those repeated by aliases each time, because readers visit them so. */
function isTooComplex(root: unknown): boolean {
  const open = [{ value: root, depth: 0 }]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) continue
    const children = Object.values(value)
    count += children.length
    if (count > MAX_VALUES || depth > MAX_DEPTH) return true
    for (const child of children) open.push({ value: child, depth: depth + 1 })
  }
  return false
}

/** An unvalidated mapping. */
export type Loose = Record<string, unknown>

export function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a mapping unchanged, and an empty one for any other value. */
export function recordOf(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

/** Returns a list unchanged, and an empty one for any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Converts a string, number or boolean to trimmed text, and any other value to an empty string. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Returns the non-empty texts of a list. */
export function textsOf(value: unknown): string[] {
  return listOf(value).map(textOf).filter(Boolean)
}

const JSON_KEY = /"(openapi|swagger|asyncapi)"\s*:\s*"?\d/
const YAML_KEY = /^["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?\d/m
const POSTMAN = /"_postman_id"\s*:|schema\.(?:get)?postman\.com\/json\/collection/
const INTROSPECTION = /"__schema"\s*:\s*\{/
/** A brace must follow, maybe further on: `schema @link(…) {`, `type Query implements Node {`. */
const SDL = /^(?:extend\s+)?(?:schema\s*[{@]|type\s+(?:Query|Mutation)\b)/m

const NAMES = { openapi: 'OpenAPI', swagger: 'Swagger', asyncapi: 'AsyncAPI' }

/** Detects the format of an API description from the beginning of its text. Returns null for other text. */
export function apiFormat(start: string): string | null {
  const isJson = /^\uFEFF?\s*\{/.test(start)
  const key = (isJson ? JSON_KEY : YAML_KEY).exec(start)?.[1]
  if (key !== undefined) return NAMES[key as keyof typeof NAMES]
  if (isJson && POSTMAN.test(start)) return 'Postman'
  if (isJson) return INTROSPECTION.test(start) ? 'GraphQL' : null
  const declared = start.search(SDL)
  return declared >= 0 && start.includes('{', declared) ? 'GraphQL' : null
}
