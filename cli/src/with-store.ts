import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '@docent/server/config.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

type Options = {
  /** Creates a missing database, as for a first account. */
  mayMake?: boolean
  /** If false, the schema stays as it is. */
  migrates?: boolean
}

/**
 * Opens the configured database, also beside a running service. Throws `CommandError` if there is none: then the folder
 * is probably wrong.
 */
export async function withStore<T>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (store: Store, config: Config) => Promise<T>,
  { mayMake = false, migrates = true }: Options = {},
): Promise<T> {
  const config = loadConfig(environment)
  if (!mayMake && config.database.engine === 'sqlite' && !existsSync(config.database.path)) {
    throw new CommandError(
      `There is no database of Docent in ${config.dataDir}. Set DOCENT_DATA_DIR to the data folder of the service, or run the command in the folder that the service was started in.`,
    )
  }
  // Failed queries throw their errors themselves.
  await using store = await openStore({ ...config, onError: () => {}, migrates })
  return await work(store, config)
}
