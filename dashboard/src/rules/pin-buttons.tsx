import { useMay } from '../api/may.ts'
import { sectionName } from './compared.tsx'
import type { DraftedPin } from './pin-draft.tsx'

type Section = { title: string; heading: string; url: string; sourceId: string }
type Props = { section: Section; withNever: boolean; onPin: (draft: DraftedPin) => void }

const WISHES = { first: 'This section answers it', never: 'Not for this question' } as const

/** Begins a pin for a section of a result: that it answers the question or, if it was used, that it does not. */
export function PinButtons({ section: { title, heading, url, sourceId }, withNever, onPin }: Props) {
  const may = useMay()
  if (!may('pins.create')) return null
  const section = { title, heading, url, sourceId }
  return (
    <>
      {(withNever ? (['first', 'never'] as const) : (['first'] as const)).map((effect) => (
        <button
          key={effect}
          type="button"
          class="lnk"
          aria-label={`${WISHES[effect]}: ${sectionName(section)}`}
          onClick={() => onPin({ effect, section })}
        >
          {WISHES[effect]}
        </button>
      ))}
    </>
  )
}
