/** What a language model is asked. */
export type ChatRequest = {
  /** Rules that stand above what the user says. */
  system: string
  user: string
  /** Tokens of the answer at most. */
  maxTokens: number
}

export type Usage = { inputTokens: number; outputTokens: number }

export type Completion = {
  text: string
  /** False where the answer was cut at `maxTokens`. */
  isWhole: boolean
  /** As the provider counted; estimated where it does not say. */
  usage: Usage
}

/** A language model. `complete` throws `ModelError`. */
export type ChatModel = {
  complete(request: ChatRequest, signal?: AbortSignal): Promise<Completion>
}
