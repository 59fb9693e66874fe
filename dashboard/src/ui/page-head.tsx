import type { ComponentChildren } from 'preact'

type Props = {
  title: string
  /** Links and buttons beside the title. */
  children?: ComponentChildren
}

/** The title of a screen with its actions. */
export function PageHead({ title, children }: Props) {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children && <div class="acts">{children}</div>}
    </div>
  )
}
