import type { Output } from '@docent/sdk'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, bytes, count, dateTime, number } from '../lib/format.ts'
import type { ScreenProps } from '../lib/router.ts'
import { useAccount } from '../api/session.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import { Status, type Tone } from '../ui/status.tsx'
import { Table } from '../ui/table.tsx'
import { Accounts } from './instance/accounts.tsx'
import { Backups } from './instance/backups.tsx'
import { healthOf } from './instance/health.ts'
import { Jobs } from './instance/jobs.tsx'

export type Instance = Output<'instance.get'>

/** The figures are this old at most while the screen is seen. */
const REFRESH_MS = 10_000

/** The instance as its operator sees it: health, jobs, accounts, models, storage and backups. */
export function InstanceScreen({ query }: ScreenProps) {
  const { isOperator } = useAccount()
  return (
    <>
      <PageHead title="Instance" />
      {isOperator ? (
        <Shown query={query} />
      ) : (
        <p class="say">Only the operator of this instance sees this. Your own account is on the page Account.</p>
      )}
    </>
  )
}

function Shown({ query }: { query: URLSearchParams }) {
  const instance = useLoad('instance', (signal) => call('instance.get', {}, { signal }))
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') instance.reload()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [instance.reload])
  return (
    <Loaded from={instance} what="the state of the instance">
      {(loaded) => (
        <>
          <Section title="Health" about={<Since instance={loaded} />}>
            <Health instance={loaded} />
          </Section>
          <Section title="Jobs" about="Indexing and deletions, of all accounts.">
            <Jobs queue={loaded.queue} query={query} onChange={instance.reload} />
          </Section>
          <Section
            title="Accounts"
            about={`${count(loaded.storage.accounts, 'account')}. A plan takes effect at once.`}
          >
            <Accounts query={query} settings={loaded.settings} />
          </Section>
          <Section title="Models" about="Settings of the service choose them.">
            <Models models={loaded.models} />
          </Section>
          <Section title="Storage" about="Of all accounts.">
            <Storage instance={loaded} />
          </Section>
          <Section title="Backups" about="Each is one file with all data." last>
            <Backups />
          </Section>
        </>
      )}
    </Loaded>
  )
}

function Since({ instance: { version, startedAt } }: { instance: Instance }) {
  return (
    <>
      Docent {version}, started{' '}
      <time dateTime={startedAt} title={dateTime(startedAt)}>
        {ago(startedAt)}
      </time>
      .
    </>
  )
}

function Health({ instance }: { instance: Instance }) {
  const { nodes } = instance
  return (
    <>
      <dl class="facts">
        {healthOf(instance).map(({ title, tone, text, advice }) => (
          <Fact key={title} title={title}>
            <Status tone={tone}>{WORDS[tone]}</Status>
            <span>{text}</span>
            {advice && <span class="small mute">{advice}</span>}
          </Fact>
        ))}
      </dl>
      <h3 class="lab nodes">{count(nodes.length, 'node')}</h3>
      <Table columns={['Machine', 'Does', 'Version', 'Since']}>
        {nodes.map(({ id, host, role, version, since, isThis }) => (
          <tr key={id}>
            <th scope="row">
              {host || 'unknown'}
              {isThis && <span class="small mute"> answered this</span>}
            </th>
            <td data-label="Does">{ROLES[role] ?? role}</td>
            <td data-label="Version">{version}</td>
            <td data-label="Since">
              <time dateTime={since} title={dateTime(since)}>
                {ago(since)}
              </time>
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

const WORDS: Partial<Record<Tone, string>> = { ok: 'Good', warn: 'Look at it', bad: 'Act now' }
const ROLES: Readonly<Record<string, string>> = {
  all: 'answers and indexes',
  web: 'answers',
  worker: 'indexes',
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Models({ models: { language, embeddings, browser } }: { models: Instance['models'] }) {
  return (
    <dl class="facts">
      <Fact title="Language model">
        <Model model={language} without="Answers quote the sources word for word. DOCENT_LLM_MODEL names a model." />
      </Fact>
      <Fact title="Embedding model">
        <Model model={embeddings} without="Searches go by words. DOCENT_EMBEDDINGS_MODEL names a model." />
      </Fact>
      <Fact title="Browser">
        <Status tone={browser ? 'ok' : 'wait'}>{browser ? 'On' : 'Off'}</Status>
        <span>
          {browser
            ? 'It renders pages that need JavaScript.'
            : 'Pages that need JavaScript stay empty. Install Chromium, or set DOCENT_BROWSER. For root, set DOCENT_BROWSER_WITHOUT_SANDBOX too.'}
        </span>
      </Fact>
    </dl>
  )
}

function Model({ model, without }: { model: Instance['models']['language']; without: string }) {
  return (
    <>
      <Status tone={model ? 'ok' : 'wait'}>{model ? 'On' : 'Off'}</Status>
      {model ? (
        <span>
          <code>{model.model}</code> at {model.at}
        </span>
      ) : (
        <span>{without}</span>
      )}
    </>
  )
}

function Storage({ instance: { storage, database } }: { instance: Instance }) {
  const { servers, sources, pages, textCharacters, indexBytes, uploadBytes } = storage
  const rows: [title: string, text: string][] = [
    ['Database', `${bytes(database.bytes)}, ${ENGINES[database.engine]} ${database.version}`],
    ['Indexes', bytes(indexBytes)],
    ['Uploaded files', bytes(uploadBytes)],
    ['Content', `${count(pages, 'page')}, ${number(textCharacters)} characters of text`],
    ['Servers', `${count(servers, 'server')} with ${count(sources, 'source')}`],
  ]
  return (
    <dl class="facts">
      {rows.map(([title, text]) => (
        <Fact key={title} title={title}>
          {text}
        </Fact>
      ))}
    </dl>
  )
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const
