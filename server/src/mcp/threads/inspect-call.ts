import type { Explanation } from '#search/explain-search.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { Searched, Retriever } from '#search/retrieve.ts'
import { type SearchRule, ruleGlob } from '#search/rules/active-rules.ts'
import type { SearchPin } from '#search/rules/pinned-sections.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { PathsOf } from '#search/rank/page-filter.ts'
import { READ_RESOURCE, isUnknownToolError } from '../dispatch/call-tool.ts'
import { asToolError, ToolError } from '../definition/tool-result.ts'
import type { ToolContext, ToolResult } from '../definition/tool.ts'
import { calledTool } from '../tools/tools.ts'

type InspectContext = Omit<ToolContext, 'search' | 'connectRemote' | 'model'>
type Tool = NonNullable<ReturnType<typeof calledTool>>
type Explain = (request: SearchRequest) => Promise<{ result: SearchResult; explanation: Explanation }>

/** Trace of a tool call. `remark` explains why a call could not be repeated exactly, or is null. */
export type CallTrace = { searches: Explanation[]; remark: string | null }

export type RecordedCall = { tool: string; arguments: string; error: string | null }

/** Markers in the request log for arguments of which it has only a part. */
const CUT = /…"|^\{"omitted":/

/** Stands in for remote servers, which are not called again. */
const refuseRemote: ToolContext['connectRemote'] = async () => {
  throw new ToolError('failed', 'The call went to a remote server, which is not asked again.')
}

/** Repeats a recorded call with search explanations, without remote servers and models. Throws bugs. */
export async function traceCall(
  { context, explain }: { context: InspectContext; explain: Explain },
  call: RecordedCall,
): Promise<CallTrace> {
  if (isUnknownToolError(call.error)) return { searches: [], remark: 'The server had no tool of this name.' }
  if (call.tool === READ_RESOURCE)
    return { searches: [], remark: 'The page was read by its address, without a search.' }
  const tool = calledTool(context.server, call.tool)
  if (!tool) return { searches: [], remark: 'This tool is not there any more.' }
  const searches: Explanation[] = []
  const { refusal } = await repeat({ context, tool, call }, async (request) => {
    const { result, explanation } = await explain(request)
    searches.push(explanation)
    return result
  })
  const isCut = CUT.test(call.arguments)
  const cut = isCut ? 'The recorded arguments are cut: a part of what was asked is missing.' : null
  return { searches, remark: cut ?? refusal?.message ?? null }
}

/** The result of a tool, or its refusal. */
type Repeated = { result: ToolResult; refusal: null } | { result: null; refusal: ToolError }

/** Runs a tool again with other searches, and without remote servers and models. */
async function repeat(
  { context, tool, call }: { context: InspectContext; tool: Tool; call: RecordedCall },
  search: ToolContext['search'],
): Promise<Repeated> {
  try {
    const run = tool.prepare(JSON.parse(call.arguments))
    return { result: await run({ ...context, model: null, search, connectRemote: refuseRemote }), refusal: null }
  } catch (error) {
    const refusal = asToolError(error)
    if (refusal === null) throw error
    return { result: null, refusal }
  }
}

export type PreviewedPassage = { title: string; heading: string; url: string; sourceId: string }

/** What a call gives: the passages of its searches, and its answer with the places that this cites. */
export type PreviewedAnswer = {
  found: PreviewedPassage[]
  text: string
  confidence: string | null
  cited: { title: string; heading: string; url: string }[]
}

/** Rules and pins in place of those of the server. */
export type PreviewChanges = { rules?: readonly SearchRule[]; pins?: readonly SearchPin[] }

/** A call before and after a change. Null if it cannot be repeated. */
export type CallPreview = { before: PreviewedAnswer; after: PreviewedAnswer } | null

/** Repeats a recorded call with the rules and pins of the server, and with `changes`. Makes no external request. */
export async function previewCall(
  { context, retriever }: { context: InspectContext; retriever: Pick<Retriever, 'retrieve'> },
  call: RecordedCall,
  changes: PreviewChanges,
): Promise<CallPreview> {
  if (CUT.test(call.arguments)) return null
  const tool = calledTool(context.server, call.tool)
  if (tool === undefined) return null
  const answer = async (server: Searched): Promise<PreviewedAnswer | null> => {
    const found: PreviewedPassage[] = []
    const { result } = await repeat({ context, tool, call }, async (request, signal) => {
      const searched = await retriever.retrieve(server, request, signal)
      for (const { title, heading, url, sourceId } of searched.passages) found.push({ title, heading, url, sourceId })
      return searched
    })
    return result && { found, ...shownOf(result) }
  }
  const called = { ...context.server, tool: call.tool }
  const before = await answer(called)
  const after = before && (await answer({ ...called, ...changes }))
  return before && after ? { before, after } : null
}

/** The answer without its citation lines if the tool makes one, and else its whole text. */
function shownOf({ content, structuredContent, confidence, passages = [] }: ToolResult) {
  const shown = structuredContent?.['answer'] ?? content[0]?.['text']
  const cited = passages.map(({ title, heading, url }) => ({ title, heading, url }))
  return { text: typeof shown === 'string' ? shown : '', confidence: confidence ?? null, cited }
}

/** A path that a rule names, in one source or in all. */
export type NamedPath = { glob: string; sourceId?: string }

/** A path that no page has, with the most similar paths that some page has. */
export type MissingPath = { glob: string; nearest: string[] }

/** Folders read of a source. Larger ones have more folders than anybody would compare. */
const MOST_FOLDERS = 2_000
/** Folders at this depth or above. */
const DEPTH = 4
const NEAREST = 3

/** Finds the paths that match no page. Empty for a server without pages. */
export function findMissingPaths(
  parts: readonly SourceSegment[],
  paths: readonly NamedPath[],
  pathsOf: PathsOf,
): MissingPath[] {
  if (parts.every(({ segment }) => segment.pageCount === 0)) return []
  return paths.flatMap(({ glob, sourceId }) => {
    const searched = parts.filter((part) => sourceId === undefined || part.sourceId === sourceId)
    const isThere = searched.some(({ segment, type }) => {
      const matches = ruleGlob(glob, type)
      return pathsOf(segment).some((path) => matches(path))
    })
    return isThere ? [] : [{ glob, nearest: nearestFolders(searched, glob, pathsOf) }]
  })
}

function nearestFolders(parts: readonly SourceSegment[], glob: string, pathsOf: PathsOf): string[] {
  const folders = new Set<string>()
  for (const { segment } of parts) for (const path of pathsOf(segment)) addFolders(folders, path)
  const wanted = pairsOf(glob)
  return [...folders]
    .map((folder) => ({ folder, likeness: likeness(wanted, pairsOf(folder)) }))
    .filter(({ likeness: alike }) => alike > 0)
    .sort((a, b) => b.likeness - a.likeness || a.folder.length - b.folder.length)
    .slice(0, NEAREST)
    .map(({ folder }) => folder)
}

function addFolders(folders: Set<string>, path: string): void {
  const names = path.split('/', DEPTH + 1).slice(1)
  for (let depth = 1; depth <= names.length && folders.size < MOST_FOLDERS; depth++) {
    const isWhole = depth === names.length && names.length < DEPTH
    const folder = `/${names.slice(0, depth).join('/')}`
    if (folder !== '/') folders.add(isWhole ? folder : `${folder}/`)
  }
}

/** Pairs of neighbouring characters. */
function pairsOf(text: string): Set<string> {
  const plain = text.toLowerCase().replaceAll('*', '')
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

/** Dice coefficient of two sets. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return (2 * shared) / Math.max(1, a.size + b.size)
}
