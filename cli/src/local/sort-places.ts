import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** What somebody named to be indexed: addresses, and files or folders of this machine. */
export type Places = { urls: string[]; paths: string[] }

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
/** How paths are written that could not be a host's name. */
const PATH = /^(\.{0,2}[\\/]|\.{1,2}$|~|[a-z]:[\\/])/i

/**
 * Tells addresses from paths: what is on the disk is a path, and what looks like one is, even if nothing is there.
 * Everything else is an address, with `https` where people leave the scheme out.
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
