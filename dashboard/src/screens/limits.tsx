import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, dateTime, number } from '../lib/format.ts'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { useTitle } from '../ui/use-title.ts'

type Usage = Output<'account.usage'>
type Entitlements = Output<'account.entitlements'>

/** The plan: each limit, how much of it is used, and when it starts again. */
export function Limits() {
  useTitle('Plan and limits')
  const both = useLoad('limits', async (signal) => {
    const [usage, entitlements, servers] = await Promise.all([
      call('account.usage', {}, { signal }),
      call('account.entitlements', {}, { signal }),
      call('servers.list', {}, { signal }),
    ])
    return { usage, entitlements, names: new Map(servers.map(({ id, name }) => [id, name])) }
  })
  return (
    <>
      <div class="head">
        <h1>Plan and limits</h1>
        <div class="acts">
          <a class="btn" href="/plan">
            Compare the plans
          </a>
        </div>
      </div>
      <Loaded from={both} what="the plan">
        {({ usage, entitlements, names }) => (
          <>
            <Section title={`Plan: ${usage.plan}`} about={<Trial trial={entitlements.trial} />}>
              <Used usage={usage} names={names} />
            </Section>
            <Section title="Features" about="What works for you on this instance." last>
              <Features features={entitlements.features} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

function Trial({ trial: { active, endsAt } }: { trial: Entitlements['trial'] }) {
  if (!endsAt) return <>Without a trial.</>
  return (
    <>
      The trial {active ? 'ends' : 'ended'} <time title={dateTime(endsAt)}>{ago(endsAt)}</time>.
    </>
  )
}

function Used({ usage, names }: { usage: Usage; names: ReadonlyMap<string, string> }) {
  const rows = [
    { what: 'Servers', ...usage.servers, about: '' },
    { what: 'Requests this month', ...usage.mcpRequests, about: `Starts again ${ago(usage.mcpRequests.resetsAt)}` },
    { what: 'Custom tools', ...usage.customTools, about: '' },
    ...usage.sources.map(({ serverId, used, limit, paidCredits }) => ({
      what: `Sources of ${names.get(serverId) ?? serverId}`,
      used,
      limit,
      about: paidCredits > 0 ? `${number(paidCredits)} of them beyond the plan` : '',
    })),
  ]
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Limit</th>
          <th scope="col" class="r">
            Used
          </th>
          <th scope="col" class="r">
            Included
          </th>
          <th scope="col">
            <span class="vh">Remark</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, used, limit, about }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td class="r" data-label="Used">
              {number(used)}
            </td>
            <td class="r" data-label="Included">
              {limit === null ? 'no limit' : number(limit)}
            </td>
            <td class="mute">{about}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const FEATURES: Record<keyof Entitlements['features'], string> = {
  requestLog: 'The request log',
  analytics: 'Analytics',
  customTools: 'Custom tools',
  retrievalRules: 'Retrieval rules',
  llm: 'Answers written by a language model',
  embeddings: 'Search by meaning with an embedding model',
  javascriptRendering: 'Pages that need JavaScript',
}

function Features({ features }: { features: Entitlements['features'] }) {
  return (
    <ul class="plain">
      {(Object.keys(FEATURES) as (keyof typeof FEATURES)[]).map((name) => (
        <li key={name}>
          <Status tone={features[name] ? 'ok' : 'wait'}>{features[name] ? 'On' : 'Off'}</Status> {FEATURES[name]}
        </li>
      ))}
    </ul>
  )
}
