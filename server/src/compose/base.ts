import type { Vault } from '#auth/vault.ts'
import type { Config, Secrets } from '#config.ts'
import type { Log } from '#log.ts'
import type { EmbeddingModel } from '#models/embedding-model.ts'
import type { Metrics } from '#analytics/metrics.ts'
import type { Traces } from '#analytics/traces.ts'
import type { Store } from '#store/db.ts'

/** What `main.ts` opens before it composes the service. */
export type Given = {
  config: Config
  secrets: Pick<Secrets, 'llmApiKey' | 'embeddingsApiKey' | 'githubApp' | 'signInProviders' | 'metricsToken'>
  store: Store
  processName: string
  vault: Vault
  log: Log
  /** Null: no settings ask for metrics. */
  metrics: Metrics | null
  /** Null: no setting names a collector. */
  traces: Traces | null
  /** The local embedding model, or null if the settings name none. */
  localEmbeddings: EmbeddingModel | null
  baseUrl: () => string
  /** The listening port. Null before listening, and for a worker. */
  listensOn: () => number | null
}

/** Input of every part of the service. */
export type Base = Given & {
  stack: AsyncDisposableStack
  onError: (error: unknown) => void
}
