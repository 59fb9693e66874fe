import { MAX_CONFIGURATIONS } from '@docent/contract/operations/configurations'
import { ATTRIBUTION_SECONDS } from '@docent/contract/operations/developers'
import { type SourceSetting, type ToolSetting, readSetting } from '@docent/contract/values/setting-texts'
import { ensureDeveloper, mintAttributionToken, regenerateSecret } from '#auth/developers.ts'
import { DocentError, found } from '#errors.ts'
import { isoTime, isoTimes } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import {
  type Configuration,
  type Developer,
  countConfigurations,
  deleteConfigurationRow,
  findConfigurationOf,
  insertConfiguration,
  listConfigurationRows,
  lockDeveloper,
  updateConfiguration,
} from '#store/accounts/developers.ts'
import { serverIdsOf } from '#store/servers/servers.ts'
import { type HandlersOf, type OperationDeps, done } from '../operation.ts'
import { selectableTools } from '../servers/tools.ts'
import { answerParts } from './answer-parts.ts'

/** Name of a configuration without a domain that was given none. */
const NAMELESS = 'Any page'

const EMPTY = { tools: '[]', sources: '[]', colors: '{}', layout: 'horizontal', fontFamily: '', isActive: 1 } as const

export const configurationHandlers: HandlersOf<'configurations' | 'credentials' | 'attributionTokens'> = {
  'configurations.list': async ({ deps, actor }) => {
    const { id } = await ensureDeveloper(deps, actor.accountId)
    return (await listConfigurationRows(deps.store.read, id)).map(presentConfiguration)
  },

  'configurations.save': async ({ deps, actor }, input) => {
    const { id: developerId } = await ensureDeveloper(deps, actor.accountId)
    if (input.sources) await refuseUnknownServers(deps, actor.accountId, readSetting('sources', input.sources))
    if (input.tools) await refuseUnknownTools(deps, actor.accountId, readSetting('tools', input.tools))
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
  },

  'configurations.try': async ({ deps, actor: { accountId }, signal }, { sources, tool, question }) => {
    const answer = await deps.tryEmbedded({
      accountId,
      // Trials of an account share one joined server, which changes with the chosen sources.
      configurationId: `trial of ${accountId}`,
      endUserId: null,
      sources: readSetting('sources', sources ?? '[]'),
      withPrivate: false,
      address: '',
      tool,
      text: question,
    })
    return answerParts(answer, signal)
  },

  'configurations.delete': ({ deps, ownConfiguration }) =>
    done(deps, (tx) => deleteConfigurationRow(tx, ownConfiguration.id)),

  'credentials.get': async ({ deps, actor }) => presentCredentials(deps, await ensureDeveloper(deps, actor.accountId)),

  'credentials.change': async ({ deps, actor }) => {
    const developer = await ensureDeveloper(deps, actor.accountId)
    return presentCredentials(deps, await regenerateSecret(deps, developer))
  },

  'attributionTokens.create': async ({ deps, actor }, { endUserId }) => {
    // The credential of this operation is always a client secret, whose id is the developer's.
    const owner = { developerId: actor.credential.id, endUserId: endUserId ?? null }
    const minted = found(await mintAttributionToken(deps, owner, ATTRIBUTION_SECONDS * 1000), 'signing_unavailable')
    return { token: minted.token, expiresAt: isoTime(minted.expiresAt), expiresInSeconds: ATTRIBUTION_SECONDS }
  },
}

type Input = Parameters<(typeof configurationHandlers)['configurations.save']>[1]

/** The columns of the fields in the request. Null counts as absent. */
function given({ name, tools, sources, colors, layout, fontFamily, isActive }: Input): Partial<Configuration> {
  const flag = typeof isActive === 'boolean' ? Number(isActive) : null
  const values = Object.entries({ name, tools, sources, colors, layout, fontFamily, isActive: flag })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null))
}

/** A server that was deleted since is left out of answers. A wrong id is a mistake that is better found now. */
async function refuseUnknownServers({ store }: OperationDeps, accountId: string, sources: readonly SourceSetting[]) {
  const own = new Set(await serverIdsOf(store.read, accountId))
  const wrong = sources.findIndex(({ serverId }) => serverId !== undefined && !own.has(serverId))
  if (wrong === -1) return
  throw new DocentError('invalid_input', { text: `sources: [${wrong}].serverId names no server of the account.` })
}

async function refuseUnknownTools({ store }: OperationDeps, accountId: string, tools: readonly ToolSetting[]) {
  const { valid } = await selectableTools(store.read, accountId)
  const unknown = tools.map(({ name }) => name).filter((name) => !valid.includes(name))
  if (unknown.length > 0) throw new DocentError('unknown_tool', { fields: { unknown, validTools: valid } })
}

function presentConfiguration(row: Configuration) {
  return { ...isoTimes(row), domain: row.domain || null, isActive: row.isActive === 1 }
}

function presentCredentials({ vault }: OperationDeps, { id, clientId, sealedSecret, appName }: Developer) {
  return { clientId, clientSecret: vault.unseal(sealedSecret, { table: 'developers', id }), appName }
}
