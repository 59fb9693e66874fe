import type { SourceType } from '@docent/contract/values/sources'
import { fold } from './tokenise.ts'

/** A source of the server, as a sentence can name it. */
export type NamedSource = { id: string; type: SourceType; url: string; label: string | null }

export type SourceNames = {
  /** The source with exactly these words as its name, in any order. */
  whole: (words: readonly string[]) => string | null
  /** True if these words are the label of a source. */
  isLabel: (words: readonly string[]) => boolean
  /** The sources that have this word in their label; without any, those that have it in their host or path. */
  byWord: (word: string) => string[]
  /** The source at this address or on this host. */
  byAddress: (address: string) => string | null
  /** The path of an address on the host of a source; null if the address is the source, or has no path. */
  pathWithin: (address: string) => string | null
}

/** Words of hosts that name no source. */
const COMMON =
  /^(?:www|com|org|net|io|dev|app|ai|co|de|uk|eu|gov|edu|github|gitlab|bitbucket|codeberg|readthedocs|gitbook|vercel|netlify|pages|the|and|of|for|en|latest|stable|main|master|https?|html?|json|yaml|yml|pdf|md|\d+)$/
const GENITIVE = /(?<=\p{L}{3})s$/u
/** Hosts of many owners, whose name alone is no source. */
const SHARED = /^(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)$|^git\.sr\.ht$/

/** Ways in which a sentence can name the sources. Words of one letter name none. */
export function sourceNames(sources: readonly NamedSource[]): SourceNames {
  const wholes = new Map<string, string>()
  const labels = new Set<string>()
  // Words of labels name a source before those of addresses.
  const single = { label: new Map<string, Set<string>>(), address: new Map<string, Set<string>>() }
  const add = (kind: keyof typeof single, word: string, id: string) => {
    if (word.length >= 2 && !COMMON.test(word)) single[kind].set(word, (single[kind].get(word) ?? new Set()).add(id))
  }
  const addresses = new Map<string, string>()
  // `User Manual` of `Kestrel User Manual`, if no other label has these words.
  const parts = new Map<string, string | null>()
  for (const { id, url, label } of sources) {
    const address = URL.parse(url)
    const host = address?.host.replace(/^www\./, '') ?? ''
    const pathname = address?.pathname ?? ''
    const path = pathname.split('/').filter(Boolean)
    const words = wordsOf(label ?? '')
    if (label !== null) labels.add(wholeKey(words))
    for (let from = 0; from < words.length; from++)
      for (let to = from + 2; to <= words.length; to++) {
        const run = wholeKey(words.slice(from, to))
        parts.set(run, parts.has(run) && parts.get(run) !== id ? null : id)
      }
    for (const name of [label ?? '', host, path.join('/'), path.at(-1) ?? '', host + pathname]) {
      const key = wholeKey(wordsOf(name))
      if (key !== '' && !COMMON.test(key) && !wholes.has(key)) wholes.set(key, id)
    }
    if (SHARED.test(host)) addresses.set(path.slice(0, 2).join('/').toLowerCase(), id)
    else if (host !== '') addresses.set(host, id)
    if (address) addresses.set(plain(url), id)
    const inside = [...host.split('.'), ...path].flatMap((part) => [...wordsOf(part), ...part.split(/[-_]/)])
    for (const word of words) add('label', word, id)
    for (const word of inside.map(fold)) add('address', word, id)
  }
  return {
    whole: (given) => wholes.get(wholeKey(given)) ?? parts.get(wholeKey(given)) ?? null,
    isLabel: (given) => labels.has(wholeKey(given)),
    byWord: (word) => {
      const found = (each: string) => single.label.get(each) ?? single.address.get(each)
      return [...(found(word) ?? found(word.replace(GENITIVE, '')) ?? [])]
    },
    byAddress: (address) =>
      addresses.get(plain(address)) ?? addresses.get(plain(address).split('/', 1)[0] ?? '') ?? null,
    pathWithin: (address) => {
      const [, ...path] = plain(address).split('?', 1)[0]?.split('/') ?? []
      return path.length === 0 || addresses.has(plain(address)) ? null : `/${path.join('/')}`
    },
  }
}

function wordsOf(name: string): string[] {
  return fold(name)
    .split(/[^\p{L}\p{N}_.-]+/u)
    .filter(Boolean)
}

function wholeKey(words: readonly string[]): string {
  return words.toSorted().join(' ')
}

function plain(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/(?<!\/)\/+$/, '')
}
