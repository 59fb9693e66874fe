/** The part of a list on a page, for queries. Pages count from 1. */
export const partOf = (page: number, pageSize: number) => ({ limit: pageSize, offset: (page - 1) * pageSize })

/** Members of an answer with one page of a list. */
export function pagingOf<Size extends number>(page: number, pageSize: Size, total: number) {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) }
}
