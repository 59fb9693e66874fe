import { DocentError } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { findCredential } from '#store/accounts/secrets.ts'
import { findSource, updateSourceRow } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'
import { refuseAllowedTools } from './refuse-allowed-tools.ts'
import { presentSource } from './present.ts'

export const updateSource: Handler<'sources.update'> = async (
  { deps, server, source },
  { label, include, exclude, allowedTools },
) => {
  refuseAllowedTools(source.type, allowedTools ?? [])
  const values = {
    ...(label === undefined ? {} : { label: label || null }),
    ...(include === undefined ? {} : { includePatterns: JSON.stringify(include) }),
    ...(exclude === undefined ? {} : { excludePatterns: JSON.stringify(exclude) }),
    ...(allowedTools === undefined ? {} : { allowedTools: JSON.stringify(allowedTools) }),
  }
  if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
  const { includePatterns = source.includePatterns, excludePatterns = source.excludePatterns } = values
  const changesScope = includePatterns !== source.includePatterns || excludePatterns !== source.excludePatterns
  const answer = await deps.store.transaction(async (tx) => {
    await updateSourceRow(tx, source.id, values)
    // A running crawl would keep pages read under the old patterns.
    if (changesScope) await enqueueAnew(tx, source)
    const changed = await findSource(tx, server.id, source.id)
    if (!changed) throw new DocentError('source_not_found')
    const credential = await findCredential(tx, source.id)
    return presentSource(tx, changed, credential !== undefined)
  })
  if (changesScope) deps.wakeWorker({ taken: true })
  return answer
}
