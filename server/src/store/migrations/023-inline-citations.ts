import type { Migration } from '#store/engine/migration.ts'

/**
 * Moves the citations of a call into its row. Five rows with two indices cost more than the search that they record.
 * Each is an array: source, address, title, rank, score.
 */
export const inlineCitations: Migration = {
  number: 23,
  sql: ({ engine }) => `
alter table calls add column citations text;

update calls set citations = (select ${engine === 'sqlite' ? SQLITE : POSTGRES} from call_citations where call_id = calls.id)
where id in (select call_id from call_citations);

drop table call_citations;
`,
}

const SQLITE = 'json_group_array(json_array(source_id, url, title, rank, score) order by position)'
const POSTGRES = 'json_agg(json_build_array(source_id, url, title, rank, score) order by position)::text'
