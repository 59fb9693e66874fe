import { unescape } from 'node:querystring'
import type { ApiProblem } from './api-document.ts'
import { isRecord, type Loose, parseData, recordOf } from './parse-data.ts'

type Resolved = {
  /** The target of the reference, with its sibling keys merged over it. The value itself if it is not a reference. */
  value: unknown
  /** Last part of the reference, such as `User` in `#/components/schemas/User`, or null without one. */
  name: string | null
  /** The reference itself, or null. Equal references have equal targets. */
  ref: string | null
}

export type References = ReturnType<typeof createReferences>

/** Maximum length of a chain of references. A longer chain is circular. */
const MAX_HOPS = 32
const MAX_PROBLEMS = 50

/** Follows `$ref` within one document (RFC 6901 fragments). Reports references that stay unresolved. */
export function createReferences(root: unknown) {
  const unresolved = new Map<string, number>()
  const targets = new Map<string, unknown>()

  const find = (ref: string): unknown => {
    if (!targets.has(ref)) targets.set(ref, ref.startsWith('#') ? valueAt(root, ref.slice(1)) : undefined)
    const target = targets.get(ref)
    if (target === undefined) unresolved.set(ref, (unresolved.get(ref) ?? 0) + 1)
    return target
  }

  const resolve = (start: unknown): Resolved => {
    let value = start
    let first: string | null = null
    let over: Loose = {}
    for (let hops = 0; isRecord(value) && typeof value['$ref'] === 'string'; hops++) {
      const { $ref: ref, ...beside } = value as Loose & { $ref: string }
      first ??= ref
      over = { ...beside, ...over }
      value = hops < MAX_HOPS ? find(ref) : undefined
    }
    if (first === null) return { value, name: null, ref: null }
    const laid =
      Object.keys(over).length > 0 && (isRecord(value) || value === undefined) ? { ...value, ...over } : value
    return { value: laid, name: lastPart(first), ref: first }
  }

  return {
    resolve,
    /** The target of a reference, or the value itself, if that is a mapping; an empty mapping otherwise. */
    record: (value: unknown): Loose => recordOf(resolve(value).value),
    /** Returns one problem per requested but missing target. */
    problems: (): ApiProblem[] =>
      [...unresolved].slice(0, MAX_PROBLEMS).map(([ref, count]) => ({
        at: ref,
        reason: 'unresolved_reference',
        detail: `The description refers to "${ref.slice(0, 200)}" ${count === 1 ? 'once' : `${count} times`}, ${
          ref.startsWith('#')
            ? 'which it does not contain.'
            : 'which is another file that was not had: put all into one description, or beside it.'
        }`,
      })),
  }
}

/** Escapes a key for use in a JSON pointer. */
export function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function valueAt(root: unknown, pointer: string): unknown {
  if (pointer === '') return root
  if (!pointer.startsWith('/')) return undefined
  let value = root
  for (const part of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = unescapePart(part)
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Loose)[key]
  }
  return value
}

/** Keeps stray percent signs: then the key is not encoded. */
function unescapePart(part: string): string {
  return unescape(part).replaceAll('~1', '/').replaceAll('~0', '~')
}

function lastPart(ref: string): string {
  const part = ref.slice(ref.lastIndexOf('/') + 1)
  return (
    unescapePart(part)
      .replace(/^#/, '')
      .replace(/\.(?:json|ya?ml)$/i, '') || ref
  )
}

/** Finds external references in the raw text. Most descriptions have none and need no second pass. */
const OUTSIDE = /\$ref["']?\s*:\s*["']?[^#\s"']/

/** Returns true if the text contains references to other files. */
export function refersOutside(text: string): boolean {
  return OUTSIDE.test(text)
}

/** Returns the text of a referenced file, or null if it is missing. Called once per URL. */
export type FileText = (url: string) => string | null

const HOME = 'x-docent-files'
/** Same limit as for fetched descriptions. */
const MAX_FILES = 300

/** Returns the URLs, without fragments and duplicates, of all files that a description or its parts refer to. */
export function findOutsideFiles(parts: readonly { text: string; url: string }[]): string[] {
  const found = new Set<string>()
  for (const { text, url } of parts) {
    const data = refersOutside(text) ? parseData(text) : null
    for (const { file } of data?.kind === 'data' ? targets(data.value, url) : []) {
      if (file !== withoutHash(url)) found.add(file)
    }
  }
  return [...found]
}

type Part = { value: unknown; pointer: string }

/** Bundles a description with the readable files that it and they refer to, and rewrites the references. */
export function bundleFiles(root: Loose, url: string, textAt: FileText): Loose {
  const home = withoutHash(url)
  const parts = new Map<string, Part | null>([[home, { value: root, pointer: '' }]])
  const files = new Map<string, unknown>()
  const include = (address: string): Part | null => {
    const text = files.size < MAX_FILES ? textAt(address) : null
    const data = text === null ? null : parseData(text)
    if (data?.kind !== 'data') return null
    const name = freeName(address, files)
    files.set(name, data.value)
    return { value: data.value, pointer: `/${HOME}/${escapePointer(name)}` }
  }
  // The loop reaches the parts that it adds.
  for (const [address, from] of parts) {
    for (const { holder, file, pointer } of targets(from?.value, address)) {
      if (!parts.has(file)) parts.set(file, include(file))
      const part = parts.get(file)
      if (part && (file !== home || address !== home)) holder.$ref = `#${part.pointer}${pointer}`
    }
  }
  return { ...root, [HOME]: Object.fromEntries(files) }
}

const OF_SCHEMA = ['type', 'properties', 'items', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'additionalProperties']

/** References of a bundled description to schemas of other files, by name. The first of equal names counts. */
export function schemasOutside(root: Loose, { resolve }: Pick<References, 'resolve'>): Map<string, string> {
  const found = new Map<string, string>()
  for (const { $ref } of references(root)) {
    if (!$ref.startsWith(`#/${HOME}/`)) continue
    const { value, name } = resolve({ $ref })
    // Parameters have schemas, and say where they are.
    const isSchema = isRecord(value) && !('in' in value) && OF_SCHEMA.some((key) => key in value)
    if (isSchema && name !== null && !found.has(name)) found.set(name, $ref)
  }
  return found
}

/** Names a file by the last part of its URL, with a number if that is taken. */
function freeName(address: string, taken: ReadonlyMap<string, unknown>): string {
  const base = new URL(address).pathname.split('/').at(-1) || 'file'
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${number}-${base}`
  return name
}

/** Yields every reference of the file at `url`, with the URL of the target's file and the pointer within that. */
function* targets(value: unknown, url: string) {
  for (const holder of references(value)) {
    const target = URL.parse(holder.$ref, url)
    if (!target) continue
    const pointer = target.hash.slice(1)
    target.hash = ''
    yield { holder, file: target.href, pointer }
  }
}

/** Yields every mapping with a `$ref`, each once, without recursion. */
function* references(value: unknown): Generator<Loose & { $ref: string }> {
  const open: unknown[] = [value]
  const seen = new Set<unknown>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (isRecord(next) && typeof next['$ref'] === 'string') yield next as Loose & { $ref: string }
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) open.push(child)
  }
}

function withoutHash(url: string): string {
  const address = new URL(url)
  address.hash = ''
  return address.href
}
