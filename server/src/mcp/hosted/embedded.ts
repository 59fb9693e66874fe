import type { EmbedToolName } from '@docent/contract/values/embed-tools'
import type { SourceSetting } from '@docent/contract/values/setting-texts'
import type { EmbeddedQuestion, LoggedAnswer, EmbeddedAnswer, AnswerFailure } from '#answer/answer.ts'
import { DocentError } from '#errors.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import { VERSION } from '#version.ts'
import { piecesOf } from '#documents/model/read-block.ts'
import { failureRemark } from '#answer/by-model.ts'
import type { ReportProgress } from '../definition/tool.ts'
import { callTool } from '../dispatch/call-tool.ts'
import type { EndpointOf } from './hosted-endpoints.ts'
import { fence, oneLine } from '../passages/format-citation.ts'
import type { SerialisedResult } from '../definition/tool-result.ts'
import { rememberRecent } from '#lib/objects.ts'

type Servers = {
  findServer: (id: string) => Promise<ServedServer | undefined>
  serverIdsOf: (accountId: string) => Promise<string[]>
}
type Deps = { endpointOf: EndpointOf; widgetServer: WidgetServer; newCallId: () => string }

/** Whose widget it is, and the sources that it answers from. */
type Widget = Pick<EmbeddedQuestion, 'accountId' | 'configurationId' | 'sources' | 'withPrivate'>

/** Finds the sources of a widget, as one server. Null if it has none. */
type WidgetServer = (widget: Widget) => Promise<ServedServer | null>

/** Servers of one question. Statistics are summed over all of their segments. */
const MAX_SERVERS = 20
/** Joined servers to keep, about 3 kB each. */
const KEPT = 500

/** The name of the only argument that a tool needs. */
const ARGUMENTS = { ask_question: 'question', search_docs: 'query', get_code_examples: 'task' }

const USED_UP = 'This widget has answered as many questions as it may this month.'
const USED_UP_TODAY = 'This widget has answered as many questions as it may today. Ask again tomorrow.'

/** Widgets send no bearer token. */
const NO_HEADERS = new Headers()

/** Finds the sources of widgets. Remembers how they were joined. */
export function createWidgetServers({ findServer, serverIdsOf }: Servers): WidgetServer {
  const join = createJoiner()
  return async ({ accountId, configurationId, sources, withPrivate }) => {
    const named = sources.flatMap(({ enabled, serverId }) => (enabled && serverId ? [serverId] : []))
    const ids = named.length > 0 ? [...new Set(named)] : (await serverIdsOf(accountId)).toSorted()
    const found = await Promise.all(ids.slice(0, MAX_SERVERS).map(findServer))
    const servers = found
      .filter((server) => server !== undefined)
      .filter((server) => server.accountId === accountId && (server.visibility === 'public' || withPrivate))
    return join(configurationId, servers, sources)
  }
}

/** Answers questions of widgets by calls of tools, with the same limits, allowance and request log. */
export function prepareEmbedded({ endpointOf, widgetServer, newCallId }: Deps) {
  return async (question: EmbeddedQuestion) => {
    const { configurationId } = question
    const joined = await widgetServer(question)
    if (joined === null) {
      const isPrivate = !question.withPrivate && (await widgetServer({ ...question, withPrivate: true })) !== null
      throw new DocentError(isPrivate ? 'embed_token_missing' : 'embed_without_sources')
    }
    const endpoint = endpointOf(joined)
    const tool = endpoint.tools.find(({ listed }) => listed.name === question.tool)
    if (!tool) throw new TypeError(`There is no tool "${question.tool}".`)
    return async (signal: AbortSignal, report: ReportProgress): Promise<LoggedAnswer> => {
      const callId = newCallId()
      const outcome = await callTool(endpoint, tool, {
        arguments: { [ARGUMENTS[question.tool]]: question.text },
        client: { name: `widget ${configurationId}`, version: VERSION },
        attribution: { configurationId, endUserId: question.endUserId, callId },
        from: question.withPrivate ? 'attributed user' : { address: question.address, headers: NO_HEADERS },
        form: { structured: true },
        signal,
        report,
      })
      if (outcome.ok) return { ...embeddedAnswer(question.tool, outcome.result), call: callId }
      signal.throwIfAborted()
      const { data, message } = outcome.error
      const isOfDay = data?.['of'] === 'day' || data?.['of'] === 'network'
      const usedUp = isOfDay ? USED_UP_TODAY : USED_UP
      throw new DocentError('too_busy', { text: 'isRefused' in outcome ? usedUp : message })
    }
  }
}

