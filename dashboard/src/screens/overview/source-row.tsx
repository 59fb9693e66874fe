import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { countsOf } from '../../lib/counts.ts'
import { ago, count, number, shortAddress } from '../../lib/format.ts'
import { kindOf, sourceName, unitOf, uploadOf } from '../../lib/words.ts'
import { uploadFile, uploadName } from '../../api/upload.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Ruler } from '../../ui/ruler.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Status } from '../../ui/status.tsx'

type Source = Server['sources'][number]

const STATES = {
  pending: { tone: 'wait', word: 'Waiting' },
  crawling: { tone: 'busy', word: 'Reading' },
  complete: { tone: 'ok', word: 'Ready' },
  error: { tone: 'bad', word: 'Needs you' },
} as const

/** Instead of the pages, before the first one is found. */
const NOT_BEGUN: Partial<Record<Source['crawlStatus'], string>> = {
  pending: 'Waits for its turn',
  crawling: 'Looking for pages',
}

/** A source: its state, the progress of indexing, and its pages and passages. */
export function SourceRow({ source, server, onChange }: { source: Source; server: Server; onChange: () => void }) {
  const { tone, word } = STATES[source.crawlStatus]
  const counts = countsOf([source])
  return (
    <li>
      <div class="row">
        <h3 class="nm">
          {sourceName(source)}
          <small>{aboutOf(source)}</small>
        </h3>
        <div class="rt">
          <Status tone={tone} pulse={tone === 'busy'}>
            {word}
          </Status>
        </div>
      </div>
      {source.crawlStatus === 'crawling' && <Ruler counts={counts} label={sourceName(source)} small />}
      {source.crawlStatus !== 'error' && (
        <p class="now">
          <span>
            {counts.found === 0 && NOT_BEGUN[source.crawlStatus]}
            {(counts.found > 0 || !NOT_BEGUN[source.crawlStatus]) &&
              `${number(counts.indexed)} of ${count(counts.found, unitOf(source))}`}
          </span>
          {source.chunks > 0 && <span>{count(source.chunks, 'passage')}</span>}
          {source.isPrivate && <span>private</span>}
          {source.lastIndexedAt && <span title={source.lastIndexedAt}>read {ago(source.lastIndexedAt)}</span>}
          {source.changes && <span>{changesOf(source.changes)}</span>}
          {source.nextRefreshAt && <span title={source.nextRefreshAt}>next refresh {ago(source.nextRefreshAt)}</span>}
          {source.refresh && (
            <span>
              {number(source.refresh.notFetched)} of {number(source.refresh.unchanged)} unchanged not fetched
            </span>
          )}
        </p>
      )}
      {source.crawlStatus === 'error' && <Broken source={source} server={server} onChange={onChange} />}
    </li>
  )
}

/** What the last refresh changed. */
function changesOf(changes: NonNullable<Source['changes']>): string {
  const parts = (['added', 'changed', 'removed'] as const).filter((one) => changes[one] > 0)
  return parts.map((one) => `${number(changes[one])} ${one}`).join(', ') || 'nothing changed'
}

function aboutOf(source: Source): string {
  if (uploadOf(source) !== null) return `${kindOf(source)}, uploaded`
  return source.label ? `${kindOf(source)}, ${shortAddress(source.url)}` : kindOf(source)
}

/** A source that could not be indexed: why, and what to do. */
function Broken({ source, server, onChange }: { source: Source; server: Server; onChange: () => void }) {
  const again = useAction(async () => {
    await call('servers.crawlOne', { id: server.id, sourceId: source.id })
    onChange()
  })
  const upload = uploadOf(source)
  const replace = useAction(async (file: File) => {
    await uploadFile(server.id, file, uploadName(file, upload))
    onChange()
  })
  return (
    <div class="say">
      <p>{(again.error ?? replace.error)?.message ?? source.crawlError ?? 'It could not be indexed.'}</p>
      <div class="a">
        <Allowed to={upload === null ? 'servers.crawlOne' : 'sources.upload'}>
          {upload === null ? (
            <button type="button" class="btn s" disabled={again.isBusy} onClick={() => again.run()}>
              Try again
            </button>
          ) : (
            <FileButton isSmall isBusy={replace.isBusy} onChoose={([file]) => file && replace.run(file)}>
              Replace the file
            </FileButton>
          )}
        </Allowed>
        <ConfirmButton
          to="sources.remove"
          title="Remove this source"
          about={`Everything indexed from ${sourceName(source)} is deleted.`}
          work={async () => {
            await call('sources.remove', { id: server.id, sourceId: source.id })
            onChange()
          }}
        >
          Remove
        </ConfirmButton>
      </div>
    </div>
  )
}
