import { PUSH_RATE } from '@docent/contract/operations/pushes'
import { hashSecret, newSecret } from '#auth/secret.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { isoTime } from '#lib/clock.ts'
import { type SourcePushes, findPushes, notePush, savePushAddress } from '#store/sources/pushes.ts'
import { verifyPush } from '#webhooks/verify-push.ts'
import type { HandlersOf, OperationDeps } from '../operation.ts'
import { enforceRateLimit } from '../rate-limits.ts'

/** What is sealed of an address. */
type Secrets = { token: string; secret: string }

export const pushHandlers: HandlersOf<'pushes'> = {
  'pushes.address': async ({ deps, source }) =>
    present(deps, await findPushes(deps.store.read, { sourceId: source.id })),

  'pushes.makeAddress': async ({ deps, source: { id: sourceId } }) => {
    const { store, vault } = deps
    const secrets: Secrets = { token: newSecret('dph_').plaintext, secret: newSecret('dps_').plaintext }
    const row = await store.transaction(async (tx) => {
      const sealed = await vault.seal(tx, JSON.stringify(secrets), { table: 'sourcePushes', id: sourceId })
      await savePushAddress(tx, { sourceId, tokenHash: hashSecret(secrets.token), sealed })
      return findPushes(tx, { sourceId })
    })
    return present(deps, row)
  },

  'pushes.receive': async ({ deps, pushedSource: { pushes, source }, body }) => {
    const { store, clock } = deps
    await enforceRateLimit(deps, { ...PUSH_RATE, key: `push ${source.id}` })
    const { secret } = openSecrets(deps, pushes)
    const sender = await verifyPush(body.headers, body.chunks, secret)
    // Not in one transaction: readings lock their job before the pushes. The end of a reading sees what is counted.
    await notePush(store.write, source.id, { pushedAt: clock(), sender })
    const queued = await store.transaction((tx) => enqueueIngest(tx, source))
    deps.wakeWorker()
    return { ok: true as const, queued }
  },
}

const openSecrets = ({ vault }: OperationDeps, { sourceId, sealed }: SourcePushes): Secrets =>
  JSON.parse(vault.unseal(sealed, { table: 'sourcePushes', id: sourceId })) as Secrets

function present(deps: OperationDeps, pushes: SourcePushes | undefined) {
  if (!pushes) return { url: null, secret: null, lastPushAt: null, lastPushFrom: null }
  const { token, secret } = openSecrets(deps, pushes)
  return {
    url: `${deps.baseUrl()}/api/hooks/${token}`,
    secret,
    lastPushAt: pushes.pushedAt === null ? null : isoTime(pushes.pushedAt),
    lastPushFrom: pushes.sender,
  }
}
