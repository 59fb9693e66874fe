import { type ApiProblem } from './api-document.ts'
import { isRecord, type Loose } from './loose-json.ts'

export type Resolved = {
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
/** Maximum number of targets in the report. */
const MAX_PROBLEMS = 50

/**
 * Follows `$ref` within one document (RFC 6901 fragments). A reference out of the document stays unresolved, keeps its
 * name, and is reported.
 */
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

function unescapePart(part: string): string {
  return decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
}

function lastPart(ref: string): string {
  const part = ref.slice(ref.lastIndexOf('/') + 1)
  return (
    unescapePart(part)
      .replace(/^#/, '')
      .replace(/\.(?:json|ya?ml)$/i, '') || ref
  )
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray percent sign: the key is not encoded.
    return part
  }
}
