import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { setQuery } from '../../lib/router.ts'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Arguments, type Values, readArguments } from './arguments.tsx'
import { Result } from './result.tsx'
import { type Schema, type ShownTool, toolsOf } from './tool-schema.ts'

/** Calls a tool with arguments from a form that its schema gives. */
export function TryTool({ server, query }: { server: Server; query: URLSearchParams }) {
  const tools = useLoad(`try ${server.id} ${server.tools.join()}`, async (signal) => {
    const hasCustom = server.tools.some((name) => name.startsWith('custom:'))
    const [listed, custom] = await Promise.all([
      call('tools.get', { id: server.slug }, { signal }),
      hasCustom ? call('customTools.list', {}, { signal }) : { tools: [] },
    ])
    return toolsOf(listed, custom, server.tools)
  })
  return (
    <section aria-labelledby="h-try">
      <h2 class="t" id="h-try">
        Try a tool
      </h2>
      <Loaded from={tools} what="the tools">
        {(shown) => <Chosen server={server} shown={shown} query={query} />}
      </Loaded>
    </section>
  )
}

type ChosenProps = { server: Server; shown: readonly ShownTool[]; query: URLSearchParams }

function Chosen({ server, shown, query }: ChosenProps) {
  const wanted = query.get('tool')
  const tool =
    shown.find(({ name }) => name === wanted) ?? shown.find(({ name }) => name === 'ask_question') ?? shown[0]
  if (!tool) return <p class="mute">This server has no tools.</p>
  return (
    <>
      <div class="pick" role="group" aria-label="Tool">
        {shown.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === tool.name} onClick={() => setQuery({ tool: name })}>
            {name}
          </button>
        ))}
      </div>
      <ToolForm key={tool.name} server={server} tool={tool} query={query} />
    </>
  )
}

function ToolForm({ server, tool, query }: { server: Server; tool: ShownTool; query: URLSearchParams }) {
  const schema: Schema = tool.inputSchema
  const [values, setValues] = useState<Values>(() => valuesFrom(schema, query))
  const [answer, setAnswer] = useState<Output<'tools.try'> | null>(null)
  const result = useRef<HTMLDivElement>(null)
  const run = useAction(async () => {
    const asked = await call('tools.try', { id: server.id, tool: tool.name, arguments: readArguments(schema, values) })
    setAnswer(asked)
  })
  // A link with a question asks it.
  const isAsked = query.get('question') !== null && tool.name === 'ask_question'
  useEffect(() => {
    if (isAsked) run.run()
  }, [isAsked])
  return (
    <>
      <p class="small mute about">{tool.description}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run.run()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        <Arguments schema={schema} values={values} onChange={setValues} />
        <div class="go">
          <button type="submit" class="btn p" disabled={run.isBusy}>
            {run.isBusy ? 'Running …' : 'Run'} <kbd>Ctrl ↵</kbd>
          </button>
          <span class="small mute">Runs here are free: they do not count as requests.</span>
        </div>
      </form>
      {run.error && <Problem error={run.error} retry={() => run.run()} />}
      <div ref={result} aria-live="polite" aria-busy={run.isBusy}>
        {answer && <Result answer={answer} server={server} tool={tool.name} />}
      </div>
    </>
  )
}

/** Arguments that the address names, such as `?question=…`. */
function valuesFrom({ properties = {} }: Schema, query: URLSearchParams): Values {
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => {
      const value = query.get(name)
      return value === null || name === 'tool' ? [] : [[name, value]]
    }),
  )
}
