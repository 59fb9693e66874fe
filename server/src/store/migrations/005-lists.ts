import type { Migration } from '#store/engine/migration.ts'

/** Covering indexes for the server list and the count against the plan. */
export const lists: Migration = {
  number: 5,
  sql: () => `
create index servers_live on servers (account_id, created_at) where deleted_at is null;
create index sources_states on sources (server_id, crawl_status);
`,
}
