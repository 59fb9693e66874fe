import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/may.ts'
import { stream } from '../../api/stream.ts'
import { useAction } from '../../api/use-action.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { say } from '../../ui/notices.tsx'
import { Problem } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { BuildSteps } from './build-steps.tsx'
import { Understood } from './understood.tsx'
import { useBuild } from './use-build.ts'

export type CustomTool = Output<'customTools.list'>['tools'][number]

type Props = {
  tool: CustomTool
  slug: string
  isChosen: boolean
  /** The server exposes the tool, so clients can call it. */
  isOffered: boolean
  onToggle: () => void
  /** Begins another tool with the request of this one. */
  onReword: (prompt: string) => void
  onChange: () => void
}

/** A custom tool of the account: whether this server has it, its state, and actions. */
export function CustomToolRow({ tool, slug, isChosen, isOffered, onToggle, onReword, onChange }: Props) {
  const { id, name, status, prompt } = tool
  const [isOpen, setOpen] = useState(false)
  const may = useMay()
  const retry = useBuild(() => stream('customTools.retry', { toolId: id }), onChange)
  return (
    <li>
      {status === 'ready' ? (
        <Choice tool={tool} isChosen={isChosen} onToggle={onToggle} />
      ) : (
        <Unready tool={tool} retry={retry} />
      )}
      <p class="acts">
        {status === 'ready' && isOffered && (
          <a class="btn s" href={`/servers/${slug}/playground?${new URLSearchParams({ tool: name })}`}>
            Try it
          </a>
        )}
        {status === 'ready' && may('customTools.update') && (
          <button type="button" class="btn s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Change the words
          </button>
        )}
        {status === 'failed' && prompt !== null && may('customTools.retry') && (
          <button type="button" class="btn s" disabled={retry.isBusy} onClick={() => retry.run()}>
            Build it again
          </button>
        )}
        {status !== 'building' && prompt !== null && may('customTools.create') && (
          <button type="button" class="btn s" onClick={() => onReword(prompt)}>
            Build another like it
          </button>
        )}
        <ConfirmButton
          to="customTools.delete"
          title={`Delete ${status === 'ready' ? name : 'this tool'}`}
          about="It disappears from every server that has it, at once and for good."
          work={async () => {
            await call('customTools.delete', { toolId: id })
            onChange()
          }}
        >
          Delete
        </ConfirmButton>
      </p>
      {isOpen && (
        <ChangeWords
          tool={tool}
          onDone={() => {
            setOpen(false)
            onChange()
          }}
        />
      )}
    </li>
  )
}

function Choice({ tool, isChosen, onToggle }: Pick<Props, 'tool' | 'isChosen' | 'onToggle'>) {
  const { name, displayName } = tool
  const may = useMay()
  return (
    <label>
      <input type="checkbox" checked={isChosen} disabled={!may('tools.change')} onChange={onToggle} />
      <span>
        <b class="m">{name}</b> <span class="mute">{displayName}</span>
        <Understood tool={tool} />
      </span>
    </label>
  )
}

function Unready({ tool, retry }: { tool: CustomTool; retry: ReturnType<typeof useBuild> }) {
  const { status, prompt, displayName, progress, error } = tool
  return (
    <div class="unready">
      <p>{prompt ?? displayName}</p>
      {retry.isBusy || retry.steps.length > 0 ? (
        <BuildSteps steps={retry.steps} isBusy={retry.isBusy} isFailed={retry.error !== null} />
      ) : (
        <Status tone={status === 'failed' ? 'bad' : 'busy'} pulse={status === 'building'}>
          {status === 'failed' ? 'Not built' : (progress?.message ?? 'Waiting to be built')}
        </Status>
      )}
      {retry.error && <Problem error={retry.error} />}
      {!retry.isBusy && !retry.error && error !== undefined && <p class="small">{error}</p>}
    </div>
  )
}

function ChangeWords({ tool, onDone }: { tool: CustomTool; onDone: () => void }) {
  const [displayName, setDisplayName] = useState(tool.displayName)
  const [description, setDescription] = useState(tool.description)
  const save = useAction(async () => {
    await call('customTools.update', { toolId: tool.id, displayName, description })
    say('Saved')
    onDone()
  })
  return (
    <Form action={save} submit="Save the words">
      <Field
        label="Name for people"
        required
        maxLength={80}
        value={displayName}
        onInput={({ currentTarget }) => setDisplayName(currentTarget.value)}
      />
      <TextArea
        label="What it does, for the model that chooses a tool"
        required
        rows={3}
        maxLength={1_000}
        value={description}
        onText={setDescription}
      />
    </Form>
  )
}
