import type { Migration } from '#store/engine/migration.ts'

/** Segment format outside the blob, because SQLite reads a whole blob for its first bytes. 0: unknown. */
export const segmentFormat: Migration = {
  number: 16,
  sql: ({ bigint }) => `
alter table segments add column format ${bigint} not null default 0;
create index segments_format on segments (format);
`,
}
