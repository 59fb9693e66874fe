import { type Config, loadConfig } from '@docent/server/config.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/open.ts'

/** Does something on the configured database, beside a service that may be running on it. */
export async function withStore<T>(work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  // What goes wrong is thrown by the query that it goes wrong with.
  await using store = await openStore({ database: config.database, onError: () => {} })
  return await work(store, config)
}
