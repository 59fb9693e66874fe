import type { OperationId } from '@docent/contract/operations'
import { SCREENS } from './screen-list.ts'

/** A screen that a name leads to. */
export type NamedPlace = { name: string; path: string }

type Servers = readonly { name: string; slug: string; status: string }[]

const PART = '/servers/:slug'

/** The screens of the account that its member may use, and the documents. The screen of the instance is for operators. */
export function accountPlaces(isOperator: boolean, may: (id: OperationId) => boolean): NamedPlace[] {
  const own = SCREENS.filter((screen) => {
    if (screen.path.includes(':') || screen.path === '/limits') return false
    return screen.path === '/instance' ? isOperator : !('to' in screen) || may(screen.to)
  })
  return [...own.map(({ title, path }) => ({ name: title, path })), { name: 'Documentation', path: '/docs' }]
}

/** The screens of the servers. That of a server itself comes first, under its name. */
export function serverPlaces(servers: Servers): NamedPlace[] {
  const parts = SCREENS.filter(({ path }) => path.startsWith(PART))
  return servers
    .filter(({ status }) => status !== 'deleted')
    .flatMap(({ name, slug }) =>
      parts.map(({ title, path }) => ({
        name: path === PART ? name : `${name}: ${title}`,
        path: path.replace(':slug', slug),
      })),
    )
}

/** Less than half of the pairs of letters in common is another name. */
const LEAST = 0.5
const MOST = 4

/** The places whose name or path is nearly `wanted`, the nearest first. */
export function nearestPlaces(wanted: string, places: readonly NamedPlace[]): NamedPlace[] {
  const pairs = pairsOf(wanted)
  return places
    .map((place) => ({ place, score: Math.max(likeness(pairs, place.path), likeness(pairs, place.name)) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ place }) => place)
}

/** Dice's coefficient of pairs of letters: 1 for the same ones, 0 for none in common. */
function likeness(pairs: ReadonlySet<string>, text: string): number {
  const others = pairsOf(text)
  const shared = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * shared) / Math.max(1, pairs.size + others.size)
}

function pairsOf(text: string): Set<string> {
  const letters = ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  return new Set(Array.from({ length: letters.length - 1 }, (_, index) => letters.slice(index, index + 2)))
}
