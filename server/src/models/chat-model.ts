/** Prompt for a language model. */
export type ChatRequest = {
  /** System prompt, which takes precedence over the user's text. */
  system: string
  user: string
  /** Maximum tokens of the answer. */
  maxTokens: number
}

export type Usage = { inputTokens: number; outputTokens: number }

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
