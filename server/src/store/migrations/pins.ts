import { OF_SERVER } from './content.ts'
import type { Migration } from './migrate.ts'

export const PIN_TABLES = `
-- Sections that the owner of a server shows first for some questions ('effect' is 'first'), or never ('never').
-- 'questions' is a JSON array. 'url' is the address of the section, 'heading' its headings, empty at the start of a page.
create table pins (
  id text primary key, server_id ${OF_SERVER}, source_id text not null references sources (id) on delete cascade,
  effect text not null, questions text not null, url text not null, title text not null, heading text not null,
  created_at bigint not null);
create index pins_server on pins (server_id, created_at);
create index pins_source on pins (source_id);
` as const

/** Calls read the pins again when this number differs. */
export const SERVER_PINS = `
-- 'pins' counts the changes of a server's pins. 0: it never had any.
alter table servers add column pins bigint not null default 0;
` as const

export const pins: Migration = {
  number: 36,
  name: 'pins',
  sql: `${PIN_TABLES}${SERVER_PINS}`,
  only: { sqlite: '', postgres: '' },
}
