import { workerData } from 'node:worker_threads'
import { createLibrary, createLibraryMemory, type LibraryDeps } from '#documents/library.ts'
import { explainSearch } from '#search/explain-search.ts'
import type { SearchRequest } from '#search/passage.ts'
import { createRetriever, createSearchMemory } from '#search/retrieve.ts'
import { ruledSearch } from '#search/rules/rank-by-rules.ts'
import { ThreadImpacts } from '#search/rank/impact-cache.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { serveThread, type ThreadCall } from '#workers/serve-thread.ts'
import { surveyContent } from '#mcp/custom/survey-content.ts'
import { tryPlan } from '#mcp/custom/try-plan.ts'
import { serialiseResult, asToolError } from '../definition/tool-result.ts'
import { askHost } from './tool-host.ts'
import type { ToolOutcome, ToolPoolNote, ToolTask, ToolThreadData, ToolThreadNote } from './tool-tasks.ts'
import { findMissingPaths, previewCall, traceCall } from './inspect-call.ts'
import { listResources } from '#mcp/pages/list-resources.ts'
import { readResource } from '#mcp/pages/read-resource.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { calledTool, toolFor } from '#mcp/tools/tools.ts'

/*
 * A thread that runs tools. It has no access to the database or the network and requests both from the main thread.
 * Segments and impacts are in memory shared by all threads.
 */

const { embeddingModel, segmentBytes, textCacheBytes, sectionCacheBytes } = workerData as ToolThreadData

const impacts = new ThreadImpacts({
  made: (key, made, segments) => tell({ made: { key, impacts: made, segments } }),
  used: (used) => tell({ used }),
})
const memory = createSearchMemory({ cacheBytes: segmentBytes, textCacheBytes, impacts })
const libraryMemory = createLibraryMemory(sectionCacheBytes)

/** Unused texts and sections expire after two minutes, including those of replaced versions. */
const [ROUND_MS, ROUNDS] = [30_000, 4]
setInterval(() => {
  memory.texts.deleteUnused(ROUNDS)
  libraryMemory.outlines.deleteUnused(ROUNDS)
}, ROUND_MS).unref()

/** Server rows by number, about 2 kB each. */
const servers = new Map<number, ServedServer>()
const SERVERS = 500

async function serverOf(number: number, load: () => Promise<ServedServer>): Promise<ServedServer> {
  const known = servers.get(number)
  if (known) return known
  const server = await load()
  servers.set(number, server)
  for (const oldest of servers.keys()) {
    if (servers.size <= SERVERS) break
    servers.delete(oldest)
  }
  return server
}

async function run(task: ToolTask, call: ThreadCall): Promise<ToolOutcome> {
  const host = askHost(call)
  const server = await serverOf(task.server, host.loadServer)
  const retriever = createRetriever(
    {
      async loadSegment(id) {
        const bytes = await host.loadSegment(id)
        return bytes && new Uint8Array(bytes)
      },
      loadTexts: host.loadTexts,
      embeddings: embeddingModel === null ? null : { model: embeddingModel, embed: host.embed },
    },
    memory,
  )
  const library = createLibrary({ ...retriever, ...ruledLibrary(server, task) }, libraryMemory)(server)
  const context = { server, library, reportFailure: host.reportFailure }
  if (task.kind === 'paths') {
    const parts = await retriever.parts(server, {})
    return { result: findMissingPaths(parts, task.paths, memory.ruleMemory.pathsOf) }
  }
  if (task.kind === 'preview') return { result: await previewCall({ context, retriever }, task.call, task.rules) }
  if (task.kind === 'trace') {
    const called = { ...server, tool: task.call.tool }
    const explain = (request: SearchRequest) => explainSearch(retriever, called, request)
    return { result: await traceCall({ context, explain }, task.call) }
  }
  const called = task.kind === 'call' ? { ...server, tool: task.tool } : server
  const whole: ToolContext = {
    ...context,
    search: (request, signal) => retriever.retrieve(called, request, signal),
    // A trial measures the plan, not the model.
    model: task.kind === 'call' && task.hasModel ? host.model : null,
    connectRemote: host.connectRemote,
    ...(task.kind === 'call' && task.reports ? { report: host.report } : {}),
  }
  try {
    if (task.kind === 'pages') return { result: listResources(server, await retriever.parts(server, {}), task.cursor) }
    if (task.kind === 'page') return { result: await readResource(whole, task.uri) }
    if (task.kind === 'survey') return { result: await surveyContent(whole, task.topic) }
    if (task.kind === 'try') return { result: await tryPlan(whole, task, toolFor, call.signal) }
    const tool = calledTool(server, task.tool)
    if (tool === undefined) throw new TypeError(`There is no tool "${task.tool}".`)
    const result = await tool.prepare(task.args)(whole, call.signal)
    return { result: serialiseResult(result, task.form) }
  } catch (error) {
    const told = asToolError(error)
    if (told === null) throw error
    return { refused: { reason: told.reason, message: told.message } }
  }
}

/** Rules leave out the same pages when a tool looks up a name. Their conditions are met by the arguments of the call. */
function ruledLibrary({ rules }: ServedServer, task: ToolTask): Pick<LibraryDeps, 'restrict'> {
  if (rules === undefined || (task.kind !== 'call' && !('call' in task))) return {}
  const { tool, asked } =
    task.kind === 'call'
      ? { tool: task.tool, asked: JSON.stringify(task.args) }
      : { tool: task.call.tool, asked: task.call.arguments }
  return {
    restrict(parts, { sourceId }) {
      const given = { query: asked, tool, isScoped: sourceId !== undefined, now: Date.now() }
      const ruled = ruledSearch(rules, given, memory.ruleMemory)
      return { parts: ruled?.restrict(parts) ?? parts, masks: ruled?.masks(null) ?? null }
    },
  }
}

function onNote(note: ToolPoolNote): void {
  if ('made' in note) return impacts.take(note.made.key, note.made.impacts)
  impacts.forget(note.forget.impacts)
  for (const id of note.forget.segments) memory.segments.forget(id)
}

const send = serveThread<ToolTask>({ run, onNote })

function tell(note: ToolThreadNote): void {
  send(note)
}
