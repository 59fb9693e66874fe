import { type Effect, effectWords } from './effect-words.ts'

type Props = { effects: readonly Effect[]; sources: Parameters<typeof effectWords>[1] }

/** The effects that the service read from a sentence. */
export function Effects({ effects, sources }: Props) {
  return (
    <ul class="effects">
      {effects.map((effect, index) => {
        const { what, when } = effectWords(effect, sources)
        return (
          <li key={index}>
            {what}
            {when && <span class="mute"> Only {when}.</span>}
          </li>
        )
      })}
    </ul>
  )
}

/** Parts of a sentence that no rule can do. */
export function Removed({ parts }: { parts: readonly string[] }) {
  if (parts.length === 0) return null
  return (
    <div class="nb">
      <p>A rule cannot do this, so it was left out: {parts.map((part) => `“${part}”`).join(', ')}.</p>
    </div>
  )
}
