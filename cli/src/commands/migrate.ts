import { lockFolder } from '@docent/server/store/engine/data-folder.ts'
import {
  type SchemaState,
  migrate,
  readSchemaState,
  refuseUnknownSchema,
} from '@docent/server/store/migrations/migrate.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent migrate`: shows the version of the schema and applies pending migrations, or only lists them. */
export async function migrateSchema(terminal: Terminal, { isDryRun }: { isDryRun: boolean }): Promise<number> {
  return withStore(
    terminal,
    async (store, { dataDir }) => {
      const state = await readSchemaState(store.read)
      refuseUnknownSchema(state.current)
      terminal.out(describe(state))
      if (state.pending.length === 0 || isDryRun) return EXIT.ok
      // An older service on this folder would find tables that it does not know.
      using _lock = store.engine === 'sqlite' ? lockFolder(dataDir) : null
      await migrate(store)
      terminal.out(`The schema has version ${state.target} now.\n`)
      return EXIT.ok
    },
    { migrates: false },
  )
}

function describe({ current, target, pending }: SchemaState): string {
  if (pending.length === 0) return `The schema has version ${current}, which this version of Docent uses.\n`
  const lines = pending.map(({ number, name }) => `  ${number}  ${name}\n`)
  return `The schema has version ${current}. This version of Docent uses ${target}. Pending migrations:\n${lines.join('')}`
}
