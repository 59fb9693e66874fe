import { planUrl } from '#auth/plans.ts'
import { usesOfSources } from '#store/calls/read-calls.ts'
import { type ToolCount, countByTool } from '#store/calls/read-counts.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { readProgress } from '../servers/progress.ts'

export const getAnalyticsSummary: Handler<'analytics.summary'> = async ({ deps, server }) => readSummary(deps, server)

/** Usage of a server, including every call that this node has answered. */
export async function readSummary(deps: OperationDeps, server: ServerRow) {
  const { store, clock, baseUrl, flushCalls } = deps
  await flushCalls()
  const [tools, sources, { status }] = await Promise.all([
    countByTool(store.read, server.id),
    usesOfSources(store.read, server.id),
    readProgress(deps, server.id),
  ])
  const total = tools.reduce(add, { calls: 0, failed: 0, durationMs: 0 })
  return {
    serverId: server.id,
    slug: server.slug,
    name: server.name,
    status,
    generatedAt: isoTime(clock()),
    totalCalls: total.calls,
    failedCalls: total.failed,
    successRate: successRate(total),
    avgDurationMs: total.calls === 0 ? 0 : rounded(total.durationMs / total.calls),
    activeSources: sources.filter(({ segments }) => segments !== '[]').length,
    citedSources: sources.filter(({ citations }) => citations !== null).length,
    toolUsage: tools.map((tool) => ({ name: tool.tool, calls: tool.calls, successRate: successRate(tool) })),
    sourceUsage: sources.map(({ id, url, label, type, calls, citations, lastCitedAt }) => ({
      sourceId: id,
      url,
      label,
      type,
      calls: calls ?? 0,
      citations: citations ?? 0,
      lastCitedAt: lastCitedAt === null ? null : isoTime(lastCitedAt),
    })),
    upgradeUrl: planUrl(baseUrl()),
  }
}

type Counts = Omit<ToolCount, 'tool'>

const add = (sum: Counts, { calls, failed, durationMs }: Counts): Counts => ({
  calls: sum.calls + calls,
  failed: sum.failed + failed,
  durationMs: sum.durationMs + durationMs,
})

/** Per cent. No calls count as no failures. */
const successRate = ({ calls, failed }: Counts): number =>
  calls === 0 ? 100 : rounded((100 * (calls - failed)) / calls)

const rounded = (value: number): number => Math.round(value * 100) / 100
