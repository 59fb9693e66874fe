import { useId, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { stream } from '../../api/stream.ts'
import { useAction } from '../../api/use-action.ts'
import { randomKey } from '../../lib/random-key.ts'
import { navigate } from '../../lib/router.ts'
import { Form } from '../../ui/form.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Problem } from '../../ui/states.tsx'
import { BuildSteps } from './build-steps.tsx'
import { Understood } from './understood.tsx'
import { type BuiltTool, useBuild } from './use-build.ts'

/** Limits of the operation. */
const MOST_SOURCES = 8
const MOST_ADDRESS = 500

type Props = {
  server: Server
  /** A request to begin with, such as that of another tool. */
  prompt: string
  /** The server has as many tools as it can have. */
  isFull: boolean
  maxTools: number
  onBuilt: () => void
}

/** Builds a tool from a sentence, on the sources of this server, and adds it. */
export function Builder({ server, prompt: given, isFull, maxTools, onBuilt }: Props) {
  const [prompt, setPrompt] = useState(given)
  const sources = server.sources.flatMap(({ url, type, label }) =>
    url.length > MOST_ADDRESS ? [] : [{ url, type, label }],
  )
  const build = useBuild(
    () =>
      stream(
        'customTools.create',
        { prompt, sources: sources.slice(0, MOST_SOURCES) },
        { idempotencyKey: randomKey() },
      ),
    onBuilt,
  )
  return (
    <div class="builder">
      <Form action={build} submit="Build the tool" busy="Building …" isPrimary={build.tool === null} class="draft">
        <Request value={prompt} onChange={setPrompt} />
        <div role="status">
          <BuildSteps steps={build.steps} isBusy={build.isBusy} isFailed={build.error !== null} />
        </div>
      </Form>
      {build.tool && <Built tool={build.tool} server={server} isFull={isFull} maxTools={maxTools} />}
    </div>
  )
}

function Request({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>What the tool should do</label>
      <textarea
        id={id}
        rows={2}
        required
        minLength={20}
        maxLength={1_000}
        value={value}
        placeholder="Look up a setting by its name and explain what it does, with its default."
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        One sentence: what it is given, what it may use, and the form of its answer. It only looks things up.
      </p>
    </div>
  )
}

type BuiltProps = { tool: BuiltTool; server: Server; isFull: boolean; maxTools: number }

function Built({ tool, server, isFull, maxTools }: BuiltProps) {
  const { id, name, displayName } = tool
  const selected = `custom:${id}`
  const add = useAction(async () => {
    if (!server.tools.includes(selected)) await call('tools.change', { id: server.id, add: [selected] })
    navigate(`/servers/${server.slug}/playground?${new URLSearchParams({ tool: name })}`)
  })
  return (
    <div class="built" role="status">
      <p>
        <b class="m">{name}</b> <span class="mute">{displayName}</span>
      </p>
      <p>
        <Understood tool={tool} />
      </p>
      {add.error && <Problem error={add.error} />}
      {isFull && !server.tools.includes(selected) ? (
        <p class="small warn">
          This server has {maxTools} tools, the most that it can have. Take one away above, then choose this one.
        </p>
      ) : (
        <div class="go">
          <button type="button" class="btn p" disabled={add.isBusy} onClick={() => add.run()}>
            Add it to this server and try it
          </button>
        </div>
      )}
    </div>
  )
}
