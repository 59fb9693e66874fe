/** Prompt for a language model. */
export type ChatRequest = {
  /** System prompt, which takes precedence over the user's text. */
  system: string
  user: string
  /** Maximum tokens of the answer. */
  maxTokens: number
}

type Usage = { inputTokens: number; outputTokens: number }

export type Completion = {
  text: string
  /** False if the answer was truncated at `maxTokens`. */
  isWhole: boolean
  /** Reported by the provider, otherwise estimated. */
  usage: Usage
}

/** Called with the text so far each time it grows. A retry begins again. */
export type OnText = (text: string) => void

/** A language model. `complete` throws `ModelError`. */
export type ChatModel = {
  complete(request: ChatRequest, signal?: AbortSignal, onText?: OnText): Promise<Completion>
}

/** An answer received so far. */
export type Draft = {
  text: string
  usage: Partial<Usage>
  /** Reported end: not reached, chosen by the model, or truncated at the limit. */
  end: 'open' | 'whole' | 'limit'
}

/** Protocol of a provider's chat API. */
export type ChatDialect = {
  path: string
  headers(apiKey: string | null): Record<string, string>
  /** `plain` omits settings that some models reject. */
  body(model: string, request: ChatRequest, plain: boolean): object
  /** Adds the data of one stream event to the draft. Throws `ModelError` for an error event. */
  takeEvent(draft: Draft, data: unknown): void
  /** Reads a complete answer from a provider that ignored the request for a stream. */
  takeWhole(draft: Draft, body: unknown): void
}

/** `busy`: rate limit or overload. `unavailable`: unreachable or server error. `cut_off`: the stream ended early. */
const TRANSIENT = ['busy', 'unavailable', 'timeout', 'cut_off', 'malformed'] as const

/** Reason for a failed model call. `refused`: the key, the model or the request was rejected. */
export type ModelFailure = (typeof TRANSIENT)[number] | 'refused' | 'over_budget' | 'aborted'

type Details = { status?: number; retryAfterMs?: number | null; cause?: unknown }

/** The only error thrown by this folder. Its message is for the operator's log and never contains the key. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly failure: ModelFailure
  /** HTTP status of the provider's answer, or null without one. */
  readonly status: number | null
  /** Delay requested by the provider. */
  readonly retryAfterMs: number | null

  constructor(failure: ModelFailure, message: string, { status, retryAfterMs, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** True if a retry of the same request may succeed. */
  get mayPass(): boolean {
    return TRANSIENT.some((failure) => failure === this.failure)
  }
}

type Budget = {
  /** Token budget per day. Null: unlimited. */
  perDay: number | null
  /** Reads the tokens used today. */
  readUsed: () => Promise<number>
  /** Called with the usage of each answer. Must not throw. */
  record: (usage: Usage) => void
}

/** Wraps a model with a daily token budget, which concurrent answers may exceed. Throws `over_budget`. */
export function withBudget(model: ChatModel, { perDay, readUsed, record }: Budget): ChatModel {
  return {
    async complete(request, signal, onText) {
      if (perDay !== null && (await readUsed()) >= perDay) {
        throw new ModelError('over_budget', `The ${perDay} tokens of today are used up (DOCENT_LLM_TOKENS_PER_DAY).`)
      }
      const completion = await model.complete(request, signal, onText)
      record(completion.usage)
      return completion
    },
  }
}
