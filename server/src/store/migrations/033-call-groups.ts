import type { Migration } from '#store/engine/migration.ts'

/**
 * Counts by day in one dimension: all calls, or those of a tool, a client or a widget configuration. A report of a year
 * reads a tenth of the rows that `call_days` has. The rows of one dimension are neighbours. Replaces
 * `call_day_totals`.
 */
export const callGroups: Migration = {
  number: 33,
  sql: ({ engine, bigint }) => `
create table call_groups (
  server_id text not null references servers (id) on delete cascade, dimension text not null, day ${bigint} not null,
  name text not null, version text not null, status text not null,
  calls ${bigint} not null, duration_ms double precision not null, last_at ${bigint} not null, durations text not null,
  primary key (server_id, dimension, day, name, version, status))${engine === 'sqlite' ? ' without rowid' : ''};

${insertGroups('all', `''`, `''`)};
${insertGroups('tool', 'tool', `''`)};
${insertGroups('client', 'client_name', 'client_version')};
${insertGroups('configuration', 'configuration_id', `''`)};

drop table call_day_totals;
`,
}

const insertGroups = (dimension: string, name: string, version: string): string => `
insert into call_groups (server_id, dimension, day, name, version, status, calls, duration_ms, last_at, durations)
select server_id, '${dimension}', day, ${name}, ${version}, status,
  sum(calls), sum(duration_ms), max(last_at), string_agg(durations, '')
from call_days ${dimension === 'configuration' ? `where configuration_id <> ''` : ''} group by 1, 2, 3, 4, 5, 6`
