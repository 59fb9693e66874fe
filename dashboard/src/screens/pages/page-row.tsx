import { hasReader } from '@docent/contract/values/source-kinds'
import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime, number, shortAddress } from '../../lib/format.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'

export const STATES = {
  indexed: { tone: 'ok', word: 'Indexed' },
  skipped: { tone: 'mute', word: 'Skipped' },
  failed: { tone: 'bad', word: 'Failed' },
  waiting: { tone: 'wait', word: 'To go' },
} as const

type Page = Output<'pages.list'>['pages'][number]
type Source = Server['sources'][number]
type Props = { page: Page; server: Server; source: Source | undefined; onChange: () => void }

/** A page: its state, and on request what links to it and what can be done with it. */
export function PageRow({ page, server, source, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { url, title, state, detail, chunks } = page
  const name = title ?? shortAddress(url, source?.url)
  return (
    <>
      <tr class={isOpen ? 'open' : ''}>
        <td>
          <Status tone={STATES[state].tone}>{STATES[state].word}</Status>
        </td>
        <td>
          {/^https?:/.test(url) ? (
            <a href={url} rel="noreferrer" target="_blank">
              {name}
            </a>
          ) : (
            name
          )}
          {title !== null && <div class="m small mute">{shortAddress(url, source?.url)}</div>}
          {detail && <div class="small">{detail}</div>}
        </td>
        <td class="r" data-label="Passages">
          {number(chunks)}
        </td>
        <td class="r">
          <button
            type="button"
            class="btn s"
            aria-expanded={isOpen}
            aria-label={`More about ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            More
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr class="more">
          <td colSpan={4}>
            <More page={page} name={name} server={server} source={source} onChange={onChange} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Sources that are not read page by page have no single page to read or to leave out. */
const isCrawled = ({ url, type }: Source): boolean => !hasReader(type) && /^https?:/.test(url)

function More({ page, name, server, source, onChange }: Props & { name: string }) {
  const { url, sourceId, settledAt } = page
  const [done, setDone] = useState('')
  const read = useAction(async () => {
    await call('pages.readAgain', { id: server.id, sourceId, url })
    setDone('The page is read again now.')
    onChange()
  })
  return (
    <>
      {settledAt !== null && (
        <p class="small mute">
          Last visited{' '}
          <time dateTime={settledAt} title={dateTime(settledAt)}>
            {ago(settledAt)}
          </time>
        </p>
      )}
      <Links server={server} page={page} source={source} />
      {source && isCrawled(source) && (
        <div class="go">
          <Allowed to="pages.readAgain">
            <button
              type="button"
              class="btn s"
              disabled={read.isBusy}
              aria-label={`Read again: ${name}`}
              onClick={() => read.run()}
            >
              Read again
            </button>
          </Allowed>
          <ConfirmButton
            to="pages.leaveOut"
            title={`Leave out ${name}`}
            about="Answers no longer use it. The settings of the source list its path, and take it in again."
            work={async () => {
              await call('pages.leaveOut', { id: server.id, sourceId, url })
              setDone('The page is left out now.')
              onChange()
            }}
          >
            Leave out
          </ConfirmButton>
          <span class="small mute" role="status">
            {done}
          </span>
        </div>
      )}
      {read.error && <Problem error={read.error} />}
    </>
  )
}

type LinksProps = { server: Server; page: Page; source: Source | undefined }

function Links({ server, page: { sourceId, url }, source }: LinksProps) {
  const links = useLoad(`links ${sourceId} ${url}`, (signal) =>
    call('pages.linksTo', { id: server.id, sourceId, url }, { signal }),
  )
  return (
    <Loaded from={links} what="the links to it">
      {({ links: shown, total, navigation }) => (
        <>
          <p class="small">
            {total === 0
              ? 'No indexed page links to it in its text.'
              : `${count(total, 'page links', 'pages link')} to it:`}
            {navigation.length > 0 && ` The navigation of the site does, as “${navigation[0]}”.`}
          </p>
          <ul class="links">
            {shown.map((link) => (
              <li key={link.url} class="small">
                <a href={link.url} rel="noreferrer" target="_blank">
                  {link.title ?? shortAddress(link.url, source?.url)}
                </a>{' '}
                <span class="mute">“{link.text}”</span>
              </li>
            ))}
          </ul>
          {total > shown.length && <p class="small mute">The first {number(shown.length)} are shown.</p>}
        </>
      )}
    </Loaded>
  )
}
