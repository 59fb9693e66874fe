import { SKETCH_SCALE } from '#lib/duration-sketch.ts'
import type { Migration, Words } from '#store/engine/migration.ts'

/** Name of the client in counts of calls that the request log no longer had. */
const EARLIER = '(earlier)'

const DIMENSIONS = 'tool, client_name, client_version, configuration_id, status'
const COUNTS = 'calls, duration_ms, durations, last_at'

/**
 * Counts of calls by hour or day, tool, client, widget configuration and outcome, with a sketch of the durations. Old
 * counts by day and tool are split as far as the request log has their calls. The rest has no client and no sketch.
 */
export const callRollups: Migration = {
  number: 28,
  sql: ({ engine, bigint }) => `
alter table calls add column configuration_id text;
alter table calls add column end_user_id text;
alter table calls add column unanswered integer not null default 0;

update calls set unanswered = 1 where status = 'ok' and query is not null
  and (confidence in ('low', 'none') or (tool = 'search_docs' and citations is null));

create index calls_unanswered on calls (server_id, at) where unanswered = 1;

alter table call_days rename to former_call_days;

create table call_hours (${columns('hour', bigint)})${clustered(engine)};
create index call_hours_age on call_hours (hour);

create table call_days (${columns('day', bigint)})${clustered(engine)};

insert into call_days (server_id, day, ${DIMENSIONS}, ${COUNTS})
select logged.server_id, logged.day, coalesce(counted.tool, '(other)'), coalesce(client_name, ''), coalesce(client_version, ''), '',
  status, count(*), sum(logged.duration_ms), string_agg(${sketch(engine)}, ''), max(at)
from (select server_id, day, tool, substr(client_name, 1, 64) as client_name,
    substr(client_version, 1, 64) as client_version, status, duration_ms, at from calls) logged
  left join former_call_days counted
    on counted.server_id = logged.server_id and counted.day = logged.day and counted.tool = logged.tool
group by 1, 2, 3, 4, 5, 7;

insert into call_days (server_id, day, ${DIMENSIONS}, ${COUNTS})
select former.server_id, former.day, former.tool, '${EARLIER}', '', '', 'ok',
  former.calls - former.failed - coalesce(sum(case when status = 'ok' then split.calls end), 0),
  former.duration_ms - coalesce(sum(split.duration_ms), 0), '', former.day * 86400000
${FORMER}
having former.calls - former.failed > coalesce(sum(case when status = 'ok' then split.calls end), 0);

insert into call_days (server_id, day, ${DIMENSIONS}, ${COUNTS})
select former.server_id, former.day, former.tool, '${EARLIER}', '', '', 'error',
  former.failed - coalesce(sum(case when status = 'error' then split.calls end), 0),
  case when former.calls - former.failed > coalesce(sum(case when status = 'ok' then split.calls end), 0) then 0
    else former.duration_ms - coalesce(sum(split.duration_ms), 0) end,
  '', former.day * 86400000
${FORMER}
having former.failed > coalesce(sum(case when status = 'error' then split.calls end), 0);

drop table former_call_days;
`,
}

const columns = (period: 'hour' | 'day', bigint: string) => `
  server_id text not null references servers (id) on delete cascade, ${period} ${bigint} not null, tool text not null,
  client_name text not null, client_version text not null, configuration_id text not null, status text not null,
  calls ${bigint} not null, duration_ms double precision not null, durations text not null, last_at ${bigint} not null,
  primary key (server_id, ${period}, tool, client_name, client_version, configuration_id, status)`

/** One tree instead of two: each batch of calls updates a dozen rows. */
const clustered = (engine: Words['engine']): string => (engine === 'sqlite' ? ' without rowid' : '')

const FORMER = `from former_call_days former left join call_days split
  on split.server_id = former.server_id and split.day = former.day and split.tool = former.tool
    and split.client_name <> '${EARLIER}'
group by former.server_id, former.day, former.tool, former.calls, former.failed, former.duration_ms`

/** The sketch of one duration, see `lib/duration-sketch.ts`. */
function sketch(engine: Words['engine']): string {
  const { smallestMs, logGrowth, lastBucket } = SKETCH_SCALE
  const [least, greatest, letter] = engine === 'sqlite' ? ['min', 'max', 'char'] : ['least', 'greatest', 'chr']
  const steps = `ceil(ln(${greatest}(logged.duration_ms, ${smallestMs}) / ${smallestMs}) / ${logGrowth})`
  const bucket = `cast(${least}(${steps}, ${lastBucket}) as integer)`
  return `${letter}(97 + ${bucket} / 26) || ${letter}(97 + ${bucket} % 26)`
}
