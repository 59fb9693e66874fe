drop index calls_unanswered;
alter table calls drop column unanswered;
alter table calls rename column status to outcome;

-- Each call has an outcome, which implies its status. Failures are recognized by the beginnings and parts of messages
-- with which earlier versions recorded them. All others were refusals.
update calls set outcome = case
  when outcome = 'error' and (error like 'The caller left before the answer came.'
      or error like 'Something went wrong on our side.%' or error like 'The index is being rebuilt%'
      or error like 'The call took too %' or error like 'The server has just become private.%'
      or error like '%could not be asked%' or error like '%did not come to an end within%'
      or error like '%refused the credential%' or error like '%live calls under way%') then 'failed'
  when outcome = 'error' then 'refused'
  when confidence = 'low' then 'related'
  when confidence = 'none' then 'none'
  when confidence is null and citations is null and tool not in ('query_source', 'resources/read') then 'none'
  else 'answered' end;

create index calls_unanswered on calls (server_id, at) where outcome in ('related', 'none');

alter table call_hours rename column status to outcome;
update call_hours set outcome = case outcome when 'error' then 'failed' else 'answered' end;

alter table call_days rename column status to outcome;
update call_days set outcome = case outcome when 'error' then 'failed' else 'answered' end;

alter table call_groups rename column status to outcome;
update call_groups set outcome = case outcome when 'error' then 'failed' else 'answered' end;

-- Counts had the status only. Those that the log explains are divided, with the durations left where they were. A call
-- that is counted under another name than its own stays where it is.
create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, hour, tool, client_name, client_version,
      configuration_id, was) as of_all
  from (
    select server_id, at / 3600000 as hour, tool, coalesce(client_name, '') as client_name, coalesce(client_version,
        '') as client_version, coalesce(configuration_id, '') as configuration_id, outcome,
        case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, 6, outcome) as counted;
insert into call_hours (server_id, hour, tool, client_name, client_version, configuration_id, outcome, calls,
    duration_ms, durations, last_at)
  select moved.server_id, moved.hour, moved.tool, moved.client_name, moved.client_version, moved.configuration_id,
      moved.outcome, moved.calls, moved.duration_ms, '',
    moved.last_at
  from moved join call_hours on moved.server_id = call_hours.server_id and moved.hour = call_hours.hour
      and moved.tool = call_hours.tool and moved.client_name = call_hours.client_name
      and moved.client_version = call_hours.client_version
      and moved.configuration_id = call_hours.configuration_id and moved.was = call_hours.outcome
      and moved.of_all <= call_hours.calls;
update call_hours set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_hours.server_id
      and moved.hour = call_hours.hour and moved.tool = call_hours.tool
      and moved.client_name = call_hours.client_name and moved.client_version = call_hours.client_version
      and moved.configuration_id = call_hours.configuration_id and moved.was = call_hours.outcome
      and moved.of_all <= call_hours.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_hours.server_id and moved.hour = call_hours.hour and moved.tool = call_hours.tool and moved.client_name = call_hours.client_name and moved.client_version = call_hours.client_version and moved.configuration_id = call_hours.configuration_id and moved.was = call_hours.outcome and moved.of_all <= call_hours.calls)
  where exists (select 1 from moved where moved.server_id = call_hours.server_id
      and moved.hour = call_hours.hour and moved.tool = call_hours.tool
      and moved.client_name = call_hours.client_name and moved.client_version = call_hours.client_version
      and moved.configuration_id = call_hours.configuration_id and moved.was = call_hours.outcome
      and moved.of_all <= call_hours.calls);
drop table moved;

create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, day, tool, client_name, client_version,
      configuration_id, was) as of_all
  from (
    select server_id, day, tool, coalesce(client_name, '') as client_name, coalesce(client_version,
        '') as client_version, coalesce(configuration_id, '') as configuration_id, outcome,
        case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, 6, outcome) as counted;
insert into call_days (server_id, day, tool, client_name, client_version, configuration_id, outcome, calls,
    duration_ms, durations, last_at)
  select moved.server_id, moved.day, moved.tool, moved.client_name, moved.client_version, moved.configuration_id,
      moved.outcome, moved.calls, moved.duration_ms, '',
    moved.last_at
  from moved join call_days on moved.server_id = call_days.server_id and moved.day = call_days.day
      and moved.tool = call_days.tool and moved.client_name = call_days.client_name
      and moved.client_version = call_days.client_version
      and moved.configuration_id = call_days.configuration_id and moved.was = call_days.outcome
      and moved.of_all <= call_days.calls;
