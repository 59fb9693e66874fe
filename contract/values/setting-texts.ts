import { z } from 'zod'

/*
 * The JSON texts of a widget configuration. Each is parsed before it is stored, so that the widget never meets one that
 * it cannot read, and no string in them can become markup or a script.
 */

/** Longest text, in UTF-16 code units. */
export const MAX_SETTING_TEXT = 10_000
/** Levels of arrays and objects. The settings need two. */
const MAX_DEPTH = 8

const name = z
  .string('must be text')
  .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'must have 1 to 100 letters, digits, "_", ".", ":" or "-"')
const enabled = z.boolean('must be true or false')

/** A tool of the widget. The order is that of the tabs. */
const ToolSettingSchema = z.looseObject({
  name,
  enabled,
  title: z.string('must be text').max(40, 'must have at most 40 characters').optional(),
})

/** Sources to answer from, or to leave out: one, those of a server, or those of a type. */
const SourceSettingSchema = z.looseObject({
  type: name,
  enabled,
  serverId: name.optional(),
  sourceId: name.optional(),
})

const ColorSchema = z.string('must be text').refine(isColor, 'must be a color such as #00665e or rgb(0 102 94)')

const SCHEMAS = {
  tools: z.array(ToolSettingSchema, 'must be a list'),
  sources: z.array(SourceSettingSchema, 'must be a list'),
  colors: z.record(name, ColorSchema, 'must be an object of colors'),
} as const

export type SettingName = keyof typeof SCHEMAS
export type Settings = { [Name in SettingName]: z.output<(typeof SCHEMAS)[Name]> }
export type SourceSetting = Settings['sources'][number]
export type ToolSetting = Settings['tools'][number]

type Parsed<Name extends SettingName> = { value: Settings[Name] } | { problem: string }

/** Parses one of the texts. The problem continues a sentence that begins with the name of the field. */
export function parseSetting<Name extends SettingName>(setting: Name, text: string): Parsed<Name> {
  const json = parseJson(text)
  if (json === undefined) return { problem: 'must be valid JSON text' }
  const unsafe = findUnsafe(json)
  if (unsafe !== null) return { problem: unsafe }
  const parsed = SCHEMAS[setting].safeParse(json, {
    error: ({ input }) => (input === undefined ? 'is missing' : undefined),
  })
  if (parsed.success) return { value: parsed.data as Settings[Name] }
  const [issue] = parsed.error.issues
  return { problem: `cannot be used: ${placeOf(issue?.path ?? [])} ${issue?.message ?? 'has another form'}` }
}

/** Parses a text that was checked before it was stored. */
export function readSetting<Name extends SettingName>(setting: Name, text: string): Settings[Name] {
  const parsed = parseSetting(setting, text)
  if ('problem' in parsed) throw new TypeError(`The stored ${setting} ${parsed.problem}.`)
  return parsed.value
}

/** The JSON value, or undefined, which no JSON text yields. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first key or string that a browser could run or render as markup, in words; null if there is none. */
function findUnsafe(value: unknown, path: readonly PropertyKey[] = []): string | null {
  if (typeof value === 'string') return unsafeText(value, path)
  if (typeof value !== 'object' || value === null) return null
  if (path.length >= MAX_DEPTH) return `must have at most ${MAX_DEPTH} levels`
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    const found = unsafeText(key, place) ?? findUnsafe(inner, place)
    if (found !== null) return found
  }
  return null
}

/**
 * A tag, a comment or an instruction begins where the HTML parser leaves text: at `<` before a letter, `/`, `!` or `?`
 * (HTML standard, 13.2.5.6). Scripts in addresses are found by the URL parser, which ignores the same characters as a
 * browser does.
 */
function unsafeText(text: string, path: readonly PropertyKey[]): string | null {
  if (/<[a-z/!?]/i.test(text)) return `must not contain markup, as ${placeOf(path)} does`
  if (URL.canParse(text) && RUNNING.has(new URL(text).protocol)) {
    return `must not contain a script address, as ${placeOf(path)} does`
  }
  return null
}

/** Schemes whose addresses carry their content, which a browser can run. */
const RUNNING: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:'])

/** The path in program notation: `[0].name`. */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'it'
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, 40)}`)).join('')
}

/** A CSS color: a hexadecimal number, a keyword, or one of the color functions with numbers only. */
function isColor(text: string): boolean {
  return (
    text.length <= 80 &&
    (/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text) ||
      /^[a-z]{3,30}$/i.test(text) ||
      /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\da-z\s.,%/+-]*\)$/i.test(text))
  )
}
