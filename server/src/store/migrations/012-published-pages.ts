import type { Migration } from '#store/engine/migration.ts'

export const publishedPages: Migration = {
  number: 12,
  sql: ({ bigint }) => `
alter table sources add column published_pages ${bigint} not null default 0;
`,
}
