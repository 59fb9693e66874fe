import type { ComponentChildren } from 'preact'

/** The title of a column. `right`: its cells are aligned to the right, as numbers are. */
type Column = ComponentChildren | { right: ComponentChildren }

type Props = {
  columns: readonly Column[]
  /** More classes than `table`. */
  class?: string
  /** The last column has buttons. */
  hasActions?: boolean
  /** Rows. */
  children: ComponentChildren
}

/** A list as a table. On small screens the rows show `data-label` of their cells instead of the headings. */
export function Table({ columns, class: more, hasActions = false, children }: Props) {
  const all = hasActions ? [...columns, { right: <span class="vh">What you can do</span> }] : columns
  return (
    <table class={more === undefined ? 'table' : `table ${more}`}>
      <thead>
        <tr>{all.map(drawHeading)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

function drawHeading(column: Column, index: number) {
  const isRight = typeof column === 'object' && column !== null && 'right' in column
  return (
    <th key={index} scope="col" class={isRight ? 'r' : undefined}>
      {isRight ? column.right : column}
    </th>
  )
}
