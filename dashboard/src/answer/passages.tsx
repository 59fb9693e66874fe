import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count, shortAddress } from '../lib/format.ts'
import { CodeBlock, Markdown, NO_CITATIONS } from '../ui/markdown.tsx'
import type { Passage } from './read-result.ts'

/** Characters of a passage that are shown at first. */
const SHOWN = 600
/** Longest quote of a citation. */
const QUOTED = 600

type Props = {
  passages: readonly Passage[]
  label: string
  /** Numbers of the passages that the answer cites. */
  cited: ReadonlySet<number>
  /** The answer. Of cited passages, only quotations and texts that it has are marked. */
  answer: string
  prefix: string
  actions?: (passage: Passage) => ComponentChildren
}

/** Passages with their addresses. Their texts come from the sources, and are shown as text. */
export function Passages({ passages, label, cited, answer, prefix, actions }: Props) {
  const best = Math.max(...passages.map(({ score }) => score ?? 0))
  return (
    <ol class="ps" aria-label={label}>
      {passages.map((passage) => {
        const { n, title, heading, url, score } = passage
        const isCited = cited.has(n)
        return (
          <li key={`${n} ${url}`} id={`${prefix}p${n}`}>
            <span class={isCited ? 'no is-cited' : 'no'}>{n}</span>
            <div>
              <h3>{heading ? `${title} › ${heading}` : title}</h3>
              <Address url={url} />
              <Text passage={passage} isMarked={isCited && (passage.isQuote || answer.includes(passage.text))} />
              {actions?.(passage)}
            </div>
            {score !== null && best > 0 && (
              <div class="sc">
                <span>score</span>
                <i>
                  <b style={{ width: `${Math.max(0, (score / best) * 100)}%` }} />
                </i>
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function Text({ passage: { text, code, title, isQuote }, isMarked }: { passage: Passage; isMarked: boolean }) {
  const [isWhole, setWhole] = useState(false)
  if (text === '') return null
  const all = code ? text : withoutHeading(text)
  const cut = cutAt(all)
  // The service ends a long quote in the middle.
  const end = isQuote && text.length === QUOTED && (isWhole || cut === all.length) ? ' …' : ''
  const shown = (isWhole ? all : all.slice(0, cut)) + end
  return (
    <>
      {code ? (
        <CodeBlock code={shown} label={`Code of ${title}`} />
      ) : (
        <blockquote>
          <Markdown text={shown} citations={NO_CITATIONS} isMarked={isMarked} />
        </blockquote>
      )}
      {cut < all.length && (
        <button type="button" class="lnk small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `… ${count(all.length - cut, 'more character')}`}
          <span class="vh"> of {title}</span>
        </button>
      )}
    </>
  )
}

function Address({ url }: { url: string }) {
  // Other schemes could run scripts, and uploads have addresses that do not open.
  if (!/^https?:\/\//i.test(url)) return <span class="pa">{url}</span>
  return (
    <a class="pa" href={url} target="_blank" rel="noreferrer">
      {shortAddress(url)}
    </a>
  )
}

/** The heading is already above the passage. */
const withoutHeading = (text: string): string => text.replace(/^#{1,6} [^\n]*\n+/, '')

/** Characters to show: up to a line end in the second half if there is one, so that no line of code is cut. */
function cutAt(text: string): number {
  if (text.length <= SHOWN) return text.length
  const line = text.lastIndexOf('\n', SHOWN)
  return line > SHOWN / 2 ? line : SHOWN
}
