/** An embedding model. `embed` throws `ModelError`. */
export type EmbeddingModel = {
  /** Model name. Vectors of different models cannot be compared. */
  name: string
  /** Returns one vector per text, in order, all of the same length. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedded>
}

export type EmbedOptions = {
  signal?: AbortSignal | undefined
  /** Milliseconds for all texts. Unlimited by default. */
  totalMs?: number
  /** Kind of the texts. Questions have priority, and some models need to know the kind. */
  kind?: TextKind
}

export type TextKind = 'question' | 'passage'

export type Embedded = { vectors: Float32Array[]; tokens: number }
