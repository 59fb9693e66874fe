import { MAX_TOOLS, MIN_TOOLS } from '@docent/contract/tools'
import type { SourceType } from '@docent/contract/sources'
import { planOf, sourceLimit } from '#auth/plans.ts'
import { newSecret } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { insertAccessToken } from '#store/access-tokens.ts'
import type { Db } from '#store/db.ts'
import { countLiveServers, insertServer, lockAccount } from '#store/servers.ts'
import { insertSource, newSourceRow } from '#store/sources.ts'
import type { CheckedCall, Handler, OperationDeps } from '../operation.ts'
import { detectType } from './detect-type.ts'
import { configSnippet, endpointUrl } from './present.ts'
import { selectTools } from './select-tools.ts'
import { freeSlug } from './slug.ts'

type NewSource = { url: string; label: string | null; type: SourceType }

export const createServer: Handler<'servers.create'> = async ({ deps, actor }, input) => {
  const tools = selectTools(input.tools, { min: MIN_TOOLS, max: MAX_TOOLS })
  const { sources, ignored } = readSources(input.sources, deps)
  await refusePrivateAddresses(deps, sources)
  if (input.sources.some(({ auth }) => auth)) throw new DocentError('credentials_unavailable')

  const now = deps.clock()
  const token = input.visibility === 'private' ? newSecret('dat_') : null
  const server = {
    id: newId('srv'),
    accountId: actor.accountId,
    name: input.name,
    description: input.description ?? null,
    visibility: input.visibility,
    tools: JSON.stringify(tools),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    purgeAt: null,
  }
  const slug = await deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseOverLimit(tx, { deps, actor }, sources.length)
    const chosen = await freeSlug(tx, input.name)
    await insertServer(tx, { ...server, slug: chosen })
    if (token) {
      const { hash, last4 } = token
      await insertAccessToken(tx, {
        id: newId('tok'),
        serverId: server.id,
        name: 'First token',
        hash,
        last4,
        createdAt: now,
      })
    }
    for (const [position, source] of sources.entries()) {
      // Creation times that differ keep the sources in the order in which they were given.
      const row = newSourceRow({ ...source, id: newId('src'), serverId: server.id, createdAt: now + position })
      await insertSource(tx, row)
      await enqueueIngest(tx, row)
    }
    return chosen
  })
  deps.wakeWorker()
  return {
    serverId: server.id,
    slug,
    url: endpointUrl(deps.baseUrl(), slug),
    configSnippet: configSnippet(deps.baseUrl(), { slug, visibility: input.visibility }),
    visibility: input.visibility,
    accessToken: token?.plaintext ?? null,
    ...(ignored.length > 0 ? { ignoredSources: ignored } : {}),
  }
}

type SourceInput = Parameters<typeof createServer>[1]['sources'][number]

/** Addresses that are http(s) URLs, each once; the others are named in the answer and not lost in silence. */
function readSources(
  given: readonly SourceInput[],
  { parseAddress }: OperationDeps,
): { sources: NewSource[]; ignored: string[] } {
  const sources = new Map<string, NewSource>()
  const ignored: string[] = []
  for (const { url: text, label, type, auth } of given) {
    const url = parseAddress(text)
    if (!url) {
      ignored.push(text)
      continue
    }
    const kind = type ?? detectType(url)
    if (auth && kind !== 'mcp') throw new DocentError('only_mcp_credentials')
    if (!sources.has(url.href)) sources.set(url.href, { url: url.href, label: label ?? null, type: kind })
  }
  if (sources.size === 0) throw new DocentError('no_valid_source_url')
  return { sources: [...sources.values()], ignored }
}

async function refusePrivateAddresses(
  deps: CheckedCall<'servers.create'>['deps'],
  sources: readonly NewSource[],
): Promise<void> {
  const verdicts = await Promise.all(sources.map(({ url }) => deps.pointsToPrivate(url)))
  const refused = sources.filter((_, position) => verdicts[position])
  if (refused.length === 0) return
  const list = refused.map(({ url }) => url).join(', ')
  throw new DocentError('private_source_urls', {
    text: `These URLs point to private or internal network addresses and cannot be indexed: ${list}`,
  })
}

/** Under the account's lock, so that two creates at once cannot both take the last place. */
async function refuseOverLimit(tx: Db, { deps, actor }: CheckedCall<'servers.create'>, sources: number): Promise<void> {
  const plan = planOf(actor.plan)
  const upgradeUrl = `${deps.baseUrl()}/plan`
  const live = await countLiveServers(tx, actor.accountId)
  if (plan.servers !== null && live >= plan.servers) {
    throw new DocentError('enterprise_limit', { fields: { limit: plan.servers, upgradeUrl } })
  }
  const limit = sourceLimit(actor, { isFirst: live === 0, now: deps.clock() })
  if (limit !== null && sources > limit) {
    const purchaseUrl = `${upgradeUrl}?buy=source`
    throw new DocentError('source_limit', { fields: { limit, purchaseUrl, upgradeUrl } })
  }
}
