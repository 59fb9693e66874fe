import { DocentAsk } from './docent-ask.ts'

/** The script of the widget. With `data-configuration` it adds the element itself, with its data as attributes. */
function start(): void {
  if (customElements.get('docent-ask')) return
  const running = document.currentScript
  const script =
    running instanceof HTMLScriptElement
      ? running
      : document.querySelector<HTMLScriptElement>('script[src*="/embed/docent.js"]')
  if (script) DocentAsk.base = new URL('..', script.src).href
  customElements.define('docent-ask', DocentAsk)
  if (script?.dataset['configuration'] === undefined) return
  const made = document.createElement('docent-ask')
  for (const { name, value } of script.attributes) {
    if (name.startsWith('data-')) made.setAttribute(name.slice('data-'.length), value)
  }
  const add = () => document.body.append(made)
  if (document.body) add()
  else addEventListener('DOMContentLoaded', add, { once: true })
}

start()
