import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { setQuery } from '../lib/router.ts'
import { leave } from '../lib/leave.ts'
import { parameter } from '../lib/listing.ts'

/** A choice in the bar: a parameter of the address. */
export type BarChoice = {
  name: string
  /** For screen readers. */
  label: string
  /** Of the parameter that is not in the address. */
  every: string
  options: readonly { value: string; title: string }[]
}

type Props = {
  /** Of the search, such as `Find a server`. */
  find: string
  query: URLSearchParams
  choices: readonly BarChoice[]
  prefix?: string
  /** The list, whose unsaved forms would be lost. */
  list?: RefObject<Element | null>
  /** Other controls, at the end of the bar. */
  children?: ComponentChildren
}

/** Search and choices above a list. All of them are in the address. */
export function ListBar({ find, query, choices, prefix, list, children }: Props) {
  const [, draw] = useState(0)
  const change = (name: string, value: string) => {
    const changes = { [parameter(name, prefix)]: value === '' ? null : value, [parameter('page', prefix)]: null }
    leave(() => setQuery(changes), list?.current)
    // If the reader stays, the choice is as before.
    draw((old) => old + 1)
  }
  return (
    <div class="bar" role="group" aria-label="Filters">
      <Search
        find={find}
        value={query.get(parameter('search', prefix)) ?? ''}
        onChange={(text) => change('search', text)}
      />
      {choices.map(({ name, label, every, options }) => (
        <select
          key={name}
          aria-label={label}
          value={query.get(parameter(name, prefix)) ?? ''}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        >
          <option value="">{every}</option>
          {options.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      ))}
      {children && (
        <>
          <span class="sp" />
          {children}
        </>
      )}
    </div>
  )
}

/** Pause in typing after which the list follows. */
const SETTLE_MS = 200

type SearchProps = { find: string; value: string; onChange: (text: string) => void }

function Search({ find, value, onChange }: SearchProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  // The address changes on its own too, with the buttons of the browser.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text.trim()
      onChange(sent.current)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      class="find-in"
      type="search"
      aria-label={find}
      placeholder={find}
      maxLength={200}
      spellcheck={false}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
