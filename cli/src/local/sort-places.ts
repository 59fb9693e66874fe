import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Places to index: addresses, and files or folders of this machine. */
export type Places = { urls: string[]; paths: string[] }

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
/** Paths that cannot be host names. */
const PATH = /^(\.{0,2}[\\/]|\.{1,2}$|~|[a-z]:[\\/])/i

/**
 * Distinguishes addresses from paths. Anything on the disk is a path, and so is anything that looks like one, even if
 * nothing is there. Everything else is an address, with `https` by default.
 */
export function sortPlaces(places: readonly string[], folder: string): Places {
  const urls: string[] = []
  const paths: string[] = []
  for (const place of places) {
    if (SCHEME.test(place)) urls.push(place)
    else if (PATH.test(place) || existsSync(resolve(folder, place))) paths.push(place)
    else urls.push(`https://${place}`)
  }
  return { urls, paths }
}
