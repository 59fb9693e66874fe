import { useId } from 'preact/hooks'
import { Field } from '../ui/field.tsx'
import { Segments } from '../ui/segments.tsx'
import { fieldError } from './field-error.ts'
import { contrast } from './contrast.ts'
import { COLORS, type Draft } from './draft.ts'
import { Table } from '../ui/table.tsx'

type Props = { draft: Draft; error: Error | null; onChange: (changes: Partial<Draft>) => void }

const LAYOUTS = [
  { name: 'horizontal', title: 'Tabs above' },
  { name: 'vertical', title: 'Tabs beside' },
] as const

const FONTS = ['Arial', 'Georgia', 'Helvetica', 'Inter', 'Roboto', 'Segoe UI', 'Times New Roman', 'Verdana']

/** Text needs this contrast (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5

/** Layout, font and colors of a widget. */
export function LookFields({ draft, error, onChange }: Props) {
  const fonts = useId()
  return (
    <div class="look">
      <Segments label="Layout" options={LAYOUTS} value={draft.layout} onChange={(layout) => onChange({ layout })} />
      <Field
        label="Font"
        class="font"
        list={fonts}
        maxLength={100}
        pattern="[A-Za-z0-9 ]*"
        error={fieldError(error, 'fontFamily')}
        placeholder="That of the page"
        hint="Letters, digits and spaces. The page has to load it."
        value={draft.fontFamily}
        onInput={({ currentTarget }) => onChange({ fontFamily: currentTarget.value })}
      />
      <datalist id={fonts}>
        {FONTS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Colors value={draft.colors} error={fieldError(error, 'colors')} onChange={(colors) => onChange({ colors })} />
    </div>
  )
}

type ColorsProps = { value: Draft['colors']; error: string | null; onChange: (value: Draft['colors']) => void }

function Colors({ value, error, onChange }: ColorsProps) {
  const about = useId()
  const isWrong = (name: string) => error !== null && error.split(/[^\w]/).includes(name)
  const set = (name: string, color: string) => {
    const { [name]: _, ...others } = value
    onChange(color === '' ? others : { ...others, [name]: color })
  }
  return (
    <>
      <Table class="colors" columns={['Color', 'On light pages', 'On dark pages']}>
        {COLORS.map(({ name, title, light, dark }) => (
          <tr key={name}>
            <th scope="row">{title}</th>
            <td data-label="On light pages">
              <Color
                label={`${title} on light pages`}
                value={value[name]}
                fallback={light}
                wrong={isWrong(name) ? about : null}
                onChange={(color) => set(name, color)}
              />
            </td>
            <td data-label="On dark pages">
              <Color
                label={`${title} on dark pages`}
                value={value[darkName(name)]}
                fallback={dark}
                wrong={isWrong(darkName(name)) ? about : null}
                onChange={(color) => set(darkName(name), color)}
              />
            </td>
          </tr>
        ))}
      </Table>
      {error && (
        <p class="field-error" id={about} role="alert">
          {error}
        </p>
      )}
      <Contrast value={value} />
    </>
  )
}

const darkName = (name: string): string => `dark${name.charAt(0).toUpperCase()}${name.slice(1)}`

type ColorProps = {
  label: string
  value: string | undefined
  fallback: string
  /** Id of the text that says what is wrong with it. */
  wrong: string | null
  onChange: (color: string) => void
}

/** A color from the system's picker, or as CSS text. Empty: the widget's own. */
function Color({ label, value, fallback, wrong, onChange }: ColorProps) {
  const picked = /^#[\da-f]{6}$/i.test(value ?? '') ? (value ?? '') : fallback
  return (
    <span class="color">
      <input
        type="color"
        aria-label={`${label}: pick`}
        value={picked}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <input
        aria-label={label}
        class="m"
        spellcheck={false}
        maxLength={80}
        {...(wrong === null ? {} : { 'aria-invalid': true, 'aria-describedby': wrong })}
        placeholder={fallback}
        value={value ?? ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    </span>
  )
}

/** Says which texts would be hard to read. */
function Contrast({ value }: { value: Draft['colors'] }) {
  const [, background, text] = COLORS
  const weak = [
    { where: 'light', ground: value['background'] ?? background.light, ink: value['text'] ?? text.light },
    { where: 'dark', ground: value['darkBackground'] ?? background.dark, ink: value['darkText'] ?? text.dark },
  ].flatMap(({ where, ground, ink }) => {
    const found = contrast(ground, ink)
    return found !== null && found < ENOUGH ? [{ where, found }] : []
  })
  return (
    <div role="status">
      {weak.map(({ where, found }) => (
        <p key={where} class="nb">
          On {where} pages, the text has a contrast of {found.toFixed(1)} : 1 with its background. It needs {ENOUGH} : 1
          to be read easily.
        </p>
      ))}
    </div>
  )
}
