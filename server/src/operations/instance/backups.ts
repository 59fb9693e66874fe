import type { Handler } from '../operation.ts'

export const listBackups: Handler<'instance.backups'> = ({ deps }) => deps.backups.list()
