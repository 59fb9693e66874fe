import { useId } from 'preact/hooks'
import { type Schema, typeOf } from './tool-schema.ts'

/** Values of the form by argument. */
export type Values = Readonly<Record<string, string>>

type Props = { schema: Schema; values: Values; onChange: (values: Values) => void }

/** A form for the arguments of a tool, made from its schema. */
export function Arguments({ schema, values, onChange }: Props) {
  const required = new Set(schema.required)
  const all = Object.entries(schema.properties ?? {})
  const first = all.filter(([name]) => required.has(name))
  const rest = all.filter(([name]) => !required.has(name))
  const field = ([name, one]: [string, Schema]) => (
    <Argument
      key={name}
      name={name}
      schema={one}
      isRequired={required.has(name)}
      value={values[name] ?? ''}
      onChange={(value) => onChange({ ...values, [name]: value })}
    />
  )
  const shown = first.length > 0 ? first : rest.slice(0, 2)
  const more = first.length > 0 ? rest : rest.slice(2)
  return (
    <>
      <div class="f">{shown.map(field)}</div>
      {more.length > 0 && (
        <details class="small" open={more.some(([name]) => values[name])}>
          <summary>More arguments</summary>
          <div class="f">{more.map(field)}</div>
        </details>
      )}
    </>
  )
}

type ArgumentProps = {
  name: string
  schema: Schema
  isRequired: boolean
  value: string
  onChange: (value: string) => void
}

function Argument({ name, schema, isRequired, value, onChange }: ArgumentProps) {
  const id = useId()
  const type = typeOf(schema)
  const isText = type === 'string' && isRequired && (schema.maxLength ?? 0) >= 500
  const about = { id, value, required: isRequired, 'aria-describedby': `${id}-about` }
  const set = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value)
  const options = type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  return (
    <div class={isText || (isRequired && !options && type === 'string') ? 'field w' : 'field'}>
      <label for={id}>{name}</label>
      {options ? (
        <select {...about} onChange={set}>
          {!isRequired && <option value="">{defaultOf(schema) || 'not set'}</option>}
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : isText ? (
        <textarea {...about} onInput={set} />
      ) : (
        <input
          {...about}
          {...(type === 'integer' || type === 'number' ? { inputMode: 'numeric' as const } : {})}
          placeholder={placeholderOf(schema)}
          onInput={set}
        />
      )}
      <p class="hint" id={`${id}-about`}>
        {schema.description}
      </p>
    </div>
  )
}

const defaultOf = ({ default: value }: Schema): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function placeholderOf(schema: Schema): string {
  if (schema.default !== undefined) return defaultOf(schema)
  return typeOf(schema) === 'array' ? 'one, another' : typeOf(schema) === 'object' ? '{}' : ''
}

/** The arguments of a call. Texts that are no valid numbers or JSON are sent as they are, and the tool explains. */
export function readArguments(schema: Schema, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
      const text = values[name]?.trim() ?? ''
      return text === '' ? [] : [[name, readValue(typeOf(one), text)]]
    }),
  )
}

function readValue(type: string, text: string): unknown {
  switch (type) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text)
    case 'array':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    case 'object':
      return readJson(text)
    default:
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
