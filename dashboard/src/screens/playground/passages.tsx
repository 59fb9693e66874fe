import { shortAddress } from '../../lib/format.ts'
import type { Passage } from './read-result.ts'

/** Characters of a passage that are shown. The protocol view has all. */
const SHOWN = 600

type Props = {
  passages: readonly Passage[]
  label: string
  /** The texts are quotations that an answer rests on. */
  cited: boolean
}

/** Passages with their addresses. Their texts come from the sources, and are shown as text. */
export function Passages({ passages, label, cited }: Props) {
  const best = Math.max(...passages.map(({ score }) => score ?? 0))
  return (
    <ol class="ps" aria-label={label}>
      {passages.map(({ n, title, heading, url, text, code, score }) => (
        <li key={`${n} ${url}`} id={`p${n}`}>
          <span class="no">{n}</span>
          <div>
            <h3>{heading ? `${title} › ${heading}` : title}</h3>
            <Address url={url} />
            {text !== '' &&
              (code ? (
                <pre tabIndex={0}>{text.slice(0, SHOWN)}</pre>
              ) : (
                <blockquote>{cited ? <mark>{short(text)}</mark> : short(text)}</blockquote>
              ))}
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
      ))}
    </ol>
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

function short(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text
}
