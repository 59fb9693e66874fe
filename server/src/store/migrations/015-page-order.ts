import type { Migration } from '#store/engine/migration.ts'

/**
 * Indexes of a source's pages in discovery order, in total and by publication, so that crawls and publications read the
 * next few hundred without sorting. Also stores text sizes apart from the texts.
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
