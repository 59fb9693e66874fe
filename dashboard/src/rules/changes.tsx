import type { Output } from '@docent/sdk'
import { count, number } from '../lib/format.ts'
import { questionIn } from '../lib/recorded-call.ts'

type Preview = Output<'retrievalRules.preview'>
type Changed = Preview['changed'][number]
type Passage = Changed['before'][number]

/** Passages shown of a list. */
const SHOWN = 5

/** The request whose answer is to be mended. */
export type OwnRequest = { tool: string; arguments: unknown }

/** Which requests of the log a rule would change: how many, and each before and after. */
export function Changes({ preview, own }: { preview: Preview; own?: OwnRequest }) {
  const { changed, checked, complete } = preview
  const mine = own && changed.find((one) => isSame(one, own))
  const others = changed.filter((one) => one !== mine)
  return (
    <div class="changes">
      <p>
        {tallyOf(changed.length, checked)}
        {!complete && ' There was no time for the older ones.'}
        {own && !mine && checked > 0 && ' This request finds the same passages as before.'}
      </p>
      {mine && <BeforeAfter {...mine} />}
      {others.length > 0 && (
        <ul>
          {others.map((one) => (
            <li key={one.callId}>
              <details>
                <summary>
                  {questionIn(one)} <span class="m small mute">{one.tool}</span>
                </summary>
                <BeforeAfter {...one} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function tallyOf(changed: number, checked: number): string {
  if (checked === 0) return 'The log has no request yet that this could be tried on.'
  const all = count(checked, 'different request')
  if (changed === 0) return `Of the last ${all}, none would find anything else.`
  return `Of the last ${all}, ${number(changed)} would find other passages, or in another order.`
}

const isSame = (one: OwnRequest, other: OwnRequest): boolean =>
  one.tool === other.tool && JSON.stringify(one.arguments) === JSON.stringify(other.arguments)

/** The passages of a request without and with the rule, from the first place that differs. */
function BeforeAfter({ before, after }: Pick<Changed, 'before' | 'after'>) {
  const first = before.findIndex((passage, index) => keyOf(passage) !== keyOf(after[index]))
  const from = first < SHOWN ? 0 : first - 1
  return (
    <div class="ba">
      <Found title="Before" passages={before} from={from} note={(passage) => (placeIn(after, passage) ? '' : 'gone')} />
      <Found
        title="After"
        passages={after}
        from={from}
        note={(passage, place) => {
          const was = placeIn(before, passage)
          return was === null ? 'new' : was === place ? '' : `was ${number(was)}`
        }}
      />
    </div>
  )
}

type FoundProps = {
  title: string
  passages: readonly Passage[]
  from: number
  note: (passage: Passage, place: number) => string
}

function Found({ title, passages, from, note }: FoundProps) {
  return (
    <div>
      <p class="lab">{title}</p>
      <ol>
        {passages.slice(from, from + SHOWN).map((passage, index) => {
          const place = from + index + 1
          return (
            <li key={place}>
              <span class="no">{number(place)}</span>
              <span>
                {passage.heading ? `${passage.title} › ${passage.heading}` : passage.title}{' '}
                <span class="mute">{note(passage, place)}</span>
              </span>
            </li>
          )
        })}
        {passages.length === 0 && <li class="mute">Nothing.</li>}
      </ol>
    </div>
  )
}

const keyOf = (passage: Passage | undefined): string => (passage ? `${passage.url} ${passage.heading}` : '')

/** From 1; null if it is not in the list. */
function placeIn(passages: readonly Passage[], passage: Passage): number | null {
  const index = passages.findIndex((one) => keyOf(one) === keyOf(passage))
  return index < 0 ? null : index + 1
}
