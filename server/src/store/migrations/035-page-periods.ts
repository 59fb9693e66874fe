import type { Migration, Words } from '#store/engine/migration.ts'

/** Days of a period. Fixed: a later change of the program must not change how this table was filled. */
const DAYS = 32

/**
 * Citations by page in periods of 32 days, as the sums of `page_days`. A report of a year then reads a dozen rows
 * instead of 365. A period has the day that it begins with.
 */
export const pagePeriods: Migration = {
  number: 35,
  sql: ({ engine, bigint }) => `
create table page_periods (
  source_id text not null references sources (id) on delete cascade, day ${bigint} not null, counts text not null,
  primary key (source_id, day));

insert into page_periods (source_id, day, counts)
select source_id, day, '[' || string_agg(id || ',' || total, ',') || ']'
from (
  select source_id, day - day % ${DAYS} as day, id, sum(count) as total
  from (
    select source_id, day, place, value as id, lead(value) over (partition by source_id, day order by place) as count
    from (${values(engine)}) as listed
  ) as pairs
  where place % 2 = 0 group by 1, 2, 3
) as sums group by 1, 2;
`,
}

/** The values of all days, with their places in the array from 0: ids and counts in turn. */
const values = (engine: Words['engine']): string =>
  engine === 'sqlite'
    ? 'select source_id, day, key as place, value from page_days, json_each(counts)'
    : `select source_id, day, place - 1 as place, value::bigint as value
      from page_days, json_array_elements_text(counts::json) with ordinality as listed (value, place)`
