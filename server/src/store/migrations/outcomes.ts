/** Beginnings and parts of messages with which earlier versions recorded a failure. All others were refusals. */
const FAILURES = [
  'The caller left before the answer came.',
  'Something went wrong on our side.%',
  'The index is being rebuilt%',
  'The call took too %',
  'The server has just become private.%',
  '%could not be asked%',
  '%did not come to an end within%',
  '%refused the credential%',
  '%live calls under way%',
]

/** Tools whose answer can cite nothing although it has a result. */
const WITHOUT_CITATIONS = "('query_source', 'resources/read')"

/** The outcome of a call, from what its row says. */
const OUTCOMES = `
update calls set outcome = case
  when outcome = 'error' and (${FAILURES.map((text) => `error like '${text}'`).join(' or ')}) then 'failed'
  when outcome = 'error' then 'refused'
  when confidence = 'low' then 'related'
  when confidence = 'none' then 'none'
  when confidence is null and citations is null and tool not in ${WITHOUT_CITATIONS} then 'none'
  else 'answered' end;
`

const COUNTS = ['call_hours', 'call_days', 'call_groups']

/** The columns of a count's key, each with its value for a call. */
type Key = Readonly<Record<string, string>>

const OF_CALL: Key = {
  tool: 'tool',
  client_name: "coalesce(client_name, '')",
  client_version: "coalesce(client_version, '')",
  configuration_id: "coalesce(configuration_id, '')",
}
const inDimension = (dimension: string, name: string, version = "''"): Key => {
  return { dimension: `'${dimension}'`, day: 'day', name, version }
}

/**
 * Counts had the status only. Those that the log explains are divided, with the durations left where they were. A call
 * that is counted under another name than its own stays where it is.
 */
function divide(table: string, key: Key): string {
  const columns = ['server_id', ...Object.keys(key)]
  const values = Object.entries(key).map(([column, value]) => `${value} as ${column}`)
  const isSame = [...columns, 'was'].map((column) => {
    return `moved.${column} = ${table}.${column === 'was' ? 'outcome' : column}`
  })
  const same = `${isSame.join(' and ')} and moved.of_all <= ${table}.calls`
  return `
create temporary table moved as
  select counted.*, sum(calls) over (partition by ${[...columns, 'was'].join(', ')}) as of_all
  from (
    select server_id, ${values.join(', ')}, outcome, case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by ${[...columns.keys()].map((at) => at + 1).join(', ')}, outcome) as counted;
insert into ${table} (${columns.join(', ')}, outcome, calls, duration_ms, durations, last_at)
  select ${columns.map((column) => `moved.${column}`).join(', ')}, moved.outcome, moved.calls, moved.duration_ms, '',
    moved.last_at
  from moved join ${table} on ${same};
update ${table} set
  calls = calls - (select sum(moved.calls) from moved where ${same}),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where ${same})
  where exists (select 1 from moved where ${same});
drop table moved;
`
}

/** Each call has an outcome, which implies its status. */
export const outcomes = `
drop index calls_unanswered;
alter table calls drop column unanswered;
alter table calls rename column status to outcome;
${OUTCOMES}
create index calls_unanswered on calls (server_id, at) where outcome in ('related', 'none');
${COUNTS.map(
  (table) => `
alter table ${table} rename column status to outcome;
update ${table} set outcome = case outcome when 'error' then 'failed' else 'answered' end;
`,
).join('')}
${divide('call_hours', { hour: 'at / 3600000', ...OF_CALL })}
${divide('call_days', { day: 'day', ...OF_CALL })}
${[
  inDimension('all', "''"),
  inDimension('tool', 'tool'),
  inDimension('client', "coalesce(client_name, '')", "coalesce(client_version, '')"),
  inDimension('configuration', "coalesce(configuration_id, '')"),
]
  .map((key) => divide('call_groups', key))
  .join('')}
`
