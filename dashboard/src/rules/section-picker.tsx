import type { Output } from '@docent/sdk'
import { useId, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { shortAddress } from '../lib/format.ts'
import type { Server } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { sectionName } from './compared.tsx'

/** A section to pin, as a result, a citation or the search for sections names it. */
export type PickedSection = { title: string; heading: string | null; url: string; sourceId: string | null }

type Found = Output<'pins.sections'>
type Props = { server: Server; question: string; onPick: (section: PickedSection) => void }

/** Characters of a section that are shown. */
const SHOWN = 220

/** Sections that could answer a question. Other words find others, and an address any. */
export function SectionPicker({ server, question, onPick }: Props) {
  const id = useId()
  const [words, setWords] = useState('')
  const [query, setQuery] = useState('')
  const found = useLoad(`sections ${server.id} ${question} ${query}`, (signal) =>
    call('pins.sections', { id: server.id, question, ...(query === '' ? {} : { query }) }, { signal }),
  )
  const search = () => {
    const text = words.trim()
    if (/^[a-z]+:\/\//i.test(text)) onPick({ title: text, heading: null, url: text, sourceId: null })
    else setQuery(text)
  }
  return (
    <div class="picker">
      <div class="field">
        <label for={id}>Search the sections</label>
        <div class="with-btn">
          <input
            id={id}
            type="search"
            value={words}
            placeholder="Other words, or the address of a section"
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The field is in the form of the pin.
              event.preventDefault()
              search()
            }}
          />
          <button type="button" class="btn" onClick={search}>
            Search
          </button>
        </div>
      </div>
      <Loaded from={found} what="the sections">
        {(data) => <Sections found={data} onPick={onPick} />}
      </Loaded>
    </div>
  )
}

function Sections({ found: { sections, remark }, onPick }: { found: Found } & Pick<Props, 'onPick'>) {
  return (
    <>
      {remark && <p class="nb">{remark}</p>}
      {sections.length === 0 ? (
        <p class="mute">No section fits. Try other words.</p>
      ) : (
        <ul>
          {sections.map((section) => (
            <li key={`${section.url} ${section.heading}`}>
              <p class="said">{sectionName(section)}</p>
              <p class="small mute">{shortAddress(section.url)}</p>
              <p class="small">{beginningOf(section.text)}</p>
              <button
                type="button"
                class="lnk"
                aria-label={`Choose this section: ${sectionName(section)}`}
                onClick={() => onPick(section)}
              >
                Choose this section
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The first words of a section below its heading, on one line and without markup. */
function beginningOf(text: string): string {
  const plain = text
    .replace(/^#{1,6} [^\n]*\n+/, '')
    .replace(/^ {0,3}(?:```|~~~).*\n?/gm, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\s+/g, ' ')
  return plain.length > SHOWN ? `${plain.slice(0, SHOWN)} …` : plain
}
