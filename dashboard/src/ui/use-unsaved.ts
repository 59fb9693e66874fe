import { useEffect, useRef } from 'preact/hooks'
import type { Action } from '../api/use-action.ts'
import { holdPage } from '../lib/leave.ts'

/**
 * Lets the page ask before it is left with a form that differs from what it was at first, or after its last success.
 * Returns the reference for the form. `isChanged`: what the form itself knows about that.
 */
export function useUnsaved({ isBusy, error }: Pick<Action<[]>, 'isBusy' | 'error'>, isChanged?: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const saved = useRef('')
  const isSuccess = !isBusy && error === null
  useEffect(() => {
    if (isSuccess) saved.current = contentOf(form.current)
  }, [isSuccess])
  const read = () => ((isChanged ?? contentOf(form.current) !== saved.current) ? 'text' : null)
  useEffect(() => holdPage(read, () => form.current), [isChanged])
  return form
}

/** The values of all fields that have one. Fields that appear later, and are empty, change nothing. */
function contentOf(form: HTMLFormElement | null): string {
  return [...(form?.elements ?? [])]
    .flatMap((field, index) => {
      if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type))
        return field.checked ? [`${index} ${field.name} ${field.value}`] : []
      const isText =
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
      return isText && field.value !== '' ? [field.value] : []
    })
    .join('\n')
}
