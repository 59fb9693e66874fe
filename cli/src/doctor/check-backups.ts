import { existsSync } from 'node:fs'
import { listBackups } from '@docent/server/backup/list-backups.ts'
import type { Config } from '@docent/server/config.ts'
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts'

const CHECK = 'Backups'
const DAY_MS = 24 * 60 * 60_000
/** Older backups rarely help: sources are refreshed daily. */
const OLD_DAYS = 7

/** Checks that there is a recent backup, if there is something to back up. */
export async function checkBackups({ backupDir, database, blobs }: Config, now = Date.now()): Promise<Finding> {
  if (database.engine === 'sqlite' && !existsSync(database.path)) return ok(CHECK, 'there is nothing to back up yet')
  try {
    const last = (await listBackups(backupDir, blobs.s3)).at(-1)
    if (!last) return warning(CHECK, `There is none in ${backupDir}.`, 'Run docent backup create, best every day.')
    const days = Math.floor((now - last.modifiedAt.getTime()) / DAY_MS)
    if (days >= OLD_DAYS)
      return warning(CHECK, `The last one is ${days} days old.`, 'Run docent backup create, best every day.')
    return ok(CHECK, `the last one is ${last.name} (docent backup list verifies it)`)
  } catch (error) {
    return problem(CHECK, sentenceOf(error), 'Correct DOCENT_BACKUP_DIR.')
  }
}
