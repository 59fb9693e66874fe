import { type CustomToolPlan, CustomToolPlanSchema } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import { isInjection } from '#answer/injections.ts'
import { paraphrase } from '#builder/describe-plan.ts'
import { planOf } from '#auth/plans.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { maskAddress, maskAddresses } from '#lib/addresses/secret-address.ts'
import { newId } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import {
  countCustomTools,
  type CustomToolRow,
  deleteCustomToolRow,
  deleteOldFailures,
  findCustomTool,
  insertCustomTool,
  listCustomToolRows,
  replaceTools,
  restartBuild,
  serversWithTool,
  updateToolWords,
} from '#store/servers/custom-tools.ts'
import { lockAccount } from '#store/servers/servers.ts'
import type { HandlersOf, OperationDeps } from './operation.ts'
import { pageOf } from './paging.ts'
import { fewToolsNotice } from './servers/tools.ts'

/** Failed tools kept per account: enough to read why, few enough not to pile up. */
const FAILURES_KEPT = 10
const NAME_CHARACTERS = 60

export const customToolHandlers: HandlersOf<'customTools'> = {
  'customTools.list': async ({ deps, actor, showNext }, position) => {
    const rows = await listCustomToolRows(deps.store.read, actor.accountId)
    const { shown, next } = pageOf(rows, position)
    if (next !== null) showNext?.(next)
    const limit = planOf(actor.plan).customTools
    return { tools: shown.map(presentCustomTool), limit, available: deps.features.customTools }
  },

  'customTools.create': async ({ deps, actor, remember }, { prompt, sources }) => {
    const { accountId, serverIds } = actor
    await refuseBeyondLimit(deps.store.read, actor)
    refuseUnlessConfigured(deps)
    const now = deps.clock()
    const id = newId('ct')
    const shown = maskAddresses(prompt)
    await deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      await refuseBeyondLimit(tx, actor)
      await deleteOldFailures(tx, accountId, FAILURES_KEPT - 1)
      await insertCustomTool(tx, {
        id,
        accountId,
        name: 'custom_tool',
        displayName: shorten(shown),
        description: shown,
        status: 'building',
        inputSchema: '{"type":"object"}',
        plan: null,
        error: null,
        prompt: shown,
        sources: JSON.stringify(sources.map((source) => ({ ...source, url: maskAddress(source.url) }))),
        serverIds: serverIds ? JSON.stringify([...serverIds]) : null,
        createdAt: now,
        updatedAt: now,
      })
      const tool = await findCustomTool(tx, accountId, id)
      // A repeated request gets the tool that the first one builds. Its build may not be finished.
      if (tool) await remember(tx, { type: 'tool', tool: presentCustomTool(tool) })
    })
    return followBuild(deps, id)
  },

  'customTools.get': async ({ customTool }) => presentCustomTool(customTool),

  'customTools.update': async ({ deps, actor: { accountId }, customTool }, given) => {
    refuseWords(given)
    return deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const tool = found(await findCustomTool(tx, accountId, customTool.id), 'custom_tool_not_found')
      const { displayName = tool.displayName, description = tool.description } = given
      const plan = { ...(JSON.parse(tool.plan ?? '{}') as Record<string, unknown>), displayName, description }
      const words = { displayName, description, plan: JSON.stringify(plan), updatedAt: deps.clock() }
      return presentCustomTool(found(await updateToolWords(tx, tool, words), 'custom_tool_not_ready'))
    })
  },

  /** Also removes the tool from deleted servers, which may be restored, but does not report those. */
  'customTools.delete': async ({ deps, actor: { accountId }, customTool }) => {
    const selected = `custom:${customTool.id}`
    const now = deps.clock()
    const detachedFrom = await deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      if (!(await deleteCustomToolRow(tx, accountId, customTool.id))) throw new DocentError('custom_tool_not_found')
      const detached = []
      for (const server of await serversWithTool(tx, accountId, selected)) {
        const tools = JSON.parse(server.tools) as string[]
        const remaining = tools.filter((tool) => tool !== selected)
        if (remaining.length === tools.length) continue
        await replaceTools(tx, server.id, JSON.stringify(remaining), now)
        if (server.deletedAt !== null) continue
        detached.push({ ...server, remainingTools: remaining.length, ...fewToolsNotice(remaining.length) })
      }
      return detached
    })
    return { ok: true, detachedFrom }
  },

  'customTools.retry': async ({ deps, actor, customTool }) => {
    refuseUnlessConfigured(deps)
    await deps.store.transaction(async (tx) => {
      await lockAccount(tx, actor.accountId)
      await refuseBeyondLimit(tx, actor)
      if (!(await restartBuild(tx, customTool.id, deps.clock()))) throw new DocentError('custom_tool_not_failed')
    })
    return followBuild(deps, customTool.id)
  },
}

async function refuseBeyondLimit(db: Db, { accountId, plan }: { accountId: string; plan: string }): Promise<void> {
  const limit = planOf(plan).customTools
  if ((await countCustomTools(db, accountId)) >= limit)
    throw new DocentError('custom_tool_limit', { fields: { limit } })
}

function refuseUnlessConfigured({ features }: Pick<OperationDeps, 'features'>): void {
  if (!features.customTools) throw new DocentError('not_configured')
}

/** Models read these words, as they read those of a built plan. */
function refuseWords(given: { displayName?: string | undefined; description?: string | undefined }): void {
  const texts = [given.displayName ?? '', given.description ?? '']
  if (texts.some((text) => isInjection(text) || /\bhttps?:\/\//i.test(text))) throw new DocentError('custom_tool_words')
}

function shorten(prompt: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ')
  return line.length <= NAME_CHARACTERS ? line : `${line.slice(0, NAME_CHARACTERS - 1).toWellFormed()}…`
}

const STOPPED = 'The service stops. The build continues when it has started again: read the tool by its id.'

/**
 * The events of a build, for its client. Ends with exactly one `tool` or `error`. The build continues without readers.
 */
async function* followBuild({ builds }: Pick<OperationDeps, 'builds'>, toolId: string) {
  for await (const event of builds.follow(toolId)) {
    if (event.type === 'tool') {
      yield { type: 'tool' as const, tool: presentCustomTool(event.tool) }
      return
    }
    yield event
    if (event.type === 'error') return
  }
  yield { type: 'error' as const, message: STOPPED }
}

const ProgressSchema = z.array(z.object({ stage: z.enum(['reading', 'designing', 'validating']), message: z.string() }))

function presentCustomTool({ progress, error, ...tool }: CustomToolRow) {
  const plan = readPlan(tool)
  const latest = tool.status === 'building' ? ProgressSchema.parse(JSON.parse(progress ?? '[]')).at(-1) : undefined
  return {
    ...isoTimes(tool),
    inputSchema: JSON.parse(tool.inputSchema) as Record<string, unknown>,
    plan,
    ...(plan === null ? {} : { understood: paraphrase(plan), leftOut: plan.leftOut ?? [] }),
    ...(latest === undefined ? {} : { progress: latest }),
    ...(error === null ? {} : { error }),
  }
}

/** A plan that this version cannot run is not shown as one. */
function readPlan({ plan }: Pick<CustomToolRow, 'plan'>): CustomToolPlan | null {
  const parsed = plan === null ? null : CustomToolPlanSchema.safeParse(JSON.parse(plan))
  return parsed?.success ? parsed.data : null
}
