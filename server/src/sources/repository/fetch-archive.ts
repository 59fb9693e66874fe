import { z } from 'zod'
import { GiveUp } from '#jobs/lease.ts'
import type { NetClient, NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { type OpenRepository, hostUrl, parseAnswer } from './open-repository.ts'

/** The archive of a large compiler has some 80 MB, and hosts take minutes to pack a large repository. */
const LIMITS = { maxBytes: 128 << 20, totalMs: 10 * 60_000 }
/** Statuses of an API that is rate-limited or offers no archives. */
const REFUSED = new Set([403, 406, 429])

/** Fetches the archive of the first existing choice, or of `commit`. Throws `GiveUp` if it is missing or too large. */
export async function fetchArchive(
  fetch: NetClient['fetch'],
  repository: OpenRepository,
  headers: Record<string, string>,
  { commit = null, limits = LIMITS }: { commit?: string | null; limits?: typeof LIMITS } = {},
) {
  const { host, name, choices } = repository
  for (const choice of choices) {
    const ref = commit ?? choice.ref
    let response = await fetchOne(fetch, hostUrl(repository, host.archive, { ref }), { headers, ...limits })
    // The API's rate limit is exhausted; the download URL for browsers has its own.
    if (REFUSED.has(response.status) && host.otherArchive !== undefined) {
      response = await fetchOne(fetch, hostUrl(repository, host.otherArchive, { ref }), { headers, ...limits })
    }
    if (response.status === 200) {
      const { headers: answered, bytes, release } = response
      return { bytes: ownBytes(bytes), encoding: answered['content-encoding'] ?? '', release, choice }
    }
    if (response.status === 404 || response.status === 400) continue
    const sentence = `${host.title} answered ${response.status} when it was asked for the archive of ${name}.`
    throw response.status >= 500 || response.status === 429
      ? new UpstreamError('failed', sentence)
      : new GiveUp(sentence)
  }
  const [first] = choices
  throw new GiveUp(
    first?.ref === 'HEAD' || first?.path === undefined
      ? `${host.title} has no archive of ${name}: the repository is empty.`
      : `${host.title} knows of no branch, tag or commit "${first.ref}" of ${name}.`,
  )
}

async function fetchOne(
  fetch: NetClient['fetch'],
  url: string,
  request: typeof LIMITS & Pick<NetRequest, 'headers'>,
): Promise<NetResponse> {
  try {
    // Archives are compressed already.
    const headers = { ...request.headers, 'accept-encoding': 'identity' }
    return await fetch(url, { ...request, headers, keepEncoding: true })
  } catch (error) {
    if (!(error instanceof NetError) || error.reason !== 'too_large' || error.transient) throw error
    const most = `${request.maxBytes >> 20} MB, which is as much as is read`
    throw new GiveUp(`The repository's archive is larger than ${most}.`, { cause: error })
  }
}

/** Ensures that the bytes own their buffer, so that it can be transferred to another thread without a copy. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes
  const isWhole = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes)
}

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

/** Resolves the first existing choice to a commit. Null if the host does not tell. */
export async function findCommit(
  fetch: NetClient['fetch'],
  repository: OpenRepository,
  headers: Record<string, string>,
): Promise<{ choice: OpenRepository['choices'][number]; commit: string } | null> {
  for (const choice of repository.choices) {
    try {
      const url = hostUrl(repository, repository.host.commit, { ref: choice.ref })
      const { status, bytes } = await fetch(url, { headers, maxBytes: MAX_BYTES })
      if (ABSENT.has(status)) continue
      const commit = status === 200 ? parseAnswer(bytes, Answer) : null
      return commit ? { choice, commit } : null
    } catch (error) {
      if (error instanceof NetError && error.reason !== 'aborted') return null
      throw error
    }
  }
  return null
}

const Tag = z.union([
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ ref: z.string() }).transform(({ ref }) => ref.replace(/^refs\/tags\//, '')),
])
const Tags = z.union([z.array(Tag), z.object({ values: z.array(Tag) }).transform(({ values }) => values)])

/** Names of tags as the host lists them. Empty if it does not. */
export async function listTags(
  fetch: NetClient['fetch'],
  repository: OpenRepository,
  headers: Record<string, string>,
): Promise<readonly string[]> {
  const { status, bytes } = await fetch(hostUrl(repository, repository.host.tags), { headers, maxBytes: MAX_BYTES })
  return (status === 200 && parseAnswer(bytes, Tags)) || []
}
