import { DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS, REPORT_TOOL } from '@docent/contract/values/tools'
import { RESERVED_SLUGS } from '@docent/contract/operations'
import { planOf, planUrl, sourceLimit } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { newId, randomText } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { countLiveServers, insertServer, lockAccount, slugIsTaken } from '#store/servers/servers.ts'
import { mintFirstToken } from '../account/keys.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { insertSource } from '../sources/add.ts'
import { selectableTools, type SelectableTools } from './tools.ts'
import { splitVersion } from '#lib/addresses/page-address.ts'
import { announceUpload } from '../sources/upload.ts'
import { configSnippet, endpointUrl } from './present.ts'
import {
  isPrivateSource,
  mayUseLinkedAccount,
  readSources,
  refusePrivateAddresses,
  refusePrivateTexts,
} from '../sources/check-source.ts'

export const createServer: Handler<'servers.create'> = async ({ deps, actor, remember, signal }, input) => {
  const uploads = [...new Set(input.uploads.map((name) => splitVersion(name)[0]))]
  if (input.sources.length + uploads.length === 0) throw new DocentError('source_required')
  const tools = selectTools(input.tools, await selectableTools(deps.store.read, actor.accountId))
  const { sources, ignored } = input.sources.length > 0 ? readSources(input.sources) : { sources: [], ignored: [] }
  refusePrivateTexts(deps, sources)
  // First without the lock: a server over the limit needs no DNS look-up and no request to a code host.
  await refuseOverLimit(deps.store.read, { deps, actor }, sources.length + uploads.length)
  await refusePrivateAddresses(deps, sources, { account: actor.accountId, signal })
  const isPrivate = await Promise.all(sources.map((source) => isPrivateSource(deps, actor, source)))
  const keepsPrivate = isPrivate.includes(true) || sources.some(({ isCredentialed }) => isCredentialed)

  const warnings = [...new Set(sources.flatMap(({ warning }) => warning ?? []))]
  const now = deps.clock()
  const visibility = keepsPrivate ? 'private' : input.visibility
  const serverId = newId('srv')
  const answer = await deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseOverLimit(tx, { deps, actor }, sources.length + uploads.length)
    const slug = await freeSlug(tx, input.name)
    await insertServer(tx, {
      id: serverId,
      accountId: actor.accountId,
      slug,
      name: input.name,
      description: input.description ?? null,
      visibility,
      tools: JSON.stringify(tools),
      structuredOutput: input.structuredOutput ? 1 : 0,
      webPages: input.webPages,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      purgeAt: null,
    })
    const token = visibility === 'private' ? await mintFirstToken(tx, serverId, now) : null
    for (const [position, source] of sources.entries()) {
      // Distinct creation times preserve the order of the sources.
      const about = { serverId, isPrivate: isPrivate[position] === true, createdAt: now + position }
      const usesLinkedAccount = about.isPrivate && mayUseLinkedAccount(actor)
      await insertSource(tx, deps, source, { ...about, usesLinkedAccount })
    }
    for (const [position, name] of uploads.entries()) {
      await announceUpload(tx, name, { serverId, createdAt: now + sources.length + position })
    }
    return remember(tx, {
      serverId,
      slug,
      url: endpointUrl(deps.baseUrl(), slug),
      configSnippet: configSnippet(deps.baseUrl(), { slug, visibility }),
      visibility,
      accessToken: token?.plaintext ?? null,
      ...(ignored.length > 0 ? { ignoredSources: ignored.map(({ url }) => url), ignoredSourceReasons: ignored } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    })
  })
  deps.wakeWorker()
  return answer
}

type Limited = Pick<CheckedCall<'servers.create'>, 'deps' | 'actor'>

/** Checked under the account's lock, so that two concurrent creates cannot both take the last place. */
export async function refuseOverLimit(db: Db, { deps, actor }: Limited, sources: number): Promise<void> {
  const plan = planOf(actor.plan)
  const upgradeUrl = planUrl(deps.baseUrl())
  const live = await countLiveServers(db, actor.accountId, plan.servers ?? 1)
  if (plan.servers !== null && live >= plan.servers) {
    throw new DocentError('enterprise_limit', { fields: { limit: plan.servers, upgradeUrl } })
  }
  const limit = sourceLimit(actor, { isFirst: live === 0, now: deps.clock() })
  if (limit !== null && sources > limit) {
    const purchaseUrl = `${upgradeUrl}?buy=source`
    throw new DocentError('source_limit', { fields: { limit, purchaseUrl, upgradeUrl } })
  }
}

/** Existing names without duplicates. Throws `400 tool_count` or `too_few_valid_tools`. */
function selectTools(given: readonly string[] | undefined, { valid: names, whyNotReady }: SelectableTools): string[] {
  if (!given) return [...DEFAULT_TOOLS]
  if (given.length < MIN_TOOLS) throw new DocentError('tool_count')
  const known = new Set([...names, REPORT_TOOL.name])
  const valid = [...new Set(given)].filter((name) => known.has(name))
  if (valid.length > MAX_TOOLS) throw new DocentError('tool_count')
  const message = whyNotReady(given)
  if (valid.length < MIN_TOOLS)
    throw new DocentError('too_few_valid_tools', message === null ? {} : { fields: { message } })
  return valid
}

const MAX_SLUG = 48
const SUFFIX = 6

/** Lower-case ASCII words of a name, joined by `-`, at most 48 characters. `server` if it has neither letter nor digit. */
export async function slugOf(name: string): Promise<string> {
  // The tables of all scripts take half a megabyte, and most names need none.
  const toAscii = IS_ASCII.test(name) ? (word: string) => word : (await import('any-ascii')).default
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu)?.map((word) => wordsOf(toAscii(word))) ?? []
  return (words.filter(Boolean).join('-') || 'server').slice(0, MAX_SLUG).replace(/(?<!-)-+$/, '')
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const IS_ASCII = /^[\0-\x7f]*$/

/** Words in Latin letters. The apostrophes of transliterations are no ends of words, unlike other marks (`1/2`). */
function wordsOf(ascii: string): string {
  const text = ascii.toLowerCase().replace(/['`]/g, '')
  return text.match(/[a-z0-9]+/g)?.join('-') ?? ''
}

/** A slug that no server uses, not even a deleted one, and that is no path under `/api/mcp/`. */
export async function freeSlug(tx: Db, name: string): Promise<string> {
  const plain = await slugOf(name)
  if (!isReserved(plain) && !(await slugIsTaken(tx, plain))) return plain
  for (;;) {
    const slug = `${plain}-${randomText(SUFFIX).toLowerCase()}`
    if (!(await slugIsTaken(tx, slug))) return slug
  }
}

/** `srv` as well: a slug must not look like an id. */
const isReserved = (slug: string): boolean => RESERVED_SLUGS.has(slug) || /^srv(-|_|$)/.test(slug)
