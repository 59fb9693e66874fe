import type { Draft } from './use-draft.ts'

type Props<T extends Readonly<Record<string, string>>> = {
  draft: Pick<Draft<T>, 'theirs' | 'settle'>
  /** Labels of the fields. */
  labels: Readonly<Record<keyof T, string>>
}

/** What somebody else has saved in the meantime, and the choice between theirs and the own values. */
export function Conflict<T extends Readonly<Record<string, string>>>({ draft: { theirs, settle }, labels }: Props<T>) {
  if (!theirs) return null
  return (
    <div class="say w" role="alert">
      <div>
        <p>This was changed elsewhere after you began, so nothing was saved. It says now:</p>
        <ul class="dots">
          {Object.entries(theirs).map(([name, value]) => (
            <li key={name}>
              {labels[name]}: {value ? `“${value}”` : 'nothing'}
            </li>
          ))}
        </ul>
      </div>
      <div class="a">
        <button type="button" class="btn s" onClick={() => settle('mine')}>
          Save mine
        </button>
        <button type="button" class="btn s" onClick={() => settle('theirs')}>
          Keep theirs
        </button>
      </div>
    </div>
  )
}
