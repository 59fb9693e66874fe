import type { Output } from '@docent/sdk'
import { type ComponentChildren, Fragment } from 'preact'
import { Markdown } from '../ui/markdown.tsx'
import { Passages } from './passages.tsx'
import { type Passage, citedIn, passagesOf } from './read-result.ts'
import '../styles/answer.css'

type Props = {
  answer: Output<'tools.try'>
  tool: string
  /** Distinguishes the links to passages of several answers on one page. */
  prefix?: string
  /** Actions on a passage. */
  actions?: (passage: Passage) => ComponentChildren
}

/** The answer of a tool as a person reads it: sentences with citations, then the passages. */
export function AnswerText({ answer: { response, data, outcome }, tool, prefix = '', actions }: Props) {
  const problem = problemIn(response)
  if (problem !== null) {
    return (
      <div class="say w">
        <p>{problem}</p>
      </div>
    )
  }
  const text = textIn(response)
  const passages = passagesOf(data)
  const written = typeof data?.['answer'] === 'string' ? data['answer'] : overviewIn(text)
  const shown = written ?? (passages.length === 0 ? text : null)
  const cited = outcome !== 'none' ? citedIn(shown ?? '', passages) : new Set<number>()
  return (
    <>
      {shown !== null && (
        <div class="ans">
          <Markdown text={shown} citations={cited} prefix={prefix} />
        </div>
      )}
      {passages.length > 0 && (
        <Passages
          passages={passages}
          label={written === null ? `Results of ${tool}` : 'Passages of this answer'}
          cited={cited}
          answer={written ?? ''}
          prefix={prefix}
          {...(actions ? { actions: (passage) => <Fragment>{actions(passage)}</Fragment> } : {})}
        />
      )}
    </>
  )
}

/** A refusal is a protocol error. A failed tool call is a result that says so. */
function problemIn(response: Record<string, unknown>): string | null {
  const { error, result } = response as { error?: { message?: string }; result?: { isError?: boolean } }
  if (error) return error.message ?? 'The tool gave an error.'
  return result?.isError ? textIn(response) : null
}

/** The text that a model gets. */
function textIn(response: Record<string, unknown>): string {
  const { result } = response as { result?: { content?: readonly { type?: string; text?: string }[] } }
  return (result?.content ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n')
}

/** The table or checklist with which custom tools begin. */
function overviewIn(text: string): string | null {
  const [first = ''] = text.split('\n\n')
  return /^(?:\| |- \[ \] )/.test(first) ? first : null
}
