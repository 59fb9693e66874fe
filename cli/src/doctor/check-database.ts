import { existsSync } from 'node:fs'
import { readKeyFile, toSecretKey } from '@docent/server/auth/secret-keys.ts'
import { type Config, type Secrets, keyFileOf } from '@docent/server/config.ts'
import { SEGMENT_FORMAT } from '@docent/server/search/segment/layout.ts'
import { openSegment } from '@docent/server/search/segment/open-segment.ts'
import { listPublishedSegments } from '@docent/server/store/snapshot/check-segments.ts'
import type { Store } from '@docent/server/store/db.ts'
import { readSchemaState, refuseUnknownSchema } from '@docent/server/store/migrations/migrate.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { currentKeyId } from '@docent/server/store/accounts/secrets.ts'
import { readSegment } from '@docent/server/store/pages/segments.ts'
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts'

const CHECK = 'Database'
const KEY = 'Key'
const SEGMENTS = 'Segments'
/** Segments that are read as a whole. Of the others, the sizes are compared. */
const READ_WHOLE = 100

/** Checks the database, the key of its credentials, and the indexes in it. Changes nothing. */
export async function checkDatabase(config: Config, secrets: Secrets): Promise<Finding[]> {
  const { database } = config
  if (database.engine === 'sqlite' && !existsSync(database.path))
    return [ok(CHECK, 'SQLite; the first start makes the database')]
  try {
    await using store = await openStore({ ...config, onError: () => {}, migrates: false })
    const findings = [await checkSchema(store)]
    if (findings.some(({ state }) => state !== 'ok')) return findings
    return [...findings, await checkKey(store, config, secrets), await checkSegments(store)]
  } catch (error) {
    const advice =
      database.engine === 'sqlite'
        ? 'Restore a backup, if the file is damaged.'
        : 'Check DATABASE_URL, and that PostgreSQL runs.'
    return [problem(CHECK, sentenceOf(error), advice)]
  }
}

async function checkSchema(store: Store): Promise<Finding> {
  const name = store.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const { current, target, pending } = await readSchemaState(store.read)
  try {
    refuseUnknownSchema(current)
  } catch (error) {
    const advice =
      current > target ? 'Install the newer version of Docent again.' : 'Start with an empty data folder or database.'
    return problem(CHECK, sentenceOf(error), advice)
  }
  if (pending.length === 0) return ok(CHECK, `${name}, schema ${current}`)
  return warning(
    CHECK,
    `${name} has schema ${current}, and this version of Docent uses ${target}.`,
    'Run docent migrate, or start the service, which does the same.',
  )
}

async function checkKey(store: Store, config: Config, { secretKeys }: Secrets): Promise<Finding> {
  const keyFile = keyFileOf(config)
  const keys = secretKeys.length > 0 || keyFile === null ? secretKeys : (readKeyFile(keyFile) ?? [])
  const current = await currentKeyId(store.read)
  const from = secretKeys.length > 0 ? 'DOCENT_SECRET_KEY' : 'the key file'
  if (keys.length === 0 && keyFile === null)
    return warning(
      KEY,
      'There is no key, so that credentials can be neither stored nor used.',
      'Set DOCENT_SECRET_KEY.',
    )
  if (current === undefined) return ok(KEY, 'the first start notes it')
  if (keys.some((key) => toSecretKey(key).id === current)) return ok(KEY, `credentials are encrypted with ${from}`)
  return problem(
    KEY,
    'The key that credentials were encrypted with is missing.',
    keyFile === null ? 'Set DOCENT_SECRET_KEY to it.' : `Copy it back to ${keyFile}, or set DOCENT_SECRET_KEY to it.`,
  )
}

async function checkSegments(store: Store): Promise<Finding> {
  let count = 0
  let old = 0
  const broken: string[] = []
  for await (const { id, sourceId, bytes, stored, format } of listPublishedSegments(store.read)) {
    count++
    if (bytes === null || bytes !== stored) broken.push(sourceId)
    else if (format !== SEGMENT_FORMAT) old++
    else if (count <= READ_WHOLE && !(await isReadable(store, id))) broken.push(sourceId)
  }
  const sources = [...new Set(broken)]
  if (sources.length > 0)
    return problem(
      SEGMENTS,
      `The indexes of ${sources.length} sources are damaged: ${sources.slice(0, 5).join(', ')}.`,
      'Index these sources again, or restore a backup.',
    )
  if (old > 0)
    return warning(SEGMENTS, `${old} of ${count} have an earlier format.`, 'Start the service. It rebuilds them.')
  return ok(SEGMENTS, `${count}, all readable`)
}

async function isReadable(store: Store, id: string): Promise<boolean> {
  const bytes = await readSegment(store, id)
  // A new version can have replaced it meanwhile.
  if (bytes === null) return true
  try {
    openSegment(bytes)
    return true
  } catch {
    return false
  }
}
