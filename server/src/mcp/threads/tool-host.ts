import type { AgedPage, RemoteTools, ReportProgress } from '../definition/tool.ts'
import type { AnswerPiece } from '#answer/answer.ts'
import { DocentError } from '#errors.ts'
import {
  type ChatModel,
  type ChatRequest,
  type Completion,
  type OnText,
  ModelError,
  type ModelFailure,
} from '#models/chat-model.ts'
import { defined } from '#lib/objects.ts'
import type { ByteRanges, LoadInParts, LoadTexts } from '#search/segment/open-segment.ts'
import type { SharedIndex } from '#search/shared-index.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import type { PageAge } from '#store/pages/pages.ts'
import type { StoredQuestion } from '#store/sources/questions.ts'
import type { RemoteTool } from '#upstream/remote-session.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { ThreadCall } from '#workers/serve-thread.ts'

/** Services of the main thread for tools in other threads: everything that needs the database or the network. */
export type HostDeps = {
  openSegment(id: string): ReturnType<SharedIndex['segment']>
  readSegment: SharedIndex['read']
  loadTexts: LoadTexts
  embed(query: string, accountId: string): Promise<Float32Array | null>
  modelFor(server: ServedServer): ChatModel | null
  /** Throws an `UpstreamError` if a server that was public at look-up now has a credential. */
  connectRemote(server: ServedServer, source: ServedSource, signal?: AbortSignal): Promise<RemoteTools>
  /** Questions that the sources of a server answer. Never rejects. */
  loadQuestions(server: ServedServer): Promise<StoredQuestion[]>
  /** Ages of pages of a server. Omits those without one. Never rejects. */
  loadAges?(server: ServedServer, pages: readonly AgedPage[]): Promise<PageAge[]>
  /** Address below which the pages of a server can be read over HTTP. Null or absent: they cannot. */
  pagesAddress?(server: ServedServer): string | null
  reportFailure(error: unknown): void
}

/** A result, or an error as data, because structured cloning loses the class of errors. */
type Told<T> = { value: T } | { refused: SentError }
type SentError = { message: string } & (
  | { failure: ModelFailure }
  | { reason: UpstreamError['reason'] }
  | { code: DocentError['code'] }
)

/** Serves the requests of one call. If it restarts in another thread, it gets the earlier results of models. */
export function createToolHost(deps: HostDeps, server: ServedServer, report?: ReportProgress) {
  const drafts = new Map<string, LiveText>()
  const given = new Map<string, Promise<unknown>>()
  const sessions: Promise<RemoteTools>[] = []
  let outage: StoreUnavailableError | null = null
  const noteOutage = (error: unknown): never => {
    if (error instanceof StoreUnavailableError) outage ??= error
    throw error
  }
  const once = (method: string, args: unknown[], answer: () => Promise<unknown>) => {
    const key = JSON.stringify([method, args])
    const told = given.get(key) ?? toldOf(answer())
    given.set(key, told)
    return told
  }
  const answer = async (method: string, args: unknown[], signal: AbortSignal): Promise<unknown> => {
    const [first, second, third] = args
    switch (method) {
      case 'server':
        return { ...server, ...defined({ pagesAddress: deps.pagesAddress?.(server) ?? undefined }) }
      case 'segment':
        return deps.openSegment(first as string)
      case 'read':
        return deps.readSegment(first as string, second as ByteRanges | null)
      case 'texts':
        return deps.loadTexts(first as string, second as string[])
      case 'embed':
        return deps.embed(first as string, server.accountId)
      case 'complete':
        return once(method, args, () => complete(deps, server, { request: first as ChatRequest, signal, drafts }))
      case 'written':
        return drafts.get(JSON.stringify(first))?.after(second as number) ?? null
      case 'progress':
        return report?.(first as string, second as AnswerPiece | undefined)
      case 'questions':
        return deps.loadQuestions(server)
      case 'ages':
        return deps.loadAges?.(server, first as AgedPage[]) ?? []
      case 'connect':
        return once(method, args, () => connect(deps, server, { sourceId: first, sessions, signal }))
      case 'listTools':
        return once(method, args, async () => (await sessionOf(sessions, first)).listTools())
      case 'callTool':
        return once(method, args, async () =>
          (await sessionOf(sessions, first)).callTool(second as RemoteTool, third as Record<string, unknown>),
        )
      case 'report':
        return deps.reportFailure(first)
      default:
        throw new TypeError(`A tool asked for "${method}".`)
    }
  }
  return {
    /** The first outage of the database during the call, as thrown. */
    outage: () => outage,
    ask: (...asked: Parameters<typeof answer>): Promise<unknown> => answer(...asked).catch(noteOutage),
    async [Symbol.asyncDispose]() {
      if (sessions.length === 0) return
      const closing = sessions.map(async (session) => (await session)[Symbol.asyncDispose]())
      // A failed connection needs no closing. Its error went to the requester.
      await Promise.allSettled(closing)
    },
  }
}

type Asked = { request: ChatRequest; signal: AbortSignal; drafts: Map<string, LiveText> }

