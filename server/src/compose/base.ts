import type { Vault } from '#auth/vault.ts'
import type { Config, Secrets } from '#config.ts'
import type { Log } from '#log.ts'
import type { EmbeddingModel } from '#models/embedding-model.ts'
import type { Store } from '#store/db.ts'

/** What `main.ts` opens before it composes the service. */
export type Given = {
  config: Config
  secrets: Pick<Secrets, 'llmApiKey' | 'embeddingsApiKey' | 'githubApp'>
  store: Store
  /** Name of this process at the database. */
  processName: string
  vault: Vault
  log: Log
  /** The local embedding model, or null if the settings name none. */
  localEmbeddings: EmbeddingModel | null
  baseUrl: () => string
  /** The listening port. Null before listening, and for a worker. */
  listensOn: () => number | null
}

/** Input of every part of the service. */
export type Base = Given & {
  /** Closes what the parts open, in reverse order. */
  stack: AsyncDisposableStack
  /** Logs a failure of background work. */
  onError: (error: unknown) => void
}
