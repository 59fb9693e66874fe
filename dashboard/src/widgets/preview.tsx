import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { stream } from '../api/stream.ts'
import { Problem } from '../ui/states.tsx'
import { type Draft, previewOf, toRequest } from './draft.ts'
import { type EmbedOptions, attributesOf } from './embed-options.ts'

type Props = { draft: Draft; options: EmbedOptions; configurationId: string; theme: 'light' | 'dark' }

/** Changes are shown after this pause, because each makes a new widget. */
const SETTLE_MS = 150

/** The widget itself, with the settings of the draft. It answers from the chosen sources before they are saved. */
export function Preview({ draft, options, configurationId, theme }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { isReady, error, load } = useWidget()
  // Another choice of sources needs no new widget.
  const sources = useRef('')
  sources.current = toRequest(draft).sources ?? '[]'
  const shown = JSON.stringify({ settings: previewOf(draft), options, configurationId, theme })
  useEffect(() => {
    if (!isReady) return
    const timer = setTimeout(() => place.current?.replaceChildren(makeWidget(shown, () => sources.current)), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isReady, shown])
  if (error) return <Problem error={error} retry={load} />
  return <div class="stage" data-theme={theme} ref={place} />
}

type Shown = { settings: ReturnType<typeof previewOf> } & Omit<Props, 'draft'>

function makeWidget(shown: string, sources: () => string): HTMLElement {
  const { settings, options, configurationId, theme } = JSON.parse(shown) as Shown
  const widget = document.createElement('docent-ask')
  const own = { ...attributesOf(options), theme, configuration: configurationId, base: location.origin, hotkey: '' }
  for (const [name, value] of Object.entries(own)) widget.setAttribute(name, value)
  const trial = (question: string, tool: Tool, signal: AbortSignal) =>
    answerOf({ sources: sources(), question, tool }, signal)
  return Object.assign(widget, { settings, trial })
}

type Tool = Draft['tools'][number]['name']
type Question = { sources: string; question: string; tool: Tool }

/** The parts of an answer. A refusal is the last one, in its words. */
async function* answerOf(question: Question, signal: AbortSignal): AsyncGenerator<Output<'configurations.try'>> {
  try {
    yield* stream('configurations.try', question, { signal })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    yield { type: 'error', message: error.message }
  }
}

/** Loads the script that pages load. It defines the element. */
function useWidget() {
  const [state, setState] = useState<{ isReady: boolean; error: Error | null }>(() => ({
    isReady: customElements.get('docent-ask') !== undefined,
    error: null,
  }))
  const load = () => {
    const address = new URL('/embed/docent.js', location.origin).href
    import(/* @vite-ignore */ address).then(
      () => setState({ isReady: true, error: null }),
      () => setState({ isReady: false, error: new Error('The widget could not be loaded from /embed/docent.js.') }),
    )
  }
  useEffect(() => {
    if (!state.isReady) load()
  }, [])
  return { ...state, load }
}
