import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { inLeasedTransaction } from '#jobs/lease.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { claim } from '#store/jobs/claim.ts'
import { LEASE_MS } from '#store/jobs/job.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { makePlace, openTwoNodes } from '../support/database/engines.ts'

/** In place of 15 seconds, and of the rest of the lease. */
const SOON_MS = 2_000

// SQLite has one node only.
test.skipIf(inject('postgresUrl') === '')(
  'takes a job over from a node that is paused inside a transaction, whose writes are lost',
  async () => {
    await using place = await makePlace('postgres')
    await using nodes = await openTwoNodes(place)
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(nodes.one.write)
    expect(rows).toEqual([{ idleInTransactionSessionTimeout: '15s' }])
    await enqueue(nodes.one.write, 'ingest', { sourceId: 'src_1' })
    const job = await claim(nodes.one)
    if (!job) throw new Error('There is no job to claim')
    const afterLease = (await nodes.other.now()) + LEASE_MS + 1
    const [begun, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const paused = inLeasedTransaction(
      nodes.one,
      job,
    )(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(SOON_MS)}`.execute(tx)
      await tx.updateTable('jobs').set({ error: 'written before the pause' }).where('id', '=', job.id).execute()
      begun.resolve()
      await resumed.promise
      await tx.updateTable('jobs').set({ error: 'written after the pause' }).where('id', '=', job.id).execute()
    })
    const failed = paused.catch((error: unknown) => error)
    await begun.promise
    // The row is locked until PostgreSQL ends the transaction of the paused node.
    expect(await claim(nodes.other, afterLease)).toBeUndefined()
    await vi.waitUntil(async () => (await claim(nodes.other, afterLease)) !== undefined, { timeout: 10_000 })
    resumed.resolve()
    expect(await failed).toBeInstanceOf(StoreUnavailableError)
    const left = await nodes.other.read.selectFrom('jobs').select(['state', 'fence', 'error']).execute()
    expect(left).toEqual([{ state: 'running', fence: job.fence + 1, error: null }])
  },
)
