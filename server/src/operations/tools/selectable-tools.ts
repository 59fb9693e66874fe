import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { type CustomToolRow, listCustomToolRows } from '#store/servers/custom-tools.ts'
import type { Db } from '#store/db.ts'

export type SelectableTools = {
  /**
   * All names that a server of the account may select: the built-in tools, and `custom:<id>` of its ready custom tools.
   */
  valid: string[]
  /** Explains why the first custom tool that is not ready cannot be selected. Null if there is none. */
  whyNotReady(names: readonly string[]): string | null
}

/** The tools that servers of the account can expose. */
export async function selectableTools(db: Db, accountId: string): Promise<SelectableTools> {
  const custom = await listCustomToolRows(db, accountId)
  const ready = custom.filter(({ status }) => status === 'ready')
  return {
    valid: [...BUILT_IN_TOOLS.map(({ name }): string => name), ...ready.map(({ id }) => `custom:${id}`)],
    whyNotReady(names) {
      const asked = custom.find(({ id, status }) => status !== 'ready' && names.includes(`custom:${id}`))
      return asked ? explain(asked) : null
    },
  }
}

function explain({ displayName, status, error }: CustomToolRow): string {
  const tool = `The custom tool "${displayName}"`
  if (status === 'building') return `${tool} is still being built. Add it when it is ready.`
  return error === null ? `${tool} could not be built.` : `${tool} could not be built: ${error}`
}
