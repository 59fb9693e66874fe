import { BUILT_IN_TOOLS } from '@docent/contract/tools'
import { customToolIds } from '#store/custom-tools.ts'
import type { Db } from '#store/db.ts'

/** Every name that a server of the account may select: the built-in tools, and `custom:<id>` of the account's own. */
export async function validToolNames(db: Db, accountId: string): Promise<string[]> {
  const custom = await customToolIds(db, accountId)
  return [...BUILT_IN_TOOLS.map(({ name }): string => name), ...custom.map((id) => `custom:${id}`)]
}
