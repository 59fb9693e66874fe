import type { ComponentChildren } from 'preact'

type Props = {
  columns: readonly string[]
  /** The last column has buttons. */
  hasActions?: boolean
  /** Rows. */
  children: ComponentChildren
}

/** A list as a table. On small screens the rows show `data-label` of their cells instead of the headings. */
export function Table({ columns, hasActions = false, children }: Props) {
  return (
    <table class="table">
      <thead>
        <tr>
          {columns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {hasActions && (
            <th scope="col" class="r">
              <span class="vh">What you can do</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
