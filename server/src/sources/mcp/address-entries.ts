import type { SourceOmission } from '../source-document.ts'

type List<T> = { items: T[]; malformed: number; cut: boolean }

/** Longer keys would make URLs that clients reject. */
const MAX_KEY = 1_000

/** An entry of a list with its URL, or the reason for its absence. */
export type AddressedEntry<T> = { kind: 'entry'; item: T; url: string } | SourceOmission

/**
 * Yields list entries with their URLs: the source's URL with the key as `parameter`. Entries that have too long a key,
 * could not be read, or were not sent become omissions.
 */
export function* addressEntries<T>(
  source: string,
  parameter: string,
  { items, malformed, cut }: List<T>,
  keyOf: (item: T) => string,
): Generator<AddressedEntry<T>> {
  const addressOf = (key: string) => {
    const url = new URL(source)
    url.searchParams.append(parameter, key)
    return url.href
  }
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (key.length <= MAX_KEY) yield { kind: 'entry', item, url: addressOf(key) }
    else {
      const detail = `The name of number ${index + 1} in the list has ${key.length} characters.`
      yield { kind: 'skipped', url: addressOf(`#${index + 1}`), reason: 'unreadable', detail }
    }
  }
  if (malformed > 0) {
    const detail = `${malformed === 1 ? 'One entry' : `${malformed} entries`} of the list cannot be read.`
    yield { kind: 'failed', url: addressOf('#malformed'), reason: 'unreadable', detail }
  }
  if (cut) {
    const detail = `The list goes on after ${items.length} entries; those are read.`
    yield { kind: 'skipped', url: addressOf('#more'), reason: 'too_many', detail }
  }
}
