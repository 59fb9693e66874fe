/** What makes vectors of texts. `embed` throws `ModelError`. */
export type EmbeddingModel = {
  /** Names the model; vectors of another name cannot be compared. */
  name: string
  /** One vector for each text, each of the same length, in order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedded>
}

export type EmbedOptions = { signal?: AbortSignal | undefined; totalMs?: number }

export type Embedded = { vectors: Float32Array[]; tokens: number }
