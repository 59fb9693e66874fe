import type { Migration } from '#store/engine/migration.ts'

/** Adds structured content to the tool results of a server. */
export const structuredOutput: Migration = {
  number: 21,
  sql: () => `
alter table servers add column structured_output integer not null default 0;
`,
}
