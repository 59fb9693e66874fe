import { parseBoundedJson } from '#lib/text/parse-bounded-json.ts'
import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { OpenRepository } from './open-repository.ts'

export type FoundCommit = { choice: OpenRepository['choices'][number]; commit: string }

const MAX_BYTES = 4 << 20
/** Statuses with which hosts report an unknown reference. */
const ABSENT = new Set([400, 404, 409, 422])

const Id = z.string().regex(/^[\da-f]{40,64}$/)
const Commit = z.union([
  z.object({ sha: Id }).transform(({ sha }) => sha),
  z.object({ id: Id }).transform(({ id }) => id),
  z.object({ hash: Id }).transform(({ hash }) => hash),
])
/** A commit, a list of commits, or a page of such a list. */
const Answer = z.union([
  Commit,
  z.array(Commit).transform(([first]) => first),
  z.object({ values: z.array(Commit) }).transform(({ values: [first] }) => first),
])

/**
 * Resolves the first existing choice to a commit. Null if the host does not tell; the caller then fetches the archive
 * instead.
 */
export async function findCommit(
  fetch: NetClient['fetch'],
  { host, name, choices }: OpenRepository,
  headers: Record<string, string>,
): Promise<FoundCommit | null> {
  for (const choice of choices) {
    try {
      const { status, bytes } = await fetch(host.commitUrl(name, choice.ref), { headers, maxBytes: MAX_BYTES })
      if (ABSENT.has(status)) continue
      const commit = status === 200 ? read(bytes) : undefined
      return commit === undefined ? null : { choice, commit }
    } catch (error) {
      if (error instanceof NetError && error.reason !== 'aborted') return null
      throw error
    }
  }
  return null
}

function read(bytes: Uint8Array): string | undefined {
  try {
    return Answer.safeParse(parseBoundedJson(bytes)).data
  } catch {
    // Invalid JSON: the commit is unknown.
    return undefined
  }
}
