import type { BuiltInToolName } from '@docent/contract/values/tools'
import { isInjection } from '#answer/injections.ts'
import type { Draft, Survey, Trial } from '#builder/survey.ts'
import { type ProposedQuestion, proposeQuestions } from '#documents/questions/propose-questions.ts'
import { createLibrary, createLibraryMemory, type LibraryDeps } from '#documents/library.ts'
import { type CallPreview, explainSearch, type RecordedCall } from '#search/explain-search.ts'
import { DEFAULT_LANGUAGE } from '#search/analyse/word-analyser.ts'
import type { SearchRequest } from '#search/passage.ts'
import { createRetriever, createSearchMemory } from '#search/retrieve.ts'
import type { SectionAddress } from '#search/rules/pinned-sections.ts'
import { ruledSearch } from '#search/rules/rank-by-rules.ts'
import { ThreadImpacts } from '#search/rank/impact-cache.ts'
import type { TermImpacts } from '#search/rank/term-impacts.ts'
import type { Forgotten } from '#search/shared-index.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { ThreadCall } from '#workers/serve-thread.ts'
import { surveyContent } from '#mcp/custom/survey-content.ts'
import { tryPlan } from '#mcp/custom/try-plan.ts'
import type { ResultForm, SerialisedMembers, SerialisedResult, ToolError } from '../definition/tool-result.ts'
import { asToolError, serialiseResult } from '../definition/tool-result.ts'
import { askHost } from './tool-host.ts'
import { findPlaces, findSections, type FoundSections } from './find-sections.ts'
import type { PreviewChanges, CallTrace } from './inspect-call.ts'
import { previewCall, traceCall } from './inspect-call.ts'
import { lookUpPlaces, type PlaceAnswer, type PlaceQuestion } from './look-up-places.ts'
import { listResources } from '#mcp/pages/list-resources.ts'
import { openUploads } from '#mcp/pages/web-pages.ts'
import { type WebDocument, webDocument } from '#mcp/pages/web-documents.ts'
import { readResource } from '#mcp/pages/read-resource.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { proveQuestion } from '#mcp/tools/prove-question.ts'
import { withAges } from '#mcp/results/page-ages.ts'
import { calledTool, toolFor } from '#mcp/tools/tools.ts'
import { releaseHeap } from '#workers/idle-memory.ts'
import { rememberRecent } from '#lib/objects.ts'

/** Tasks of tool threads, with their input and result. */
export type ToolTasks = {
  call: {
    input: { tool: string; args: unknown; form: ResultForm; hasModel: boolean; reports: boolean }
    result: SerialisedResult
  }
  /** Repeats a recorded call with search explanations. */
  trace: { input: { call: RecordedCall }; result: CallTrace }
  /** Repeats a recorded call with the rules and pins of the server, and with others. */
  preview: { input: { call: RecordedCall; changes: PreviewChanges }; result: CallPreview }
  /** Sections that could answer a question, and the places that addresses of sections lead to. */
  sections: { input: { question: string; query: string }; result: FoundSections }
  places: { input: { addresses: readonly SectionAddress[] }; result: Awaited<ReturnType<typeof findPlaces>> }
  /** Pages of the server, in the format of `resources/list`, and one page, in that of `resources/read`. */
  pages: { input: { cursor: string | undefined }; result: SerialisedMembers }
  page: { input: { uri: string }; result: SerialisedMembers }
  /** A document about all pages, from a page on. */
  document: { input: WebDocument; result: Awaited<ReturnType<typeof webDocument>> }
  /** Looks up the pages that a sentence names. Null for a server without pages. */
  names: { input: { questions: readonly PlaceQuestion[] }; result: PlaceAnswer[] | null }
  /** Facts about the content that a designer of custom tools may know. */
  survey: { input: { topic: string }; result: Survey }
  /** Questions about the pages of a source, and with which confidence one is answered from the part that it is about. */
  proposals: { input: { sourceId: string }; result: ProposedQuestion[] }
  proof: { input: { proposed: ProposedQuestion }; result: Awaited<ReturnType<typeof proveQuestion>> }
  try: { input: Draft & { topic: string }; result: Trial[] }
}

