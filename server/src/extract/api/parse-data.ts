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

/**
 * Parses JSON or YAML. The value has at most `MAX_VALUES` values, is at most `MAX_DEPTH` deep, and is never circular.
 */
export function parseData(text: string): { kind: 'data'; value: unknown } | NoDescription {
  const parsed = parseJson(text) ?? parseYaml(text)
  if (parsed.kind === 'rejected') return parsed
  if (isTooComplex(parsed.value)) {
    return rejectDescription('too_complex', 'The description is nested too deeply, or has too many values.')
  }
  return parsed
}

/** Returns null if the text is not valid JSON. YAML accepts some texts for which JSON is too strict. */
function parseJson(text: string): { kind: 'data'; value: unknown } | null {
  if (!/^\s*[{[]/.test(text)) return null
  try {
    return { kind: 'data', value: JSON.parse(text) }
  } catch {
    return null
  }
}

function parseYaml(text: string): { kind: 'data'; value: unknown } | NoDescription {
  // An empty document is not an error; it holds no description.
  if (text.trim() === '') return { kind: 'data', value: null }
  try {
    const value = load(text, { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES })
    return { kind: 'data', value }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    const where = mark ? ` in line ${mark.line + 1}` : ''
    return rejectDescription('malformed', `The description is neither JSON nor YAML: ${reason}${where}.`)
  }
}

/**
 * Counts values without recursion. Values repeated by aliases count each time, because every reader visits them each
 * time.
 */
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
