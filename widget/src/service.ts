import type { AnswerPart } from '@docent/contract/operations/embed'
import type { EmbedToolName } from '@docent/contract/values/embed-tools'

export type Configuration = {
  layout: 'horizontal' | 'vertical'
  fontFamily: string
  colors: Record<string, string>
  tools: { name: EmbedToolName; title: string }[]
  /** To begin with. Absent if there are none. */
  questions?: string[]
}

/** A refusal of the service, with its sentence. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const UNREACHABLE = 'The service cannot be reached. Try again in a moment.'
/** Browsers hide the refusal from a page of another domain. */
const UNREADABLE =
  'The service cannot be reached from this page, or its widget is for pages of another domain. Check the domain in its configuration.'
const ENDED = 'Your session on this page has ended. Open the page again.'
const BROKEN = 'The answer broke off. Try again.'

/** The operations of widgets for one configuration. Every failure but an abort is a `ServiceError`. */
export class Service {
  readonly #base: string
  readonly #configurationId: string
  #session: Promise<string> | null = null
  /** Why there is no session of a user, if the page gave a token. */
  #refusal: string | null = null

  /** `base` is the address of the service. */
  constructor(base: string, configurationId: string) {
    this.#base = base.replace(/\/$/, '')
    this.#configurationId = configurationId
  }

  async readConfiguration(): Promise<Configuration> {
    const path = `configurations/${encodeURIComponent(this.#configurationId)}`
    const response = await this.#send(path).catch((error: unknown) => {
      throw error instanceof ServiceError && error.status === 0 ? new ServiceError(0, UNREADABLE) : error
    })
    return (await response.json()) as Configuration
  }

  /** Opens the session with an attribution token, which works once. A reload of the page goes on with its session. */
  async attribute(attributionToken: string): Promise<void> {
    const kept = readKept(this.#configurationId)
    const opened = kept?.token === attributionToken ? Promise.resolve(kept.session) : this.#open({ attributionToken })
    this.#session = opened
    try {
      keep(this.#configurationId, { token: attributionToken, session: await opened })
    } catch (error) {
      this.#session = null
      this.#refusal = error instanceof Error ? error.message : null
      throw error
    }
  }

  /** The parts of an answer as they arrive. Opens a session for the first question. */
  async *ask(question: string, tool: EmbedToolName, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    const response = await this.#askOnce({ question, tool }, signal).catch((error: unknown) => {
      // The session has ended: the page has been open for long. Only the next one can answer.
      if (!(error instanceof ServiceError) || error.status !== 401) throw error
      this.#session = null
      if (readKept(this.#configurationId)) this.#refusal = ENDED
      keep(this.#configurationId, null)
      return this.#askOnce({ question, tool }, signal)
    })
    yield* readLines(response, signal)
  }

  /** Says whether an answer helped. */
  async rate(call: string, helpful: boolean): Promise<void> {
    await this.#send('feedback', { session: await this.#session, call, helpful })
  }

  async #askOnce(input: object, signal: AbortSignal): Promise<Response> {
    this.#session ??= this.#open({})
    const session = await this.#session.catch((error: unknown) => {
      this.#session = null
      throw error
    })
    return this.#send('ask', { ...input, session }, signal)
  }

  async #open(input: object): Promise<string> {
    const response = await this.#send('sessions', { configurationId: this.#configurationId, ...input })
    return ((await response.json()) as { session: string }).session
  }

  async #send(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const options = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    const response = await fetch(`${this.#base}/api/embed/${path}`, {
      ...options,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      ...(signal ? { signal } : {}),
    }).catch(() => {
      signal?.throwIfAborted()
      throw new ServiceError(0, UNREACHABLE)
    })
    if (response.ok) return response
    const refusal = (await response.json().catch(() => ({}))) as { error?: string; message?: string }
    const isPrivate = refusal.error === 'embed_token_missing'
    const reason = (isPrivate ? this.#refusal : null) ?? refusal.message ?? refusal.error
    throw new ServiceError(response.status, reason ?? UNREACHABLE)
  }
}

type Kept = { token: string; session: string }

const keyOf = (configurationId: string): string => `docent:${configurationId}`

/** The session of a user in this tab. Null without one, and in pages that may store nothing. */
function readKept(configurationId: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(configurationId)) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

function keep(configurationId: string, kept: Kept | null): void {
  try {
    if (kept) sessionStorage.setItem(keyOf(configurationId), JSON.stringify(kept))
    else sessionStorage.removeItem(keyOf(configurationId))
  } catch {
    // The page may store nothing. Then a reload needs another token.
  }
}

/** Each line is one JSON value. */
async function* readLines(response: Response, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line) yield JSON.parse(line) as AnswerPart
    }
  } catch {
    signal.throwIfAborted()
    throw new ServiceError(0, BROKEN)
  }
}
