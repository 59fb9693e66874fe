import { REPORT_TOOL } from '@docent/contract/values/tools'
import type { Output } from '@docent/sdk'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'
import { type Loading, useLoad } from '../api/use-load.ts'
import { count, number } from '../lib/format.ts'
import { holdPage } from '../lib/leave.ts'
import { typeTitle } from '../lib/words.ts'
import { NEWEST, byText } from '../lib/listing.ts'
import type { ScreenProps } from '../lib/router.ts'
import { say } from '../ui/notices.tsx'
import { Allowed } from '../ui/allowed.tsx'
import { Listing } from '../ui/listing.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { Builder } from './tools/builder.tsx'
import { CustomToolRow } from './tools/custom-tool-row.tsx'
import '../styles/tools.css'

type Listed = Output<'tools.get'>
type Own = Output<'customTools.list'>

/** While a tool is being built elsewhere, its row is this old at most. */
const POLL_MS = 2_000

/** The tools that clients of a server see, and the custom tools of the account. */
export function Tools({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="tools">
      {(server, { reload }) => <Choice server={server} query={query} onChange={reload} />}
    </ServerPage>
  )
}

type ChoiceProps = { server: Server; query: URLSearchParams; onChange: () => void }

function Choice({ server, query, onChange }: ChoiceProps) {
  const tools = useLoad(`choice ${server.id} ${server.tools.join()}`, (signal) =>
    call('tools.get', { id: server.slug }, { signal }),
  )
  const own = useOwnTools()
  return (
    <Loaded from={tools} what="the tools">
      {(listed) => (
        <Loaded from={own} what="the custom tools">
          {(custom) => (
            <Chooser
              key={listed.tools.join()}
              listed={listed}
              custom={custom}
              server={server}
              query={query}
              onChange={() => {
                own.reload()
                onChange()
              }}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

/** The custom tools of the account, loaded again while one is being built. */
function useOwnTools(): Loading<Own> {
  const own = useLoad('custom tools', (signal) => call('customTools.list', {}, { signal }))
  const isBuilding = own.data?.tools.some(({ status }) => status === 'building') ?? false
  const { reload } = own
  useEffect(() => {
    if (!isBuilding) return
    const timer = setInterval(reload, POLL_MS)
    return () => clearInterval(timer)
  }, [isBuilding, reload])
  return own
}

type ChooserProps = ChoiceProps & { listed: Listed; custom: Own }
type Custom = Own['tools'][number]

const CUSTOM = {
  prefix: 'custom',
  textOf: ({ name, displayName, description }: Custom) => `${name} ${displayName} ${description}`,
  orders: [NEWEST, byText<Custom>('name', 'By name', ({ displayName }) => displayName)],
  choices: [
    {
      name: 'state',
      every: 'Every state',
      options: [
        { value: 'ready', title: 'Ready' },
        { value: 'building', title: 'Being built' },
        { value: 'failed', title: 'Not built' },
      ],
      fits: ({ status }: Custom, value: string) => status === value,
    },
  ],
}

function Chooser({ listed, custom, server, query, onChange }: ChooserProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(listed.tools))
  // Another number begins the builder anew, with this request.
  const [draft, setDraft] = useState({ n: 0, prompt: '' })
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  const reword = (prompt: string) => {
    setDraft(({ n }) => ({ n: n + 1, prompt }))
    document.querySelector('#build')?.scrollIntoView()
  }
  return (
    <>
      <div>
        <BuiltIn listed={listed} server={server} chosen={chosen} onToggle={toggle} />
        {custom.tools.length > 0 && (
          <Section
            title="Custom"
            about={`${count(custom.tools.length, 'tool')} of the account, for all of its servers. It can have ${number(custom.limit)}.`}
          >
            <Listing items={custom.tools} one="tool" plan={CUSTOM} sizes={[12, 7]} query={query}>
              {(shown) => (
                <ul class="choices">
                  {shown.map((tool) => (
                    <CustomToolRow
                      key={tool.id}
                      tool={tool}
                      slug={server.slug}
                      isChosen={chosen.has(`custom:${tool.id}`)}
                      isOffered={listed.tools.includes(`custom:${tool.id}`)}
                      onToggle={() => toggle(`custom:${tool.id}`)}
                      onReword={reword}
                      onChange={onChange}
                    />
                  ))}
                </ul>
              )}
            </Listing>
          </Section>
        )}
        <SaveBar listed={listed} server={server} chosen={chosen} onChange={onChange} />
      </div>
      <Section
        title="New tool"
        about="Built from your words, tried on the sources of this server."
        id="build"
        to="customTools.create"
        last
      >
        {custom.available ? (
          <Builder
            key={draft.n}
            server={server}
            prompt={draft.prompt}
            isFull={listed.tools.length >= listed.maxTools}
            maxTools={listed.maxTools}
            onBuilt={onChange}
          />
        ) : (
          <p>This instance builds no custom tools. Its operator can switch them on.</p>
        )}
      </Section>
    </>
  )
}

type SaveBarProps = { listed: Listed; server: Server; chosen: ReadonlySet<string>; onChange: () => void }

/** Saves the choice, once it is another one. */
function SaveBar({ listed: { tools, minTools, maxTools }, server, chosen, onChange }: SaveBarProps) {
  const save = useAction(async () => {
    const { add, remove } = {
      add: [...chosen].filter((name) => !tools.includes(name)),
      remove: tools.filter((name) => !chosen.has(name)),
    }
    await call('tools.change', { id: server.id, add, remove })
    say('Saved')
    onChange()
  })
  const isChanged = chosen.size !== tools.length || tools.some((name) => !chosen.has(name))
  useEffect(() => holdPage(() => (isChanged ? 'text' : null)), [isChanged])
  const isAllowed = chosen.size >= minTools && chosen.size <= maxTools
  return (
    <div class={isChanged ? 'save' : 'save is-still'}>
      {save.error && <Problem error={save.error} />}
      <div class="go">
        <Allowed to="tools.change" says>
          <button
            type="button"
            class="btn p"
            disabled={!isChanged || !isAllowed || save.isBusy}
            onClick={() => save.run()}
          >
            Save
          </button>
        </Allowed>
        <span class="small mute" role="status">
          {count(chosen.size, 'tool')} chosen
          {!isAllowed && `, and a server has ${minTools} to ${maxTools}`}
        </span>
      </div>
    </div>
  )
}

type BuiltInProps = { listed: Listed; server: Server; chosen: ReadonlySet<string>; onToggle: (name: string) => void }

/** The tools that come with the service. One that no source feeds says so. */
function BuiltIn({ listed, server, chosen, onToggle }: BuiltInProps) {
  const { available, minTools, maxTools, notice } = listed
  const may = useMay()
  const types = new Set(server.sources.map(({ type }) => type))
  return (
    <Section
      title="Built in"
      about={
        <>
          A server has {minTools} to {maxTools} tools. Clients see a change at once. <a href="#build">Build your own</a>
        </>
      }
    >
      {notice && <p class="nb above">{notice}</p>}
      <ul class="choices">
        {[...available, { ...REPORT_TOOL, needs: [] }].map(({ name, title, description, needs }) => {
          const isFed = needs.length === 0 || needs.some((type) => types.has(type))
          return (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.has(name)}
                  disabled={!may('tools.change')}
                  onChange={() => onToggle(name)}
                />
                <span>
                  <b class="m">{name}</b> <span class="mute">{title}</span>
                  <span class="small">{description}</span>
                  {!isFed && (
                    <span class="small warn">
                      Finds nothing here: it needs a source of type {needs.map(typeTitle).join(' or ')}.
                    </span>
                  )}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