/** `server` identifies a version of a server's row, which a thread requests once. */
export type ToolTask = {
  [Kind in keyof ToolTasks]: { kind: Kind; server: number } & ToolTasks[Kind]['input']
}[keyof ToolTasks]

/** The outcome of a task. Bugs are thrown. */
export type ToolOutcome =
  | { result: ToolTasks[keyof ToolTasks]['result'] }
  | { refused: { reason: ToolError['reason']; message: string } }

export type ToolThreadData = {
  embeddingModel: string | null
  /** Cache limit per thread for page texts and their sections, in bytes. */
  textCacheBytes: number
  sectionCacheBytes: number
  segmentBytes: number
}

/** From a thread: impacts it computed for these segments, and the keys it used. */
export type ToolThreadNote =
  | { made: { key: string; impacts: TermImpacts; segments: readonly string[] } }
  | { used: string[] }

/** To the threads: impacts computed by another thread, and entries to drop. */
export type ToolPoolNote =
  | { made: { key: string; impacts: TermImpacts } }
  | { forget: Forgotten }
  /** Nothing is to do: unused memory goes back to the system. */
  | { rest: true }

/** Unused texts and sections expire after two minutes, including those of replaced versions. */
const [ROUND_MS, ROUNDS] = [30_000, 4]
/** Server rows by number, about 2 kB each. */
const SERVERS = 500

/** Runs the tools of one thread. The host has the data; segments and impacts are in memory shared by all threads. */
export class ToolRunner {
  readonly #embeddingModel: string | null
  readonly #impacts: ThreadImpacts
  readonly #memory: ReturnType<typeof createSearchMemory>
  readonly #libraryMemory: ReturnType<typeof createLibraryMemory>
  readonly #servers = new Map<number, ServedServer>()

