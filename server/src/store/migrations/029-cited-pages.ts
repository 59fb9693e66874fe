import type { Migration } from '#store/engine/migration.ts'

/**
 * Citations by page and day, totals of the counts by day, and what a server removes from calls before they are stored. `page_days.counts` is one JSON
 * array per source and day: a row for each page and day would be a million rows a year. `call_folds` has one row: the
 * citations of calls before that time are in these counts.
 */
export const citedPages: Migration = {
  number: 29,
  sql: ({ bigint, serial }) => `
create table cited_pages (
  id ${serial}, source_id text not null references sources (id) on delete cascade, hash text not null, url text not null,
  title text not null, last_cited_at ${bigint} not null, unique (source_id, hash));

create table page_days (
  source_id text not null references sources (id) on delete cascade, day ${bigint} not null, counts text not null,
  primary key (source_id, day));

create table call_folds (id ${bigint} primary key, folded_until ${bigint} not null);

create table call_day_totals (
  server_id text not null references servers (id) on delete cascade, day ${bigint} not null, status text not null,
  calls ${bigint} not null, durations text not null, primary key (server_id, day, status));

insert into call_day_totals (server_id, day, status, calls, durations)
select server_id, day, status, sum(calls), string_agg(durations, '') from call_days group by server_id, day, status;

alter table servers add column redaction text not null default '[]';
`,
}
