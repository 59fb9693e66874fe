import { RESERVED_SLUGS } from '@docent/contract/operations'
import { randomText } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { slugIsTaken } from '#store/servers/servers.ts'

const MAX_SLUG = 48
const SUFFIX = 6

/** Lower-case ASCII words of a name, joined by `-`, at most 48 characters. `server` if there are none. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words?.join('-') ?? 'server').slice(0, MAX_SLUG).replace(/(?<!-)-+$/, '')
}

/**
 * A slug for this name that no server uses, including deleted ones, and that does not collide with a path under
 * `/api/mcp/`.
 */
export async function freeSlug(tx: Db, name: string): Promise<string> {
  const plain = slugOf(name)
  if (!isReserved(plain) && !(await slugIsTaken(tx, plain))) return plain
  for (;;) {
    const slug = `${plain}-${randomText(SUFFIX).toLowerCase()}`
    if (!(await slugIsTaken(tx, slug))) return slug
  }
}

/** `srv` as well: a slug must not look like an id. */
const isReserved = (slug: string): boolean => RESERVED_SLUGS.has(slug) || /^srv(-|_|$)/.test(slug)
