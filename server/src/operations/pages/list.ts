import { PAGES_PER_ANSWER } from '@docent/contract/operations/pages'
import { countReported, listReported } from '#store/pages/page-report.ts'
import type { Handler } from '../operation.ts'
import { presentPage, readFilter } from './filter.ts'

export const listPages: Handler<'pages.list'> = async ({ deps, server }, { page, ...given }) => {
  const { read } = deps.store
  const filter = await readFilter(read, server.id, given)
  const total = await countReported(read, filter)
  const rows = await listReported(read, filter, { limit: PAGES_PER_ANSWER, offset: (page - 1) * PAGES_PER_ANSWER })
  return {
    pages: rows.map(presentPage),
    page,
    pageSize: PAGES_PER_ANSWER,
    total,
    totalPages: Math.ceil(total / PAGES_PER_ANSWER),
  }
}
