import type { Migration } from '../migration.ts'

/** Whether results of a server's tools have structured content beside their text. */
export const structuredOutput: Migration = {
  number: 21,
  sql: () => `
alter table servers add column structured_output integer not null default 0;
`,
}
