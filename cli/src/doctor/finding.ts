/** The result of one check. A problem keeps a part of the service from working. A warning does not. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'problem'
  detail: string
  /** What to do about it, as a sentence. */
  advice: string | null
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail, advice: null })

export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  state: 'warning',
  detail,
  advice,
})

export const problem = (check: string, detail: string, advice: string): Finding => ({
  check,
  state: 'problem',
  detail,
  advice,
})

/** The sentence of an error, without a stack. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
