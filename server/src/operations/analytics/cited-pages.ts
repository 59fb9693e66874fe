import { DETAILS_PAGE_SIZE as PAGE_SIZE } from '@docent/contract/operations/analytics-details'
import { DocentError } from '#errors.ts'
import { readCitedPages } from '#store/calls/read-cited-pages.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { dateOf, dayOf, startOf } from './range.ts'

export const listCitedPages: Handler<'analytics.pages'> = async ({ deps, server }, { range, sourceId, page }) => {
  const db = deps.store.read
  if (sourceId !== undefined && !(await listSources(db, server.id)).some(({ id }) => id === sourceId)) {
    throw new DocentError('source_not_found')
  }
  await deps.flushCalls()
  const sinceDay = dayOf(startOf(range, deps.clock()))
  const which = { serverId: server.id, sinceDay, ...(sourceId === undefined ? {} : { sourceId }) }
  const { pages, total } = await readCitedPages(db, which, {
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    withDays: true,
  })
  return {
    range,
    pages: pages.map(({ lastCitedAt, days, ...cited }) => ({
      ...cited,
      lastCitedAt: isoTime(lastCitedAt),
      points: days.map(({ day, citations }) => ({ date: dateOf(day), citations })),
    })),
    page,
    pageSize: PAGE_SIZE,
    total,
    totalPages: Math.ceil(total / PAGE_SIZE),
  }
}
