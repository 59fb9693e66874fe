import type { Draft } from './draft.ts'

type Tools = Draft['tools']

const ABOUT: Record<Tools[number]['name'], string> = {
  ask_question: 'Answers a question, with its sources',
  search_docs: 'Lists passages',
  get_code_examples: 'Lists code examples',
}

/** The tabs of the widget: which, in which order, and how they are called. */
export function ToolsField({ value, onChange }: { value: Tools; onChange: (value: Tools) => void }) {
  const change = (index: number, changes: Partial<Tools[number]>) =>
    onChange(value.map((tool, at) => (at === index ? { ...tool, ...changes } : tool)))
  const moveUp = (index: number) => {
    const next = [...value]
    next.splice(index - 1, 0, ...next.splice(index, 1))
    onChange(next)
  }
  const on = value.filter(({ isOn }) => isOn).length
  return (
    <ul class="tabs-field">
      {value.map(({ name, title, isOn }, index) => (
        <li key={name}>
          <label class="check">
            <input
              type="checkbox"
              checked={isOn}
              disabled={isOn && on === 1}
              onChange={({ currentTarget }) => change(index, { isOn: currentTarget.checked })}
            />
            <span>
              <span class="m">{name}</span>
              <span class="small mute">{ABOUT[name]}</span>
            </span>
          </label>
          <input
            aria-label={`Title of the tab ${name}`}
            maxLength={40}
            disabled={!isOn}
            value={title}
            onInput={({ currentTarget }) => change(index, { title: currentTarget.value })}
          />
          <button
            type="button"
            class="btn s"
            disabled={index === 0}
            aria-label={`Move ${name} up`}
            onClick={() => moveUp(index)}
          >
            Up
          </button>
        </li>
      ))}
    </ul>
  )
}
