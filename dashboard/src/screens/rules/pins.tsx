import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime, shortAddress } from '../../lib/format.ts'
import { NEWEST, byText } from '../../lib/listing.ts'
import { sectionName } from '../../rules/compared.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Listing } from '../../ui/listing.tsx'
import { Section } from '../../ui/section.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'

type Listed = Output<'pins.list'>
type Pin = Listed['pins'][number]

const PLAN = {
  prefix: 'pins',
  textOf: (pin: Pin) => `${sectionName(pin)} ${pin.questions.join(' ')} ${pin.url}`,
  orders: [NEWEST, byText<Pin>('name', 'By name', sectionName)],
}

/** The pins of a server. They are made from a request or in the playground, where the bad answer is. */
export function Pins({ server: { slug }, query }: { server: Server; query: URLSearchParams }) {
  const pins = useLoad(`pins ${slug}`, (signal) => call('pins.list', { id: slug }, { signal }))
  return (
    <Section id="pins" title="Pins" about={pins.data ? aboutOf(pins.data) : 'Sections for some questions.'} last>
      <Loaded from={pins} what="the pins">
        {({ pins: all }) =>
          all.length === 0 ? (
            <p class="mute">
              There is no pin yet. Open a <a href={`/servers/${slug}/requests`}>request</a> with a bad answer, or ask in
              the <a href={`/servers/${slug}/playground`}>playground</a>, and choose the section that answers it.
            </p>
          ) : (
            <Listing items={all} one="pin" plan={PLAN} sizes={[12, 7]} query={query}>
              {(shown) => (
                <ul class="rules">
                  {shown.map((pin) => (
                    <PinRow key={pin.id} pin={pin} slug={slug} onChange={pins.reload} />
                  ))}
                </ul>
              )}
            </Listing>
          )
        }
      </Loaded>
    </Section>
  )
}

const aboutOf = ({ pins, limit }: Listed): string =>
  pins.length === 0 ? 'Sections for some questions.' : `${count(pins.length, 'pin')} of at most ${limit}.`

type RowProps = { pin: Pin; slug: string; onChange: () => void }

function PinRow({ pin, slug, onChange }: RowProps) {
  const { id, effect, questions, url, isStale, createdAt } = pin
  return (
    <li class={isStale ? 'is-off' : ''}>
      <div>
        <p class="said">
          {sectionName(pin)} {effect === 'first' ? 'comes first' : 'is left out'}
        </p>
        <ul class="effects">
          {questions.map((question) => (
            <li key={question}>
              <a href={`/servers/${slug}/playground?${new URLSearchParams({ tool: 'ask_question', question })}`}>
                {question}
              </a>
            </li>
          ))}
        </ul>
        {isStale && <p class="nb">Stale: the section is gone from the index, so the pin does nothing.</p>}
        <p class="small mute">
          {shortAddress(url)} ·{' '}
          <time dateTime={createdAt} title={dateTime(createdAt)}>
            Pinned {ago(createdAt)}
          </time>
        </p>
      </div>
      <div class="acts">
        <ConfirmButton
          to="pins.delete"
          title="Delete the pin"
          about={`The questions get the answers that they would get without it: ${questions.join(' · ')}`}
          work={async () => {
            await call('pins.delete', { id: slug, pinId: id })
            onChange()
          }}
        >
          Delete
        </ConfirmButton>
      </div>
    </li>
  )
}
