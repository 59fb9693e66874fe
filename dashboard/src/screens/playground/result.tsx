import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { count, duration } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { citationsOf, passagesOf } from './read-result.ts'
import { Passages } from './passages.tsx'

type Answer = Output<'tools.try'>
type View = 'answer' | 'protocol'

/** The answer of a tool: as a person reads it, and as a client gets it. */
export function Result({ answer, server, tool }: { answer: Answer; server: Server; tool: string }) {
  const [view, setView] = useState<View>('answer')
  const passages = passagesOf(answer.data)
  const tab = (name: View, title: string) => (
    <button type="button" aria-pressed={view === name} onClick={() => setView(name)}>
      {title}
    </button>
  )
  return (
    <div class="res">
      <div class="rh">
        <div class="seg" role="group" aria-label="Result">
          {tab('answer', 'Answer')}
          {tab('protocol', 'Protocol')}
          <CopyButton text={curlOf(server, answer)}>Copy as curl</CopyButton>
        </div>
        <span class="small mute">
          {duration(answer.durationMs)}
          {passages.length > 0 && ` · ${count(passages.length, 'passage')}`}
        </span>
      </div>
      {view === 'answer' ? <Shown answer={answer} tool={tool} /> : <Protocol answer={answer} />}
    </div>
  )
}

function Shown({ answer: { response, data }, tool }: { answer: Answer; tool: string }) {
  const { error } = response as { error?: { message?: string } }
  if (error) {
    return (
      <div class="say w">
        <p>{error.message ?? 'The tool gave an error.'}</p>
      </div>
    )
  }
  const asked = typeof data?.['answer'] === 'string' ? data['answer'] : null
  const citations = citationsOf(data)
  const passages = passagesOf(data)
  return (
    <>
      {asked !== null && (
        <div class="ans">
          <Markdown text={asked} citations={citations.map(({ n }) => n)} />
        </div>
      )}
      {data?.['confidence'] === 'none' && <p class="nb">The sources do not answer this. Nearest pages are below.</p>}
      {data?.['confidence'] === 'low' && <p class="nb">The sources say little about this.</p>}
      {passages.length > 0 ? (
        <Passages
          passages={passages}
          label={asked === null ? `Results of ${tool}` : 'Passages of this answer'}
          cited={citations.length > 0}
        />
      ) : (
        asked === null && (
          <div class="ans">
            <Markdown text={textOf(response)} citations={[]} />
          </div>
        )
      )}
    </>
  )
}

function Protocol({ answer: { request, response } }: { answer: Answer }) {
  return (
    <>
      <h3 class="lab">The client sends</h3>
      <pre class="cmd" tabIndex={0}>
        {JSON.stringify(request, null, 2)}
      </pre>
      <h3 class="lab">The service answers</h3>
      <pre class="cmd" tabIndex={0}>
        {JSON.stringify(response, null, 2)}
      </pre>
    </>
  )
}

/** The text that a model gets. */
function textOf(response: Record<string, unknown>): string {
  const { result } = response as { result?: { content?: readonly { type?: string; text?: string }[] } }
  return (result?.content ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n')
}

function curlOf({ url, visibility }: Server, { request }: Answer): string {
  const token = visibility === 'private' ? ` \\\n  -H 'Authorization: Bearer <ACCESS_TOKEN>'` : ''
  const body = JSON.stringify(request).replaceAll("'", `'\\''`)
  return `curl ${url} \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'${token} \\\n  -d '${body}'`
}
