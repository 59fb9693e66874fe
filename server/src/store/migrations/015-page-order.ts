import type { Migration } from '../migration.ts'

/**
 * Pages of a source in the order of their discovery, all of them and by whether they are published, so that a crawl and a
 * publish read the next few hundred without sorting all that are left; and sizes of texts apart from the texts.
 */
export const pageOrder: Migration = {
  number: 15,
  sql: () => `
create index pages_order on pages (source_id, id);
drop index pages_unpublished;
create index pages_unpublished on pages (source_id, published, id);
create index texts_sizes on texts (source_id, hash, size);
`,
}
