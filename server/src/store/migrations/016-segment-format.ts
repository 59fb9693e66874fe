import type { Migration } from '../migration.ts'

/** The format of a segment apart from its bytes, since SQLite reads a whole blob for its first ones. 0: not known. */
export const segmentFormat: Migration = {
  number: 16,
  sql: ({ bigint }) => `
alter table segments add column format ${bigint} not null default 0;
create index segments_format on segments (format);
`,
}
