import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { count } from '../lib/format.ts'
import { typeTitle } from '../lib/words.ts'
import type { ScreenProps } from '../screens.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded, Problem } from '../ui/states.tsx'

type Listed = Output<'tools.get'>

/** The tools that clients of a server see. */
export function Tools({ params: { slug = '' } }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="tools">
      {(server, { reload }) => <Choice server={server} onChange={reload} />}
    </ServerPage>
  )
}

function Choice({ server, onChange }: { server: Server; onChange: () => void }) {
  const tools = useLoad(`choice ${server.id}`, (signal) => call('tools.get', { id: server.id }, { signal }))
  return (
    <Loaded from={tools} what="the tools">
      {(listed) => (
        <Form
          key={listed.tools.join()}
          listed={listed}
          server={server}
          onChange={() => {
            tools.reload()
            onChange()
          }}
        />
      )}
    </Loaded>
  )
}

function Form({ listed, server, onChange }: { listed: Listed; server: Server; onChange: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(listed.tools))
  const save = useAction(async () => {
    await call('tools.change', { id: server.id, tools: [...chosen] })
    onChange()
  })
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  const isChanged = chosen.size !== listed.tools.length || listed.tools.some((name) => !chosen.has(name))
  const { minTools, maxTools } = listed
  const isAllowed = chosen.size >= minTools && chosen.size <= maxTools
  const custom = listed.customTools.filter(({ status }) => status === 'ready')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.run()
      }}
    >
      <BuiltIn listed={listed} server={server} chosen={chosen} onToggle={toggle} last={custom.length === 0} />
      {custom.length > 0 && <Custom tools={custom} chosen={chosen} onToggle={toggle} />}
      <div class="save">
        {save.error && <Problem error={save.error} />}
        <div class="go">
          <button type="submit" class="btn p" disabled={!isChanged || !isAllowed || save.isBusy}>
            Save
          </button>
          <span class="small mute" role="status">
            {count(chosen.size, 'tool')} chosen
            {!isAllowed && `, and a server has ${minTools} to ${maxTools}`}
          </span>
        </div>
      </div>
    </form>
  )
}

type Chosen = { chosen: ReadonlySet<string>; onToggle: (name: string) => void }
type BuiltInProps = Chosen & { listed: Listed; server: Server; last: boolean }

/** The tools that come with the service. One that no source feeds says so. */
function BuiltIn({ listed, server, chosen, onToggle, last }: BuiltInProps) {
  const { available, minTools, maxTools } = listed
  const types = new Set(server.sources.map(({ type }) => type))
  return (
    <Section
      title="Built in"
      about={`A server has ${minTools} to ${maxTools} tools. Clients see a change at once.`}
      last={last}
    >
      <ul class="choices">
        {available.map(({ name, title, description, needs }) => {
          const isFed = needs.some((type) => types.has(type))
          return (
            <li key={name}>
              <label>
                <input type="checkbox" checked={chosen.has(name)} onChange={() => onToggle(name)} />
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

function Custom({ tools, chosen, onToggle }: Chosen & { tools: Listed['customTools'] }) {
  return (
    <Section title="Custom" about="Built from your words." last>
      <ul class="choices">
        {tools.map(({ id, name, displayName, description }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={chosen.has(`custom:${id}`)} onChange={() => onToggle(`custom:${id}`)} />
              <span>
                <b class="m">{name}</b> <span class="mute">{displayName}</span>
                <span class="small">{description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </Section>
  )
}
