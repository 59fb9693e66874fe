import { useState } from 'preact/hooks'
import { send } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { InlineMarkdown, Markdown, NO_CITATIONS } from '../ui/markdown.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { Loaded } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { type Field, type Operation, errorsOf, inputOf, operationsOf, outputOf } from './reference/read-description.ts'
import '../styles/reference.css'

/** The management interface, from the OpenAPI document of this instance. */
export function Reference() {
  const [text, setText] = useState('')
  const description = useLoad('reference', async (signal) => {
    const response = await send('/openapi.json', { signal })
    return operationsOf((await response.json()) as Parameters<typeof operationsOf>[0])
  })
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ method, path, summary }: Operation) => {
    const whole = `${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  }
  return (
    <>
      <PageHead title="API reference">
        <a class="btn" href="/keys">
          API keys
        </a>
        <a class="btn" href="/openapi.json" target="_blank" rel="noreferrer">
          OpenAPI document
        </a>
      </PageHead>
      <p class="lead">
        Every screen of this dashboard uses these operations, and so can a program with an API key:{' '}
        <code>Authorization: Bearer dk_live_…</code>
      </p>
      <input
        class="wide search"
        type="search"
        aria-label="Find an operation"
        placeholder="Find an operation"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Loaded from={description} what="the reference">
        {(subjects) => {
          const shown = [...subjects].map(([subject, all]) => ({ subject, found: all.filter(fits) }))
          const some = shown.filter(({ found }) => found.length > 0)
          if (some.length === 0) return <p class="mute">No operation has these words.</p>
          return some.map(({ subject, found }) => (
            <Section key={subject} title={titleOf(subject)}>
              {found.map((operation) => (
                <Shown key={operation.operationId} operation={operation} />
              ))}
            </Section>
          ))
        }}
      </Loaded>
    </>
  )
}

/** `linkedAccounts` is shown as `Linked accounts`. */
function titleOf(subject: string): string {
  const words = subject.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (words === 'mcp') return 'MCP'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** One operation. Its fields are drawn when it is opened. */
function Shown({ operation }: { operation: Operation }) {
  const [isOpen, setOpen] = useState(false)
  const { method, path, summary } = operation
  return (
    <details class="op" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="m">
          <b>{method}</b> {path}
        </span>
        <span>{summary}</span>
      </summary>
      {isOpen && <Details operation={operation} />}
    </details>
  )
}

function Details({ operation }: { operation: Operation }) {
  const { description, security } = operation
  const errors = errorsOf(operation)
  return (
    <div class="op-body">
      {description && <Markdown text={description} citations={NO_CITATIONS} />}
      <p class="small mute">
        {security.some((one) => 'apiKey' in one) && !security.some((one) => Object.keys(one).length === 0)
          ? 'Needs an API key or a session.'
          : 'Needs no credential.'}
      </p>
      <Fields title="Request" fields={inputOf(operation)} />
      <Fields title="Answer" fields={outputOf(operation)} />
      <h3 class="lab">Example</h3>
      <Snippet code={curlOf(operation)} label="Copy the command" />
      <h3 class="lab">Errors</h3>
      <ul class="errors">
        {errors.map(({ status, about }) => (
          <li key={status}>
            <b>{status}</b> <span>{about}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    <>
      <h3 class="lab">{title}</h3>
      <Table class="fields" columns={['Field', 'Type', 'Meaning']}>
        {fields.map(({ path, type, about }, index) => (
          <tr key={`${path} ${index}`}>
            <th scope="row" class="m">
              {path}
            </th>
            <td class="mute">{type}</td>
            <td>
              <InlineMarkdown text={about} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

function curlOf({ method, path, requestBody }: Operation): string {
  const fields = Object.entries(requestBody?.content['application/json']?.schema?.properties ?? {})
  const body = Object.fromEntries(fields.slice(0, 3).map(([name]) => [name, '…']))
  const data = fields.length > 0 ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : ''
  const verb = method === 'GET' ? '' : ` -X ${method}`
  return `curl${verb} ${location.origin}${path} \\\n  -H "Authorization: Bearer $DOCENT_API_KEY"${data}`
}
