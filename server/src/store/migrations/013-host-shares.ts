import type { Migration } from '#store/engine/migration.ts'

export const hostShares: Migration = {
  number: 13,
  sql: ({ bigint }) => `
create table host_shares (
  host text not null, node text not null, until ${bigint} not null, not_before ${bigint} not null,
  primary key (host, node));
create index host_shares_age on host_shares (until);
create table host_slots (host text primary key, next_at ${bigint} not null);
create index host_slots_age on host_slots (next_at);
`,
}
