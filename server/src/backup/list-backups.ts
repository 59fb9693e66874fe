import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A backup, or a file with the ending of one. */
export type BackupFile = { path: string; name: string; bytes: number; modifiedAt: Date }

const NAME = /^docent-([\dTZ]+)\.tar$/

/** Name of a backup. Names sort by time. */
export const nameOfBackup = (createdAt: Date): string =>
  `docent-${createdAt.toISOString().replaceAll(/\.\d+|[-:]/g, '')}.tar`

/** Path of a backup while it is being written. */
export const unfinishedPath = (path: string): string => `${path}.unfinished`

/** The tar files in a folder, oldest first, or the file itself if the path is one. None if the path does not exist. */
export async function listBackups(path: string): Promise<BackupFile[]> {
  if (!existsSync(path)) return []
  const isFile = (await stat(path)).isFile()
  const paths = isFile
    ? [path]
    : (await readdir(path)).filter((name) => name.endsWith('.tar')).map((name) => join(path, name))
  const files = await Promise.all(paths.map(async (file) => ({ file, facts: await stat(file) })))
  return files
    .filter(({ facts }) => facts.isFile())
    .map(({ file, facts: { size, mtime } }) => ({ path: file, name: basename(file), bytes: size, modifiedAt: mtime }))
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
}

/** Time in the name of a backup, which a copy keeps, or else of the file. Times sort as text. */
function timeOf({ name, modifiedAt }: BackupFile): string {
  return NAME.exec(name)?.[1] ?? NAME.exec(nameOfBackup(modifiedAt))?.[1] ?? ''
}
