import type { OperationId } from '@docent/contract/operations'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Allowed } from './allowed.tsx'

type Props = {
  title: string
  about?: ComponentChildren
  children: ComponentChildren
  last?: boolean
  id?: string
  /** What it is for. Members who may not do that see the reason instead. */
  to?: OperationId
}

/** A part of a page: its label in the margin, its content beside it, a rule below. */
export function Section({ title, about, children, last, id, to }: Props) {
  const heading = useId()
  return (
    <section class={last ? 'sec last' : 'sec'} aria-labelledby={heading} {...(id ? { id } : {})}>
      <header>
        <h2 id={heading}>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </header>
      <div class="body">
        {to ? (
          <Allowed to={to} says>
            {children}
          </Allowed>
        ) : (
          children
        )}
      </div>
    </section>
  )
}
