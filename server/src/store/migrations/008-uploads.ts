import type { Migration } from '#store/engine/migration.ts'

export const uploads: Migration = {
  number: 8,
  sql: ({ bigint, blob }) => `
create table uploads (
  id text primary key, server_id text not null references servers (id) on delete cascade,
  source_id text references sources (id) on delete cascade, file_name text not null, bytes ${bigint} not null,
  created_at ${bigint} not null);
create index uploads_source on uploads (source_id);
create index uploads_server on uploads (server_id);
create index uploads_unfinished on uploads (created_at) where source_id is null;

create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade, part ${bigint} not null, data ${blob} not null,
  primary key (upload_id, part));
`,
}
