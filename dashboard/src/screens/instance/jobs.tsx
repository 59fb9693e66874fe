import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { type Action, useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime, number, shortAddress } from '../../lib/format.ts'
import { setQuery } from '../../lib/router.ts'
import { useAnswerPart } from '../../ui/listing.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'

type Queue = Output<'instance.get'>['queue']
type Job = Output<'instance.jobs'>['jobs'][number]
type Props = { queue: Queue; query: URLSearchParams; onChange: () => void }

const EMPTY = {
  failed: 'No job has failed.',
  running: 'Nothing is being indexed or deleted.',
  queued: 'No job waits.',
} as const
type State = keyof typeof EMPTY

/** Jobs in one state. Failed ones can be repeated or dismissed. */
export function Jobs({ queue, query, onChange }: Props) {
  const wanted = query.get('jobs')
  const state: State = wanted === 'running' || wanted === 'queued' ? wanted : 'failed'
  const part = useAnswerPart({ query, of: 'jobs', name: 'jobs-page', sizes: [20, 10], answerSize: 20 })
  // Loaded again when the figures above change.
  const jobs = useLoad(`jobs ${state} ${part.answer} ${queue[state]}`, (signal) =>
    call('instance.jobs', { state, page: part.answer }, { signal }),
  )
  const changed = () => {
    jobs.reload()
    onChange()
  }
  const retry = useAction(async (jobId: string) => {
    await call('instance.retryJob', { jobId })
    changed()
  })
  const retryAll = useAction(async () => {
    await call('instance.retryJobs', {})
    changed()
  })
  const dismiss = useAction(async (jobId: string) => {
    await call('instance.dismissJob', { jobId })
    changed()
  })
  return (
    <>
      <div class="bar">
        <Segments
          label="State of jobs"
          options={optionsOf(queue)}
          value={state}
          onChange={(name) => setQuery({ jobs: name === 'failed' ? null : name, 'jobs-page': null })}
        />
        <span class="sp" />
        {state === 'failed' && queue.failed > 1 && (
          <button type="button" class="btn s" disabled={retryAll.isBusy} onClick={() => retryAll.run()}>
            Repeat all
          </button>
        )}
      </div>
      {retry.error && <Problem error={retry.error} />}
      {dismiss.error && <Problem error={dismiss.error} />}
      {retryAll.error && <Problem error={retryAll.error} />}
      <Loaded from={jobs} what="the jobs">
        {(list) =>
          list.total === 0 ? (
            <p class="mute">{EMPTY[state]}</p>
          ) : (
            <>
              <JobTable jobs={part.shown(list.jobs)} state={state} retry={retry} dismiss={dismiss} />
              {part.pager(list.total)}
            </>
          )
        }
      </Loaded>
    </>
  )
}

const optionsOf = (queue: Props['queue']): { name: State; title: string }[] =>
  (Object.keys(EMPTY) as State[]).map((name) => ({
    name,
    title: `${number(queue[name])} ${name === 'queued' ? 'waiting' : name}`,
  }))

type Actions = { retry: Action<[jobId: string]>; dismiss: Action<[jobId: string]> }

function JobTable({ jobs, state, ...actions }: { jobs: readonly Job[]; state: State } & Actions) {
  const begun = state === 'queued' ? 'Due' : 'Begun'
  return (
    <Table
      columns={['Work', 'Account', ...(state === 'failed' ? ['Failed'] : [begun, { right: 'Attempts' }])]}
      hasActions={state === 'failed'}
    >
      {jobs.map((job) => (
        <Row key={job.id} job={job} {...actions} />
      ))}
    </Table>
  )
}

function Row({ job, retry, dismiss }: { job: Job } & Actions) {
  const { id, state, server, account, attempts, error, runAt, updatedAt } = job
  const at = state === 'queued' ? runAt : updatedAt
  return (
    <tr>
      <th scope="row">
        {workOf(job)}
        {server && job.source !== null && <div class="small mute">{server.name}</div>}
        {error && <div class="small bad">{error}</div>}
      </th>
      <td data-label="Account">{account ?? '–'}</td>
      <td data-label={state === 'queued' ? 'Due' : 'At'}>
        <time dateTime={at} title={dateTime(at)}>
          {ago(at)}
        </time>
      </td>
      <td class="r" data-label={state === 'failed' ? undefined : 'Attempts'}>
        {state === 'failed' ? (
          <span class="acts">
            <button
              type="button"
              class="btn s"
              disabled={retry.isBusy}
              aria-label={`Repeat: ${workOf(job)}`}
              onClick={() => retry.run(id)}
            >
              Repeat
            </button>
            <button
              type="button"
              class="btn s"
              disabled={dismiss.isBusy}
              aria-label={`Dismiss: ${workOf(job)}`}
              title="Take it off this list without repeating it"
              onClick={() => dismiss.run(id)}
            >
              Dismiss
            </button>
          </span>
        ) : (
          count(attempts, 'attempt')
        )}
      </td>
    </tr>
  )
}

function workOf({ kind, source, server }: Job): string {
  if (kind === 'purge') return `Remove ${server?.name ?? 'a deleted server'}`
  return source === null ? 'Index a source that is gone' : `Index ${shortAddress(source)}`
}
