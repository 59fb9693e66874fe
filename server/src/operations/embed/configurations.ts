import { MAX_CONFIGURATIONS } from '@docent/contract/operations/configurations'
import { type SourceSetting, readSetting } from '@docent/contract/values/setting-texts'
import { ensureDeveloper } from '#auth/developers.ts'
import {
  listConfigurationRows,
  type Configuration,
  countConfigurations,
  findConfigurationOf,
  insertConfiguration,
  updateConfiguration,
  deleteConfigurationRow,
  lockDeveloper,
} from '#store/accounts/developers.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { serverIdsOf } from '#store/servers/servers.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { answerParts } from './answer-parts.ts'

export const listConfigurations: Handler<'configurations.list'> = async ({ deps, actor }) => {
  const { id } = await ensureDeveloper(deps, actor.accountId)
  return (await listConfigurationRows(deps.store.read, id)).map(presentConfiguration)
}

/** Name of a configuration without a domain that was given none. */
const NAMELESS = 'Any page'

const EMPTY = { tools: '[]', sources: '[]', colors: '{}', layout: 'horizontal', fontFamily: '', isActive: 1 } as const

export const saveConfiguration: Handler<'configurations.save'> = async ({ deps, actor }, input) => {
  const { id: developerId } = await ensureDeveloper(deps, actor.accountId)
  if (input.sources) await refuseUnknownServers(deps, actor.accountId, readSetting('sources', input.sources))
  const domain = input.domain ?? ''
  const saved = await deps.store.transaction(async (tx): Promise<Configuration> => {
    await lockDeveloper(tx, developerId)
    const { count, lastUpdate } = await countConfigurations(tx, developerId)
    // Two updates in one millisecond still have an order.
    const now = Math.max(deps.clock(), lastUpdate + 1)
    const known = await findConfigurationOf(tx, developerId, domain)
    if (known) {
      const next = { ...known, ...given(input), updatedAt: now }
      await updateConfiguration(tx, next)
      return next
    }
    if (count >= MAX_CONFIGURATIONS) {
      throw new DocentError('configuration_limit', { fields: { limit: MAX_CONFIGURATIONS } })
    }
    const about = { id: newId('cfg'), developerId, domain, name: domain || NAMELESS, createdAt: now, updatedAt: now }
    const fresh = { ...EMPTY, ...about, ...given(input) }
    await insertConfiguration(tx, fresh)
    return fresh
  })
  return presentConfiguration(saved)
}

type Input = Parameters<typeof saveConfiguration>[1]

/** The columns of the fields in the request. Null counts as absent. */
function given({ name, tools, sources, colors, layout, fontFamily, isActive }: Input): Partial<Configuration> {
  const flag = typeof isActive === 'boolean' ? Number(isActive) : null
  const values = Object.entries({ name, tools, sources, colors, layout, fontFamily, isActive: flag })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null))
}

/** A server that was deleted since is left out of answers. A wrong id is a mistake that is better found now. */
async function refuseUnknownServers(
  { store }: OperationDeps,
  accountId: string,
  sources: readonly SourceSetting[],
): Promise<void> {
  const own = new Set(await serverIdsOf(store.read, accountId))
  const wrong = sources.findIndex(({ serverId }) => serverId !== undefined && !own.has(serverId))
  if (wrong === -1) return
  throw new DocentError('invalid_input', { text: `sources: [${wrong}].serverId names no server of the account.` })
}

export const tryConfiguration: Handler<'configurations.try'> = async (
  { deps, actor, signal },
  { sources, tool, question },
) => {
  const { accountId } = actor
  const answer = await deps.tryEmbedded({
    accountId,
    // Trials of an account share one joined server, which changes with the chosen sources.
    configurationId: `trial of ${accountId}`,
    endUserId: null,
    sources: readSetting('sources', sources ?? '[]'),
    withPrivate: false,
    tool,
    text: question,
  })
  return answerParts(answer, signal)
}

export const deleteConfiguration: Handler<'configurations.delete'> = async ({ deps, ownConfiguration }) => {
  await deleteConfigurationRow(deps.store.write, ownConfiguration.id)
  return { ok: true }
}

function presentConfiguration(row: Configuration) {
  const { id, developerId, name, domain, tools, sources, colors, layout, fontFamily } = row
  return {
    id,
    developerId,
    name,
    domain: domain === '' ? null : domain,
    tools,
    sources,
    colors,
    layout,
    fontFamily,
    isActive: row.isActive === 1,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  }
}
