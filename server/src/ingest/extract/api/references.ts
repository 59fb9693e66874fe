import { type ApiProblem } from './api-document.ts'
import { isRecord, type Loose } from './loose-json.ts'

export type Resolved = {
  /** What the reference leads to, with what was written beside it laid over; the value itself where it is none. */
  value: unknown
  /** Last part of the reference, as `User` of `#/components/schemas/User`, or null where there was none. */
  name: string | null
  /** The reference itself; the same thing has the same one. */
  ref: string | null
}

export type References = ReturnType<typeof createReferences>

/** References that lead on to references. More are a circle. */
const MAX_HOPS = 32
/** Targets that are named in the report. */
const MAX_PROBLEMS = 50

/**
 * Follows `$ref` within one document (RFC 6901 fragments). What leads out of it stays unresolved, keeps its name, and is
 * reported.
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
    /** One problem for each target that was asked for and is not there. */
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

/** `a/b` as part of a pointer. */
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
    // A stray percent sign: the key is written without encoding.
    return part
  }
}
