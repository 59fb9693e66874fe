import { type CustomToolPlan, CustomToolPlanSchema } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import { planOf } from '#auth/plans.ts'
import {
  listCustomToolRows,
  findCustomTool,
  updateToolWords,
  deleteCustomToolRow,
  replaceTools,
  serversWithTool,
  type CustomToolRow,
} from '#store/servers/custom-tools.ts'
import { isInjection } from '#answer/detect-injection.ts'
import { DocentError } from '#errors.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler } from './operation.ts'
import { fewToolsNotice } from './servers/tools.ts'

export const listCustomTools: Handler<'customTools.list'> = async ({ deps, actor }) => {
  const tools = await listCustomToolRows(deps.store.read, actor.accountId)
  return {
    tools: tools.map(presentCustomTool),
    limit: planOf(actor.plan).customTools,
    available: deps.features.customTools,
  }
}

export const getCustomTool: Handler<'customTools.get'> = async ({ customTool }) => presentCustomTool(customTool)

export const updateCustomTool: Handler<'customTools.update'> = async ({ deps, actor, customTool }, given) => {
  refuseWords(given)
  const { accountId } = actor
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const tool = await findCustomTool(tx, accountId, customTool.id)
    if (!tool) throw new DocentError('custom_tool_not_found')
    const { displayName = tool.displayName, description = tool.description } = given
    const plan = { ...(JSON.parse(tool.plan ?? '{}') as Record<string, unknown>), displayName, description }
    const changed = await updateToolWords(tx, tool, {
      displayName,
      description,
      plan: JSON.stringify(plan),
      updatedAt: deps.clock(),
    })
    if (!changed) throw new DocentError('custom_tool_not_ready')
    return presentCustomTool(changed)
  })
}

/** Models read these words, as they read those of a built plan. */
function refuseWords({
  displayName = '',
  description = '',
}: {
  displayName?: string | undefined
  description?: string | undefined
}): void {
  const texts = [displayName, description]
  if (texts.some((text) => isInjection(text) || /\bhttps?:\/\//i.test(text))) throw new DocentError('custom_tool_words')
}

/** Also removes the tool from deleted servers, which may be restored, but does not report those. */
export const deleteCustomTool: Handler<'customTools.delete'> = async ({ deps, actor, customTool }) => {
  const name = `custom:${customTool.id}`
  const { accountId } = actor
  const now = deps.clock()
  const detachedFrom = await deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await deleteCustomToolRow(tx, accountId, customTool.id))) throw new DocentError('custom_tool_not_found')
    const detached = []
    for (const server of await serversWithTool(tx, accountId, name)) {
      const tools = JSON.parse(server.tools) as string[]
      const remaining = tools.filter((tool) => tool !== name)
      if (remaining.length === tools.length) continue
      await replaceTools(tx, server.id, JSON.stringify(remaining), now)
      if (server.deletedAt !== null) continue
      detached.push({
        id: server.id,
        name: server.name,
        slug: server.slug,
        remainingTools: remaining.length,
        ...fewToolsNotice(remaining.length),
      })
    }
    return detached
  })
  return { ok: true, detachedFrom }
}

const ProgressSchema = z.array(z.object({ stage: z.enum(['reading', 'designing', 'validating']), message: z.string() }))

export function presentCustomTool(tool: CustomToolRow) {
  const progress =
    tool.status === 'building' ? ProgressSchema.parse(JSON.parse(tool.progress ?? '[]')).at(-1) : undefined
  return {
    id: tool.id,
    name: tool.name,
    displayName: tool.displayName,
    description: tool.description,
    status: tool.status,
    inputSchema: JSON.parse(tool.inputSchema) as Record<string, unknown>,
    plan: readPlan(tool),
    prompt: tool.prompt,
    ...(progress === undefined ? {} : { progress }),
    ...(tool.error === null ? {} : { error: tool.error }),
    createdAt: isoTime(tool.createdAt),
    updatedAt: isoTime(tool.updatedAt),
  }
}

/** A plan that this version cannot run is not shown as one. */
function readPlan({ plan }: CustomToolRow): CustomToolPlan | null {
  const parsed = plan === null ? null : CustomToolPlanSchema.safeParse(JSON.parse(plan))
  return parsed?.success ? parsed.data : null
}