update call_days set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_days.server_id
      and moved.day = call_days.day and moved.tool = call_days.tool
      and moved.client_name = call_days.client_name and moved.client_version = call_days.client_version
      and moved.configuration_id = call_days.configuration_id and moved.was = call_days.outcome
      and moved.of_all <= call_days.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_days.server_id and moved.day = call_days.day and moved.tool = call_days.tool and moved.client_name = call_days.client_name and moved.client_version = call_days.client_version and moved.configuration_id = call_days.configuration_id and moved.was = call_days.outcome and moved.of_all <= call_days.calls)
  where exists (select 1 from moved where moved.server_id = call_days.server_id and moved.day = call_days.day
      and moved.tool = call_days.tool and moved.client_name = call_days.client_name
      and moved.client_version = call_days.client_version
      and moved.configuration_id = call_days.configuration_id and moved.was = call_days.outcome
      and moved.of_all <= call_days.calls);
drop table moved;

create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, dimension, day, name, version, was) as of_all
  from (
    select server_id, 'all' as dimension, day, '' as name, '' as version, outcome,
        case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, outcome) as counted;
insert into call_groups (server_id, dimension, day, name, version, outcome, calls, duration_ms, durations, last_at)
  select moved.server_id, moved.dimension, moved.day, moved.name, moved.version, moved.outcome, moved.calls,
      moved.duration_ms, '',
    moved.last_at
  from moved join call_groups on moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls;
update call_groups set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_groups.server_id and moved.dimension = call_groups.dimension and moved.day = call_groups.day and moved.name = call_groups.name and moved.version = call_groups.version and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls)
  where exists (select 1 from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls);
drop table moved;

create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, dimension, day, name, version, was) as of_all
  from (
    select server_id, 'tool' as dimension, day, tool as name, '' as version, outcome,
        case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, outcome) as counted;
insert into call_groups (server_id, dimension, day, name, version, outcome, calls, duration_ms, durations, last_at)
  select moved.server_id, moved.dimension, moved.day, moved.name, moved.version, moved.outcome, moved.calls,
      moved.duration_ms, '',
    moved.last_at
  from moved join call_groups on moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls;
update call_groups set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_groups.server_id and moved.dimension = call_groups.dimension and moved.day = call_groups.day and moved.name = call_groups.name and moved.version = call_groups.version and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls)
  where exists (select 1 from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls);
drop table moved;

create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, dimension, day, name, version, was) as of_all
  from (
    select server_id, 'client' as dimension, day, coalesce(client_name, '') as name, coalesce(client_version,
        '') as version, outcome, case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, outcome) as counted;
insert into call_groups (server_id, dimension, day, name, version, outcome, calls, duration_ms, durations, last_at)
  select moved.server_id, moved.dimension, moved.day, moved.name, moved.version, moved.outcome, moved.calls,
      moved.duration_ms, '',
    moved.last_at
  from moved join call_groups on moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls;
update call_groups set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_groups.server_id and moved.dimension = call_groups.dimension and moved.day = call_groups.day and moved.name = call_groups.name and moved.version = call_groups.version and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls)
  where exists (select 1 from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls);
drop table moved;

create temporary table moved as
  select counted.*, sum(calls) over (partition by server_id, dimension, day, name, version, was) as of_all
  from (
    select server_id, 'configuration' as dimension, day, coalesce(configuration_id, '') as name, '' as version,
        outcome, case outcome when 'refused' then 'failed' else 'answered' end as was,
      count(*) as calls, sum(duration_ms) as duration_ms, max(at) as last_at
    from calls where outcome in ('related', 'none', 'refused')
    group by 1, 2, 3, 4, 5, outcome) as counted;
insert into call_groups (server_id, dimension, day, name, version, outcome, calls, duration_ms, durations, last_at)
  select moved.server_id, moved.dimension, moved.day, moved.name, moved.version, moved.outcome, moved.calls,
      moved.duration_ms, '',
    moved.last_at
  from moved join call_groups on moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls;
update call_groups set
  calls = calls - (select sum(moved.calls) from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls),
  duration_ms = duration_ms - (select sum(moved.duration_ms) from moved where moved.server_id = call_groups.server_id and moved.dimension = call_groups.dimension and moved.day = call_groups.day and moved.name = call_groups.name and moved.version = call_groups.version and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls)
  where exists (select 1 from moved where moved.server_id = call_groups.server_id
      and moved.dimension = call_groups.dimension and moved.day = call_groups.day
      and moved.name = call_groups.name and moved.version = call_groups.version
      and moved.was = call_groups.outcome and moved.of_all <= call_groups.calls);
drop table moved;
