/** What makes vectors of texts. `embed` throws `ModelError`. */
export type EmbeddingModel = {
  /** Names the model; vectors of another name cannot be compared. */
  name: string
  /** One vector for each text, each of the same length, in order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedded>
}

export type EmbedOptions = {
  signal?: AbortSignal | undefined
  /** For all of them; without it, as long as they need. */
  totalMs?: number
  /** What the texts are: somebody waits for the vector of a question, and some models are told which is which. */
  kind?: TextKind
}

export type TextKind = 'question' | 'passage'

export type Embedded = { vectors: Float32Array[]; tokens: number }
