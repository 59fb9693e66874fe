import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = { title: string; about?: ComponentChildren; children: ComponentChildren; last?: boolean; id?: string }

/** A part of a page: its label in the margin, its content beside it, a rule below. */
export function Section({ title, about, children, last, id }: Props) {
  const heading = useId()
  return (
    <section class={last ? 'sec last' : 'sec'} aria-labelledby={heading} {...(id ? { id } : {})}>
      <header>
        <h2 id={heading}>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </header>
      <div class="body">{children}</div>
    </section>
  )
}
