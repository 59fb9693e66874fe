import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'

export const createBackup: Handler<'instance.createBackup'> = async ({ deps }) => {
  const begun = await deps.backups.begin()
  if (!begun) throw new DocentError('backup_running')
  return begun
}
