import type { Migration } from '#store/engine/migration.ts'

/**
 * Webhooks and their deliveries. A delivery is due at `next_at`; an attempt moves that to the end of its lease. Those
 * about a server are deleted with it, because they name it.
 */
export const webhooks: Migration = {
  number: 31,
  sql: ({ bigint }) => `
create table webhooks (
  id text primary key, account_id text not null references accounts (id) on delete cascade, url text not null,
  name text not null, events text not null, sealed_secret text not null, enabled integer not null, disabled_reason text,
  failures integer not null, failing_since ${bigint}, last_delivered_at ${bigint}, dropped integer not null,
  created_at ${bigint} not null, updated_at ${bigint} not null);
create index webhooks_account on webhooks (account_id, created_at);
create table webhook_deliveries (
  id text primary key, webhook_id text not null references webhooks (id) on delete cascade, account_id text not null,
  server_id text references servers (id) on delete cascade, type text not null, body text not null, state text not null,
  attempts integer not null, next_at ${bigint} not null, log text not null, created_at ${bigint} not null,
  settled_at ${bigint});
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'queued';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_server on webhook_deliveries (server_id) where server_id is not null;
create table limit_notices (
  account_id text not null references accounts (id) on delete cascade, subject text not null, period text not null,
  created_at ${bigint} not null, primary key (account_id, subject, period));
`,
}
