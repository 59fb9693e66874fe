/** Media type of pages in lists of resources, and of their text. */
export const PAGE_TYPE = 'text/markdown'
