import type { AnswerPart } from '@docent/contract/operations/embed'
import type { Outcome } from '@docent/contract/values/outcomes'
import { element, link } from './element.ts'
import { type Citation, drawMarkdown } from './draw-markdown.ts'

type Options = {
  question: string
  /** Announces the progress of the answer to screen readers. */
  say: (status: string) => void
  /** The answer has grown. */
  grown: () => void
  /** Asks a follow-up question. */
  ask: (question: string) => void
  /** Sends whether the answer of a call helped. */
  rate: (call: string, helpful: boolean) => Promise<void>
}

/** One question with its answer, which grows as its parts arrive. */
export class AnswerView {
  readonly article: HTMLElement
  readonly #answer = element('div', { className: 'answer busy', ariaBusy: 'true' })
  readonly #sources = element('ol', { className: 'sources', ariaLabel: 'Sources' })
  /** The sources come before the answer, and beside it where there is room. */
  readonly #body = element('div', { className: 'body' })
  readonly #citations = new Map<number, Citation>()
  readonly #options: Options
  #text = ''
  #outcome: Outcome = 'answered'
  #frame = 0

  constructor(options: Options) {
    this.#options = options
    this.#body.append(this.#answer)
    this.article = element('article', {}, element('p', { className: 'question' }, options.question), this.#body)
    options.say('Looking in the documentation.')
  }

  get sources(): number {
    return this.#citations.size
  }

  add(part: AnswerPart): void {
    switch (part.type) {
      case 'citation':
        this.#citations.set(part.n, part)
        this.#sources.append(sourceItem(part))
        if (!this.#sources.isConnected) this.#body.prepend(this.#sources)
        this.#options.grown()
        break
      case 'text':
        this.#text += part.text
        this.#frame ||= requestAnimationFrame(() => this.#paint())
        break
      case 'progress':
        this.#options.say(part.message)
        break
      case 'restart':
        this.#text = ''
        this.#citations.clear()
        this.#sources.replaceChildren()
        this.#paint()
        break
      case 'end':
        this.#outcome = part.outcome
        this.#paint()
        if (part.remark) this.article.append(element('p', { className: 'note' }, part.remark))
        if (part.call) this.article.append(this.#feedback(part.call))
        if (part.followUps.length > 0)
          this.article.append(questionButtons('Questions to ask next', part.followUps, this.#options.ask))
        break
      default:
    }
  }

  /** Ends the answer, with the error if there is one. */
  end(problem: string | null): void {
    this.#paint()
    this.#answer.classList.remove('busy')
    this.#answer.ariaBusy = 'false'
    if (problem !== null) this.#answer.append(element('p', { className: 'error', role: 'alert' }, problem))
    const count = this.sources === 1 ? 'one source' : `${this.sources} sources`
    this.#options.say(problem === null ? statusOf(this.#outcome, count) : 'There is no answer.')
  }

  #paint(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#answer.replaceChildren(drawMarkdown(this.#text, this.#citations))
    this.#options.grown()
  }

  /** Two buttons. The last click counts. */
  #feedback(call: string): HTMLElement {
    const thanks = element('span', {})
    const choices = [true, false].map((helpful) => {
      const label = helpful ? 'Helpful' : 'Not helpful'
      return { helpful, button: element('button', { type: 'button', ariaPressed: 'false' }, label) }
    })
    const rate = async (helpful: boolean) => {
      const press = (pressed: boolean | null) => {
        for (const choice of choices) choice.button.ariaPressed = String(choice.helpful === pressed)
      }
      press(helpful)
      try {
        await this.#options.rate(call, helpful)
        thanks.textContent = 'Thank you.'
      } catch (error) {
        press(null)
        thanks.textContent = error instanceof Error ? error.message : String(error)
      }
      this.#options.say(thanks.textContent)
    }
    for (const { button, helpful } of choices) button.addEventListener('click', () => void rate(helpful))
    const buttons = choices.map(({ button }) => button)
    return element('div', { className: 'rate', role: 'group', ariaLabel: 'Did this answer help?' }, ...buttons, thanks)
  }
}

/** A button for each question. */
export function questionButtons(
  label: string,
  questions: readonly string[],
  ask: (question: string) => void,
): HTMLElement {
  const buttons = questions.slice(0, 3).map((question) => {
    const button = element('button', { type: 'button' }, question)
    button.addEventListener('click', () => ask(question))
    return button
  })
  return element('div', { className: 'next', role: 'group', ariaLabel: label }, ...buttons)
}

/** What happened, below the answers. Screen readers read it too. */
function statusOf(outcome: Outcome, sources: string): string {
  if (outcome === 'none') return 'The documentation does not answer this.'
  if (outcome === 'related') return `There is no answer, but something related, with ${sources}.`
  if (outcome === 'failed') return 'The answer failed. Try again.'
  if (outcome === 'refused') return 'The question was refused.'
  return `The answer is complete, with ${sources}.`
}

function sourceItem({ n, title, heading, url }: Citation): HTMLElement {
  const place = heading ? [element('span', {}, ` › ${heading}`)] : []
  return element('li', {}, element('b', {}, String(n)), element('div', {}, link(url, {}, title || url), ...place))
}
