import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { randomText } from '#lib/ids.ts'
import type { Bucket } from './backup-format.ts'
import { listBackupObjects } from './backup-objects.ts'

/** A backup, or a file with the ending of one. `path` can be an address in the bucket. */
export type BackupFile = { path: string; name: string; bytes: number; modifiedAt: Date }

const NAME = /^docent-([\dTZ]+)(?:\.tar|-\w+)$/

const SCHEME = 's3:'
const DEFAULT_FOLDER = 'backups'

/** The folder or backup in the bucket that an address such as `s3:backups` names. Null for one on the disk. */
export const placeInBucket = (address: string): string | null =>
  address.startsWith(SCHEME) ? address.slice(SCHEME.length).replace(/\/$/, '') || DEFAULT_FOLDER : null

/** Name of a backup. Names sort by time. */
export const nameOfBackup = (createdAt: Date): string => `${stampOf(createdAt)}.tar`

const stampOf = (createdAt: Date) => `docent-${createdAt.toISOString().replaceAll(/\.\d+|[-:]/g, '')}`

/** An address in the bucket as it is, or the path of a file or folder, which may be relative to `folder`. */
export const resolvePlace = (folder: string, given: string): string =>
  placeInBucket(given) === null ? resolve(folder, given) : given

/** Path of a new backup in a folder, or its address in the bucket, where no name is used twice. */
export function pathOfBackup(folder: string, createdAt: Date): string {
  const place = placeInBucket(folder)
  if (place === null) return join(folder, nameOfBackup(createdAt))
  return `${SCHEME}${place}/${stampOf(createdAt)}-${randomText(6)}`
}

/** Path of a backup while it is being written. */
export const unfinishedPath = (path: string): string => `${path}.unfinished`

/** The complete backups in a folder, oldest first, or the backup itself if the path is one. None if it does not exist. */
export async function listBackups(path: string, bucket: Bucket): Promise<BackupFile[]> {
  const place = placeInBucket(path)
  const files = place === null ? await listTarFiles(path) : await listObjects(place, bucket)
  return files.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
}

async function listObjects(place: string, bucket: Bucket): Promise<BackupFile[]> {
  const found = await listBackupObjects(place, bucket)
  return found
    .filter(({ isComplete }) => isComplete)
    .map(({ name, objects, modifiedAt }) => ({
      path: SCHEME + name,
      name: basename(name),
      bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
      modifiedAt: new Date(modifiedAt),
    }))
}

async function listTarFiles(path: string): Promise<BackupFile[]> {
  if (!existsSync(path)) return []
  const isFile = (await stat(path)).isFile()
  const paths = isFile
    ? [path]
    : (await readdir(path)).filter((name) => name.endsWith('.tar')).map((name) => join(path, name))
  const files = await Promise.all(paths.map(async (file) => ({ file, facts: await stat(file) })))
  return files
    .filter(({ facts }) => facts.isFile())
    .map(({ file, facts: { size, mtime } }) => ({ path: file, name: basename(file), bytes: size, modifiedAt: mtime }))
}

/** Time in the name of a backup, which a copy keeps, or else of the file. Times sort as text. */
function timeOf({ name, modifiedAt }: BackupFile): string {
  return NAME.exec(name)?.[1] ?? NAME.exec(nameOfBackup(modifiedAt))?.[1] ?? ''
}
