import { useEffect, useRef, useState } from 'preact/hooks'
import { type Action, useAction } from '../api/use-action.ts'
import { say } from './notices.tsx'

type Values = Readonly<Record<string, string>>

export type Draft<T extends Values> = {
  /** The saved values with the changes of the form over them. */
  values: T
  change: (changes: Partial<T>) => void
  /** Something differs from what is saved. */
  isChanged: boolean
  save: Action<[]>
  /** Values that somebody else has saved in the meantime for fields that are changed here too. */
  theirs: Partial<T> | null
  /** Saves the own values over those of the others, or takes theirs. */
  settle: (whose: 'mine' | 'theirs') => void
}

type Options<T extends Values> = {
  saved: T
  /** The values that are saved now. */
  read: () => Promise<T>
  /** Saves the changed values only. */
  write: (changes: Partial<T>) => Promise<unknown>
  onSaved: () => void
}

/**
 * The fields of a form over their saved values. Fields that nobody has touched follow what is saved. Before a save, the
 * form looks whether somebody else has changed the same fields, as from another tab.
 */
export function useDraft<T extends Values>({ saved, read, write, onSaved }: Options<T>): Draft<T> {
  const [changes, setChanges] = useState<Partial<T>>({})
  const [isWritten, setWritten] = useState(false)
  const [theirs, setTheirs] = useState<Partial<T> | null>(null)
  /** The saved value of each changed field at the time of its first change. */
  const before = useRef<Partial<T>>({})
  /** The own values win over those of others. */
  const isOver = useRef(false)
  const save = useAction(async () => {
    const latest = await read()
    const names = Object.keys(changes) as (keyof T)[]
    const others = names.filter((name) => latest[name] !== before.current[name] && latest[name] !== changes[name])
    if (others.length > 0 && !isOver.current) {
      setTheirs(pick(latest, others))
      throw new Error('This was changed elsewhere after you began, so nothing was saved.')
    }
    isOver.current = false
    await write(changes)
    // The changes stay in the fields until the saved values are here.
    before.current = changes
    setTheirs(null)
    setWritten(true)
    say('Saved')
    onSaved()
  })
  const forget = () => {
    before.current = {}
    setChanges({})
    setTheirs(null)
    setWritten(false)
  }
  useEffect(() => {
    if (isWritten) forget()
  }, [JSON.stringify(saved)])
  return {
    values: { ...saved, ...changes },
    change: (more) => {
      before.current = { ...pick(saved, Object.keys(more)), ...before.current }
      setChanges((old) => ({ ...old, ...more }))
      setWritten(false)
    },
    isChanged: !isWritten && Object.entries(changes).some(([name, value]) => value !== saved[name]),
    save,
    theirs,
    settle: (whose) => {
      if (whose === 'mine') {
        isOver.current = true
        setTheirs(null)
        save.run()
      } else {
        forget()
        save.clear()
        onSaved()
      }
    },
  }
}

const pick = <T extends Values>(values: T, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<T>
