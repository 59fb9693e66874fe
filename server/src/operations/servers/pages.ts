import { PAGES_PER_ANSWER } from '@docent/contract/limits'
import type { ReportedState } from '@docent/contract/operations/pages'
import {
  countReported,
  listReported,
  type ReportFilter,
  type ReportedPage,
  reportedAfter,
} from '#store/pages/page-report.ts'
import type { Db } from '#store/db.ts'
import { DocentError } from '#errors.ts'
import { questionsOfSources } from '#store/sources/questions.ts'
import { listSources } from '#store/sources/sources.ts'
import { isoTime } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import type { HandlersOf } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'
import { leaveOut, linksTo, readAgain } from './one-page.ts'

/** Rows per read of an export: about 2 ms on SQLite, which blocks everything else. */
const BATCH = 500

export const pageHandlers: HandlersOf<'pages'> = {
  'pages.list': async ({ deps, server }, { page, sort, ...given }) => {
    const { read } = deps.store
    const filter = await readFilter(read, server.id, given)
    const total = await countReported(read, filter)
    const rows = await listReported(read, filter, { sort, ...partOf(page, PAGES_PER_ANSWER) })
    return { pages: rows.map(presentPage), ...pagingOf(page, PAGES_PER_ANSWER, total) }
  },

  'pages.export': async ({ deps, server }, given) => {
    const { read } = deps.store
    return exportedRows(read, await readFilter(read, server.id, given))
  },

  'pages.questions': async ({ deps, server }) => {
    const { read } = deps.store
    const sources = await listSources(read, server.id)
    const ids = sources.map(({ id }) => id)
    return { questions: await questionsOfSources(read, ids) }
  },

  'pages.readAgain': readAgain,
  'pages.leaveOut': leaveOut,
  'pages.linksTo': linksTo,
}

async function* exportedRows(db: Db, { sourceIds, ...filter }: ReportFilter) {
  for (const sourceId of sourceIds) {
    let batch: ReportedPage[] = []
    do {
      batch = await reportedAfter(db, { sourceIds: [sourceId], ...filter }, batch.at(-1)?.url ?? '', BATCH)
      yield* batch.map(presentPage)
    } while (batch.length === BATCH)
  }
}

type Given = { [Name in 'sourceId' | 'reason' | 'search']?: string | undefined } & { state?: ReportedState | undefined }

/** Builds the page filter. Throws `404 source_not_found` for a source that is not on the server. */
async function readFilter(db: Db, serverId: string, { sourceId, state, reason, search }: Given): Promise<ReportFilter> {
  const sources = await listSources(db, serverId)
  const meant = sourceId === undefined ? sources : sources.filter(({ id }) => id === sourceId)
  if (sourceId !== undefined && meant.length === 0) throw new DocentError('source_not_found')
  return {
    sourceIds: meant.map(({ id }) => id),
    ...defined({ search }),
    ...defined({ state: state === 'waiting' ? ('queued' as const) : state, reason }),
  }
}

function presentPage({ state, updatedAt, ...given }: ReportedPage) {
  // A duplicate keeps the number of its passages, for when its original is gone.
  const page = state === 'skipped' ? { ...given, chunks: 0 } : given
  if (state === 'queued') return { ...page, state: 'waiting' as const, settledAt: null }
  return { ...page, state, settledAt: isoTime(updatedAt) }
}
