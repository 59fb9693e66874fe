import type { ChatRequest, Usage } from './chat-model.ts'

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