async function complete(deps: HostDeps, server: ServedServer, { request, signal, drafts }: Asked): Promise<Completion> {
  const model = deps.modelFor(server)
  if (model === null) throw new TypeError('There is no model.')
  const draft = openLiveText()
  drafts.set(JSON.stringify(request), draft)
  let paragraphs = 0
  try {
    return await model.complete(request, signal, (text) => {
      // Only whole paragraphs are verified, so partial ones are not sent between threads.
      const ended = text.split('\n\n').length
      if (ended !== paragraphs && ended > 1) draft.write(text)
      paragraphs = ended
    })
  } finally {
    draft.end()
  }
}

/** Opens a session to a source of the server. The thread names it by its number. */
async function connect(
  deps: HostDeps,
  server: ServedServer,
  { sourceId, sessions, signal }: { sourceId: unknown; sessions: Promise<RemoteTools>[]; signal: AbortSignal },
): Promise<number> {
  const source = server.sources.find(({ id }) => id === sourceId)
  if (source === undefined) throw new TypeError('The server has no such source.')
  const session = deps.connectRemote(server, source, signal)
  const number = sessions.push(session) - 1
  await session
  return number
}

async function sessionOf(sessions: readonly Promise<RemoteTools>[], number: unknown): Promise<RemoteTools> {
  const session = await sessions[number as number]
  if (session === undefined) throw new TypeError('There is no such session.')
  return session
}

async function toldOf<T>(answer: Promise<T>): Promise<Told<T>> {
  try {
    return { value: await answer }
  } catch (error) {
    if (error instanceof ModelError) return { refused: { message: error.message, failure: error.failure } }
    if (error instanceof UpstreamError) return { refused: { message: error.message, reason: error.reason } }
    if (error instanceof DocentError) return { refused: { message: error.message, code: error.code } }
    throw error
  }
}

/** The counterpart of `createToolHost` in the tool's thread: requests to the main thread. */
export function askHost({ ask }: ThreadCall) {
  const told = async <T>(method: string, ...args: unknown[]): Promise<T> => {
    const answer = (await ask(method, ...args)) as Told<T>
    if ('refused' in answer) throw errorOf(answer.refused)
    return answer.value
  }
  return {
    loadServer: async () => (await ask('server')) as ServedServer,
    /** Bytes of a segment as they are in the memory that all threads share. */
    segments: {
      async open(id) {
        const opened = (await ask('segment', id)) as Awaited<ReturnType<HostDeps['openSegment']>>
        return opened && { ...opened, bytes: new Uint8Array(opened.bytes) }
      },
      read: async (id, ranges) => (await ask('read', id, ranges)) as boolean,
    } satisfies LoadInParts,
    loadTexts: async (sourceId: string, hashes: string[]) =>
      (await ask('texts', sourceId, hashes)) as Map<string, Uint8Array>,
    embed: async (query: string) => (await ask('embed', query)) as Float32Array | null,
    model: {
      complete(request, _signal, onText) {
        const answer = told<Completion>('complete', request)
        if (onText) followText(ask, request, onText)
        return answer
      },
    } satisfies ChatModel,
    loadQuestions: async () => (await ask('questions')) as StoredQuestion[],
    loadAges: async (pages: readonly AgedPage[]) => (await ask('ages', pages)) as PageAge[],
    reportFailure: (error: unknown) => void ask('report', error),
    report: (message: string, piece?: AnswerPiece) => void ask('progress', message, piece),
    async connectRemote({ id }: ServedSource): Promise<RemoteTools> {
      const number = await told<number>('connect', id)
      return {
        listTools: () => told('listTools', number),
        callTool: (tool, args) => told('callTool', number, tool, args),
        // The main thread closes the sessions of a call when it ends.
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  }
}

/** Passes on the text of a model as it grows. The main thread sends nothing unrequested, so ask for each part. */
function followText(ask: ThreadCall['ask'], request: ChatRequest, onText: OnText): void {
  const follow = async () => {
    let seen = 0
    for (;;) {
      const written = (await ask('written', request, seen)) as Written | null
      if (written === null) return
      seen = written.writes
      onText(written.text)
    }
  }
  // The request for the whole answer fails for the same reason, and says so.
  follow().catch(() => undefined)
}

function errorOf(sent: SentError): Error {
  if ('failure' in sent) return new ModelError(sent.failure, sent.message)
  if ('reason' in sent) return new UpstreamError(sent.reason, sent.message)
  return new DocentError(sent.code, { text: sent.message })
}

type Written = { text: string; writes: number }
type LiveText = ReturnType<typeof openLiveText>

/** Passes a growing text from a writer to a reader that asks for it. Writes that nobody waits for are joined. */
export function openLiveText() {
  let text = ''
  let writes = 0
  let isOver = false
  let news = Promise.withResolvers<void>()
  return {
    write(longer: string): void {
      text = longer
      writes++
      news.resolve()
      news = Promise.withResolvers()
    },
    end(): void {
      isOver = true
      news.resolve()
    },
    /** Waits until the text has grown more than `seen` times, and returns it. Null if it has ended. */
    async after(seen: number): Promise<Written | null> {
      for (;;) {
        if (isOver) return null
        if (writes > seen) return { text, writes }
        await news.promise
      }
    },
  }
}
