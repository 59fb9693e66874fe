import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '@docent/server/config.ts'
import { isFolderShared, listExposedFiles } from '@docent/server/store/engine/data-folder.ts'
import { formatBytes } from '../format-bytes.ts'
import { readNotedProcess } from '../service-process-id.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const CHECK = 'Data folder'
const PROCESS = 'Process'
/** A site of a thousand pages takes about 20 MB. */
const FULL_BYTES = 100_000_000
const LOW_BYTES = 1_000_000_000

/** Checks that the data folder is writable, private, and has space. Changes nothing. */
export function checkDataFolder({ dataDir, database }: Config): Finding[] {
  const place = nearest(dataDir)
  if (!statSync(place).isDirectory())
    return [problem(CHECK, `${place} is a file.`, 'Give a folder with DOCENT_DATA_DIR.')]
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
  } catch {
    return [problem(CHECK, `${place} cannot be written by this user.`, 'Change its owner, or DOCENT_DATA_DIR.')]
  }
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const space = `${formatBytes(free)} free`
  if (free < FULL_BYTES) return [problem(CHECK, `${dataDir} has ${space}.`, 'Free space on its disk.')]
  if (place !== dataDir) return [ok(CHECK, `${dataDir} is made at the first start, ${space}`)]
  const findings = listExposedFiles(dataDir).map((path) =>
    warning(CHECK, `Other users have access to ${path}.`, 'Take that from them with chmod go-rwx.'),
  )
  if (isFolderShared(dataDir))
    findings.push(warning(CHECK, `Other users can write to ${dataDir}.`, 'Take that from them with chmod go-w.'))
  if (free < LOW_BYTES && database.engine === 'sqlite')
    findings.push(warning(CHECK, `${dataDir} has ${space}.`, 'Free space on its disk soon.'))
  return findings.length > 0 ? findings : [ok(CHECK, `${dataDir}, ${space}`)]
}

/** Checks the process id that the service has noted. */
export function checkProcess({ dataDir }: Config): Finding {
  const noted = existsSync(dataDir) ? readNotedProcess(dataDir) : null
  if (noted === null) return ok(PROCESS, 'no service has noted itself in the data folder')
  if (noted.isAlive) return ok(PROCESS, `the service runs as process ${noted.pid}`)
  return warning(
    PROCESS,
    `docent.pid names process ${noted.pid}, which does not exist. The service ended without a shutdown.`,
    'Start the service again. Nothing is lost, and the file is replaced.',
  )
}

/** The path itself, or its nearest existing ancestor. */
function nearest(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : nearest(parent)
}
