import type { AnswerPart } from '@docent/contract/operations/embed'
import type { EmbedToolName } from '@docent/contract/values/embed-tools'
import { AnswerView, questionButtons } from './answer-view.ts'
import { inkOn, pageScheme, setColors } from './colors.ts'
import { element } from './element.ts'
import { type Configuration, Service, ServiceError } from './service.ts'
import { createStyle } from './style.ts'

/** Longest question, as in the contract. */
const MAX_QUESTION = 2_000
const SCHEME = matchMedia('(prefers-color-scheme: dark)')
const FAILED = 'The answer could not be shown. Try again.'

/**
 * `<docent-ask configuration="cfg_…">`: a button that opens a dialog, or with `mode="inline"` a box in the page.
 *
 * Attributes: `configuration`, `attribution-token`, `base` (address of the service), `mode`, `theme` (`light`, `dark`,
 * `auto` for that of the system; by default that of the page), `position` (`bottom-left`), `label`, `hotkey` (`mod+k`;
 * empty for none).
 *
 * Events, which bubble: `docent:ready`, `docent:open`, `docent:close`, `docent:answer` with the number of sources, and
 * `docent:error` with a message.
 */
export class DocentAsk extends HTMLElement {
  /** Address of the service for elements without the attribute. */
  static base = ''
  /** Shown instead of the saved configuration, for previews. Set it before the element is in the page. */
  settings: Configuration | null = null
  /** Answers instead of the saved configuration, for previews. */
  trial: ((question: string, tool: EmbedToolName, signal: AbortSignal) => AsyncIterable<AnswerPart>) | null = null
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #log = element('div', { className: 'log', role: 'log', ariaLabel: 'Answers', tabIndex: 0 })
  readonly #status = element('p', { className: 'status', role: 'status' })
  readonly #input = element('textarea', { rows: 1, maxLength: MAX_QUESTION })
  #dialog: HTMLDialogElement | null = null
  #service: Service | null = null
  #tool: EmbedToolName = 'ask_question'
  #asking: AbortController | null = null
  /** Questions to begin with, until the first question. */
  #first: HTMLElement | null = null
  /** The reader has scrolled since the last question. */
  #isScrolled = false

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [createStyle()]
    for (const type of ['wheel', 'touchmove', 'keydown']) {
      this.#log.addEventListener(type, () => (this.#isScrolled = true), { passive: true })
    }
  }

  /** Set it before the element is in the page, or as an attribute. It is used once. */
  set attributionToken(token: string | null) {
    if (token) this.setAttribute('attribution-token', token)
  }

  connectedCallback(): void {
    if (this.#service !== null) return
    this.#service = new Service(this.getAttribute('base') ?? DocentAsk.base, this.getAttribute('configuration') ?? '')
    void this.#start(this.#service)
  }

  disconnectedCallback(): void {
    removeEventListener('keydown', this.#onKey)
    SCHEME.removeEventListener('change', this.#setInk)
    this.#asking?.abort()
  }

  open(): void {
    if (this.#dialog?.open === false) {
      this.#dialog.showModal()
      this.#tell('open')
    }
    this.#input.focus()
  }

  close(): void {
    this.#dialog?.close()
  }

  /** Asks a question, as if the visitor had typed it. */
  async ask(text: string): Promise<void> {
    const question = text.trim().slice(0, MAX_QUESTION)
    const service = this.#service
    if (!question || !service) return
    this.open()
    this.#asking?.abort()
    this.#first?.remove()
    const asking = new AbortController()
    this.#asking = asking
    this.#input.value = ''
    const view: AnswerView = new AnswerView({
      question,
      grown: () => this.#show(view.article),
      say: (status) => this.#status.replaceChildren(status),
      ask: (next) => void this.ask(next),
      rate: (call, helpful) => service.rate(call, helpful),
    })
    this.#log.append(view.article)
    this.#isScrolled = false
    this.#show(view.article)
    let problem: string | null = null
    try {
      const parts = this.trial ?? service.ask.bind(service)
      for await (const part of parts(question, this.#tool, asking.signal)) {
        if (part.type === 'error') problem = part.message
        else view.add(part)
      }
    } catch (error) {
      if (asking.signal.aborted) return view.article.remove()
      problem = error instanceof ServiceError ? error.message : FAILED
    }
    view.end(problem)
    if (problem === null) this.#tell('answer', { sources: view.sources })
    else this.#tell('error', { message: problem })
  }

  /** Keeps a growing answer in view from its question on, and does not move the page. */
  #show(article: HTMLElement): void {
    if (!this.#isScrolled) this.#log.scrollTop = article.offsetTop - this.#log.offsetTop
  }

  async #start(service: Service): Promise<void> {
    // Read and removed at once: the token works once, and other scripts of the page have no use for it.
    const token = this.getAttribute('attribution-token')
    this.removeAttribute('attribution-token')
    try {
      this.#build(this.settings ?? (await service.readConfiguration()))
      if (token) await service.attribute(token)
      this.#tell('ready')
    } catch (error) {
      this.#tell('error', { message: error instanceof Error ? error.message : String(error) })
    }
  }

  #build({ layout, fontFamily, colors, tools, questions = [] }: Configuration): void {
    const label = this.getAttribute('label') ?? 'Ask the docs'
    setColors(this, colors)
    if (fontFamily) this.style.setProperty('--docent-font', `'${fontFamily}', sans-serif`)
    const scheme = this.hasAttribute('theme') ? null : pageScheme()
    if (scheme) this.setAttribute('theme', scheme)
    this.#tool = tools[0]?.name ?? this.#tool
    if (questions.length > 0) {
      this.#first = questionButtons('Questions to begin with', questions, (question) => void this.ask(question))
      this.#log.append(this.#first)
    }
    const isInline = this.getAttribute('mode') === 'inline'
    const main = element('div', { className: 'main' }, ...(tools.length > 1 ? [this.#tabs(tools)] : []), this.#log)
    const note = element('p', { className: 'note' }, 'Answers come from the documentation and can be incomplete.')
    const parts = [this.#form(label, { isInline, hasTabs: tools.length > 1 }), main, this.#status, note]
    const panel = element('div', { className: `panel ${layout}${isInline ? ' inline' : ''}` }, ...parts)
    if (isInline) this.#root.append(panel)
    else this.#buildDialog(label, panel)
    this.#setInk()
    SCHEME.addEventListener('change', this.#setInk)
  }

  readonly #setInk = (): void => {
    const painted = this.#root.querySelector<HTMLElement>('.open, .send')
    if (painted) this.style.setProperty('--docent-on-primary', inkOn(painted))
  }

  #buildDialog(label: string, panel: HTMLElement): void {
    const dialog = element('dialog', { ariaLabel: label }, panel)
    const button = element('button', { type: 'button', className: 'open', ariaHasPopup: 'dialog' }, label)
    button.addEventListener('click', () => this.open())
    // A click on the backdrop has the dialog itself as its target.
    dialog.addEventListener('click', ({ target }) => target === dialog && this.close())
    dialog.addEventListener('close', () => this.#tell('close'))
    this.#dialog = dialog
    // A landmark, because the element is usually outside those of the page.
    this.#root.append(element('aside', { ariaLabel: label }, button), dialog)
    addEventListener('keydown', this.#onKey)
  }

  #form(label: string, { isInline, hasTabs }: { isInline: boolean; hasTabs: boolean }): HTMLFormElement {
    this.#input.placeholder = 'Ask a question'
    this.#input.ariaLabel = label
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      void this.ask(this.#input.value)
    })
    const form = element('form', {}, this.#input, element('button', { className: 'send' }, hasTabs ? 'Send' : 'Ask'))
    if (!isInline) {
      const close = element('button', { type: 'button', className: 'close' }, 'Close')
      close.addEventListener('click', () => this.close())
      form.append(close)
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.ask(this.#input.value)
    })
    return form
  }

  #tabs(tools: Configuration['tools']): HTMLElement {
    const buttons = tools.map(({ name, title }) => {
      const button = element('button', { type: 'button', ariaPressed: String(name === this.#tool) }, title)
      button.addEventListener('click', () => {
        this.#tool = name
        for (const other of buttons) other.ariaPressed = String(other === button)
        this.#input.focus()
      })
      return button
    })
    return element('div', { className: 'tools', role: 'group', ariaLabel: 'What to look for' }, ...buttons)
  }

  /** `mod` is the command key on a Mac, else control. A page that uses the key itself keeps it. */
  readonly #onKey = (event: KeyboardEvent): void => {
    const hotkey = this.getAttribute('hotkey') ?? 'mod+k'
    const wantsMod = hotkey.startsWith('mod+')
    if (hotkey === '' || event.defaultPrevented || (event.metaKey || event.ctrlKey) !== wantsMod) return
    if (event.altKey || event.shiftKey || event.key.toLowerCase() !== hotkey.replace('mod+', '')) return
    event.preventDefault()
    this.open()
  }

  #tell(name: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(`docent:${name}`, { detail, bubbles: true, composed: true }))
  }
}