/** Joins the chosen sources of servers under the first one. The object changes with them only: others cache by it. */
function createJoiner() {
  const kept = new Map<string, { servers: readonly ServedServer[]; settings: string; joined: ServedServer }>()
  return (key: string, servers: readonly ServedServer[], settings: readonly SourceSetting[]): ServedServer | null => {
    const text = JSON.stringify(settings)
    const known = kept.get(key)
    const isSame = known?.settings === text && known.servers.length === servers.length
    if (isSame && servers.every((server, index) => known.servers[index] === server)) return known.joined
    const sources = servers.flatMap(({ id, sources: all }) => all.filter((source) => isChosen(settings, id, source)))
    const [first, ...others] = servers
    if (!first || sources.length === 0) return null
    // Rules are written for the sources of one server, and some for sources that are left out.
    const isUsed = (sourceId: string | null) => sourceId === null || sources.some(({ id }) => id === sourceId)
    const rules = others.length > 0 ? [] : (first.rules ?? []).filter(({ sourceId }) => isUsed(sourceId))
    // A pin is about a section of one source.
    const pins = servers.flatMap((server) => server.pins ?? []).filter(({ sourceId }) => isUsed(sourceId))
    const { webPages: _, ...settingsOfFirst } = first
    const joined = { ...settingsOfFirst, sources, rules, pins, tools: Object.keys(ARGUMENTS), structuredOutput: true }
    rememberRecent(kept, key, { servers, settings: text, joined }, KEPT)
    return joined
  }
}

/** A source is chosen if a setting enables it, or no setting enables any source, and none disables it. */
function isChosen(settings: readonly SourceSetting[], serverId: string, source: ServedSource): boolean {
  const about = settings.filter((one) => names(one, serverId, source))
  return about.every(({ enabled }) => enabled) && (about.length > 0 || !settings.some(({ enabled }) => enabled))
}

/** A setting names one source, all sources of a server, or all sources of a type. `docs` and `website` are both sites. */
function names(setting: SourceSetting, serverId: string, source: ServedSource): boolean {
  if (setting.sourceId !== undefined) return setting.sourceId === source.id
  if (setting.serverId !== undefined) return setting.serverId === serverId
  return kindOf(setting.type) === kindOf(source.type)
}

const kindOf = (type: string): string => (type === 'docs' ? 'website' : type)

type Place = { title: string; heading: string; url: string }
/** The structured content of the tools, as far as it is used here. Each tool declares and tests its own. */
type Content = {
  answer?: string
  confidence?: EmbeddedAnswer['confidence']
  citations?: (Place & { n: number })[]
  followUps?: string[]
  modelFailure?: AnswerFailure
  results?: (Place & { rank: number; passage?: string; text?: string; language?: string | null; context?: string })[]
}

/** Characters of a passage in a list of results. The address leads to the rest. */
const EXCERPT = 500

const NOTHING = 'Nothing in the sources matches. Try other words.'

/** Converts the structured result of a tool: the citations, then the Markdown in parts. */
function embeddedAnswer(tool: EmbedToolName, { members, outcome }: SerialisedResult): EmbeddedAnswer {
  const result = JSON.parse(`{${Buffer.from(members).toString()}}`) as { structuredContent: Content }
  const content = result.structuredContent
  if (tool === 'ask_question') {
    const { answer = '', confidence = null, citations: cited = [], followUps = [], modelFailure } = content
    const remark = modelFailure === undefined ? null : failureRemark(modelFailure)
    const citations = cited.map((one) => citation(one.n, one))
    return { citations, parts: partsOf(answer), outcome, confidence, followUps, remark }
  }
  const results = content.results ?? []
  const parts = results.map((result) => {
    const { rank, title, heading, passage = '', text = '', language, context = '' } = result
    if (tool === 'get_code_examples') return `${plain(context)} [${rank}]\n\n${fence(text, language ?? '')}\n\n`
    const name = plain(oneLine(heading ? `${title} › ${heading}` : title))
    return `**${name}** [${rank}]\n\n${excerpt(passage)}\n\n`
  })
  const citations = results.map((one) => citation(one.rank, one))
  const shown = parts.length > 0 ? parts : [NOTHING]
  return { citations, parts: shown, outcome, confidence: null, followUps: [], remark: null }
}

const citation = (n: number, { title, heading, url }: Place) => ({ n, title, heading, url })

/** The blocks of the answer with the space between them. Their concatenation is the answer. */
function partsOf(answer: string): string[] {
  const starts = piecesOf(answer).map(({ start }) => start)
  const cuts = [0, ...starts.slice(1), answer.length]
  return cuts.slice(1).map((end, index) => answer.slice(cuts[index], end))
}

/** The first blocks of a passage, at least one, without the heading, which is shown already. */
function excerpt(text: string): string {
  const blocks = piecesOf(text)
  const start = blocks[0]?.start ?? 0
  const end = blocks.find((block) => block.end >= start + EXCERPT)?.end ?? text.length
  return text.slice(start, end).replaceAll(/\[(\d+)\]/g, '\\[$1]')
}

const plain = (text: string): string => text.replaceAll(/[\\`*_[\]]/g, '\\$&')