  constructor(data: ToolThreadData, tell: (note: ToolThreadNote) => void) {
    const { embeddingModel, segmentBytes: cacheBytes, textCacheBytes, sectionCacheBytes } = data
    this.#embeddingModel = embeddingModel
    this.#impacts = new ThreadImpacts({
      made: (key, impacts, segments) => tell({ made: { key, impacts, segments } }),
      used: (used) => tell({ used }),
    })
    this.#memory = createSearchMemory({ cacheBytes, textCacheBytes, impacts: this.#impacts })
    this.#libraryMemory = createLibraryMemory(sectionCacheBytes)
    setInterval(() => {
      this.#memory.texts.deleteUnused(ROUNDS)
      this.#libraryMemory.outlines.deleteUnused(ROUNDS)
    }, ROUND_MS).unref()
  }

  async run(task: ToolTask, call: ThreadCall): Promise<ToolOutcome> {
    const host = askHost(call)
    const server = await this.#serverOf(task.server, host.loadServer)
    const model = this.#embeddingModel
    const embeddings = model === null ? null : { model, embed: host.embed }
    const retriever = createRetriever(
      { loadSegment: host.segments, loadTexts: host.loadTexts, embeddings },
      this.#memory,
    )
    const library = createLibrary({ ...retriever, ...this.#ruledLibrary(server, task) }, this.#libraryMemory)(server)
    const context = { server, library, reportFailure: host.reportFailure }
    if (task.kind === 'names') {
      const parts = await retriever.parts(server, {})
      return { result: lookUpPlaces(parts, task.questions, this.#memory.ruleMemory.pathsOf) }
    }
    if (task.kind === 'preview') return { result: await previewCall({ context, retriever }, task.call, task.changes) }
    if (task.kind === 'places') return { result: await findPlaces(retriever, server, task.addresses) }
    if (task.kind === 'sections') {
      const analyse = library.analyserOf(DEFAULT_LANGUAGE)
      return { result: await findSections(retriever, server, { ...task, analyse }) }
    }
    if (task.kind === 'trace') {
      const called = { ...server, tool: task.call.tool }
      const explain = (request: SearchRequest) => explainSearch(retriever, called, request)
      return { result: await traceCall({ context, explain }, task.call) }
    }
    const tool = askedOf(task)?.tool
    const called = tool === undefined ? server : { ...server, tool }
    const whole: ToolContext = {
      ...context,
      search: (request, signal) => retriever.retrieve(called, request, signal),
      // A trial measures the plan, not the model.
      model: task.kind === 'call' && task.hasModel ? host.model : null,
      connectRemote: host.connectRemote,
      ...(task.kind === 'call' ? { loadQuestions: host.loadQuestions, loadAges: host.loadAges } : {}),
      ...(task.kind === 'call' && task.reports ? { report: host.report } : {}),
    }
    try {
      if (task.kind === 'pages')
        return { result: listResources(server, await retriever.parts(server, {}), task.cursor) }
      return { result: await runTool(whole, task, call.signal) }
    } catch (error) {
      const told = asToolError(error)
      if (told === null) throw error
      return { refused: { reason: told.reason, message: told.message } }
    }
  }

  onNote(note: ToolPoolNote): void {
    if ('made' in note) return this.#impacts.take(note.made.key, note.made.impacts)
    if ('rest' in note) return releaseHeap()
    this.#impacts.forget(note.forget.impacts)
    for (const id of note.forget.segments) this.#memory.segments.delete(id)
  }

  async #serverOf(number: number, load: () => Promise<ServedServer>): Promise<ServedServer> {
    const known = this.#servers.get(number)
    if (known) return known
    const server = await load()
    rememberRecent(this.#servers, number, server, SERVERS)
    return server
  }

  /** Rules leave out the same pages when a tool looks up a name. Their conditions are met by the arguments of the call. */
  #ruledLibrary({ rules }: ServedServer, task: ToolTask): Pick<LibraryDeps, 'restrict'> {
    const called = rules && askedOf(task)
    if (!called) return {}
    return {
      restrict: (parts, { sourceId }) => {
        const given = { ...called, isScoped: sourceId !== undefined, now: Date.now() }
        return ruledSearch(rules, given, this.#memory.ruleMemory)?.restrict(parts) ?? { parts, masks: null }
      },
    }
  }
}

/** The tool that a task calls, and its arguments as text. Null for other tasks. */
function askedOf(task: ToolTask): { tool: string; query: string } | null {
  if (task.kind === 'call') return { tool: task.tool, query: JSON.stringify(task.args) }
  if (task.kind === 'proof') return { tool: ASK, query: JSON.stringify({ question: task.proposed.question }) }
  return 'call' in task ? { tool: task.call.tool, query: task.call.arguments } : null
}

const ASK: BuiltInToolName = 'ask_question'

async function runTool(
  context: ToolContext,
  task: ToolTask & { kind: 'call' | 'page' | 'document' | 'survey' | 'try' | 'proposals' | 'proof' },
  signal: AbortSignal,
): Promise<ToolTasks[typeof task.kind]['result']> {
  if (task.kind === 'page') return readResource(context, task.uri)
  if (task.kind === 'document') return webDocument(context, task)
  if (task.kind === 'survey') return surveyContent(context, task.topic, signal)
  if (task.kind === 'try') return tryPlan(context, task, toolFor, signal)
  if (task.kind === 'proposals') return proposeQuestions(context.library, task.sourceId, isInjection)
  if (task.kind === 'proof') return proveQuestion(context, task.proposed, signal)
  const tool = calledTool(context.server, task.tool)
  if (tool === undefined) throw new TypeError(`There is no tool "${task.tool}".`)
  const result = await tool.prepare(task.args)(context, signal)
  const told = task.form.structured ? await withAges(context, result) : result
  return serialiseResult(openUploads(told, context.server), task.form)
}
