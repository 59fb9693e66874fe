import { planOf } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { lockAccount } from '#store/servers/servers.ts'
import {
  countCustomTools,
  findCustomTool,
  insertCustomTool,
  deleteOldFailures,
  restartBuild,
} from '#store/servers/custom-tools.ts'
import type { Handler, OperationDeps } from './operation.ts'
import { presentCustomTool } from './custom-tools.ts'

/** Failed tools kept per account: enough to read why, few enough not to pile up. */
const FAILURES_KEPT = 10
const NAME_CHARACTERS = 60

export const createCustomTool: Handler<'customTools.create'> = async (
  { deps, actor, remember },
  { prompt, sources },
) => {
  await refuseBeyondLimit(deps.store.read, actor)
  refuseUnlessConfigured(deps)
  const now = deps.clock()
  const id = newId('ct')
  await deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseBeyondLimit(tx, actor)
    await deleteOldFailures(tx, actor.accountId, FAILURES_KEPT - 1)
    await insertCustomTool(tx, {
      id,
      accountId: actor.accountId,
      name: 'custom_tool',
      displayName: shorten(prompt),
      description: prompt,
      status: 'building',
      inputSchema: '{"type":"object"}',
      plan: null,
      error: null,
      prompt,
      sources: JSON.stringify(sources),
      serverIds: actor.serverIds ? JSON.stringify([...actor.serverIds]) : null,
      createdAt: now,
      updatedAt: now,
    })
    const tool = await findCustomTool(tx, actor.accountId, id)
    // A repeated request gets the tool that the first one builds. Its build may not be finished.
    if (tool) await remember(tx, { type: 'tool', tool: presentCustomTool(tool) })
  })
  return followBuild(deps, id)
}

/** Throws `409 custom_tool_limit` if the account has as many tools as its plan includes. */
async function refuseBeyondLimit(db: Db, { accountId, plan }: { accountId: string; plan: string }): Promise<void> {
  const limit = planOf(plan).customTools
  if ((await countCustomTools(db, accountId)) >= limit)
    throw new DocentError('custom_tool_limit', { fields: { limit } })
}

/** Throws `503 not_configured` if the operator has switched building off. */
function refuseUnlessConfigured({ features }: Pick<OperationDeps, 'features'>): void {
  if (!features.customTools) throw new DocentError('not_configured')
}

function shorten(prompt: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ')
  return line.length <= NAME_CHARACTERS ? line : `${line.slice(0, NAME_CHARACTERS - 1).toWellFormed()}…`
}

export const retryCustomTool: Handler<'customTools.retry'> = async ({ deps, actor, customTool }) => {
  refuseUnlessConfigured(deps)
  await deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseBeyondLimit(tx, actor)
    if (!(await restartBuild(tx, customTool.id, deps.clock()))) throw new DocentError('custom_tool_not_failed')
  })
  return followBuild(deps, customTool.id)
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
