import type { Output } from '@docent/sdk'
import { Markdown, NO_CITATIONS } from '../ui/markdown.tsx'
import '../styles/answer.css'

type Answers = Output<'pins.preview'>['answers'][number]

/** Characters of an answer that are shown. */
const SHOWN = 2_000

/** The answer to a question before and after a change, or that it stays the same. */
export function Compared({ answers: { question, changes, before, after } }: { answers: Answers }) {
  if (!changes) return <p>The answer to “{question}” stays the same.</p>
  return (
    <div class="ba answers">
      <Side title="Before" answer={before} />
      <Side title="After" answer={after} />
    </div>
  )
}

function Side({ title, answer: { text, confidence, cited } }: { title: string; answer: Answers['before'] }) {
  return (
    <div>
      <p class="lab">
        {title} {confidence !== null && <span class="mute">confidence {confidence}</span>}
      </p>
      <div class="ans">
        <Markdown text={text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text} citations={NO_CITATIONS} />
      </div>
      <ol>
        {cited.map((place, index) => (
          <li key={index}>
            <span class="no">{index + 1}</span>
            <span class="mute">{sectionName(place)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

export const sectionName = ({ title, heading }: { title: string; heading: string }): string =>
  heading ? `${title} › ${heading}` : title
