import type { Migration } from '#store/engine/migration.ts'

export const setupLinks: Migration = {
  number: 27,
  sql: ({ bigint }) => `
create table setup_links (hash text primary key, created_at ${bigint} not null);
`,
}
