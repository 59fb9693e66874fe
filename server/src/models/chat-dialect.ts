import type { ChatRequest, Usage } from './chat-model.ts'

/** What has come of an answer so far. */
export type Draft = {
  text: string
  usage: Partial<Usage>
  /** What the provider says of the end: not reached, the model's own, or cut at the limit. */
  end: 'open' | 'whole' | 'limit'
}

/** How a provider's chat interface is spoken to. */
export type ChatDialect = {
  path: string
  headers(apiKey: string | null): Record<string, string>
  /** With `plain`, without settings that some models do not take. */
  body(model: string, request: ChatRequest, plain: boolean): object
  /** Takes one event's data of a stream in. Throws `ModelError` where the event tells of a failure. */
  takeEvent(draft: Draft, data: unknown): void
  /** The same for an answer that came in one piece although a stream was asked for. */
  takeWhole(draft: Draft, body: unknown): void
}
