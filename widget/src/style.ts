/**
 * A constructed style sheet is not subject to the style-src of the page. `light-dark()` follows the color scheme of the
 * page. Colors are those of the dashboard; yellow marks citations only.
 */
export function createStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  return sheet
}

const STYLE = `
:host {
  --primary: light-dark(var(--docent-primary-light, #065a48), var(--docent-primary-dark, #5fcabc));
  --ground: light-dark(var(--docent-background-light, #fff), var(--docent-background-dark, #151d19));
  --ink: light-dark(var(--docent-text-light, #14201b), var(--docent-text-dark, #e9efeb));
  --muted: color-mix(in srgb, var(--ink) 72%, var(--ground));
  --rule: color-mix(in srgb, var(--ink) 18%, var(--ground));
  --tint: color-mix(in srgb, var(--ink) 7%, var(--ground));
  --mark: light-dark(#ffe48a, #574700);
  --on-primary: var(--docent-on-primary, #fff);
  font: 15px/1.5 var(--docent-font, inherit);
  color: var(--ink);
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
  white-space: normal;
}
:host([theme=light]) { color-scheme: light }
:host([theme=dark]) { color-scheme: dark }
:host([theme=auto]) { color-scheme: light dark }
:host([hidden]) { display: none }
* { box-sizing: border-box }
button, textarea { font: inherit; color: inherit }
button { cursor: pointer; min-height: 32px }
a { color: inherit }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
details { border-top: 1px solid var(--rule); padding: 6px 0 }
summary { min-height: 32px; align-content: center; cursor: pointer; font-weight: 600 }
.open, .send {
  border: 0; border-radius: 3px; background: var(--primary); color: var(--on-primary); font-weight: 600;
}
.open { position: fixed; inset: auto 20px 20px auto; height: 44px; padding: 0 18px; z-index: 2147483000 }
:host([position=bottom-left]) .open { inset: auto auto 20px 20px }
dialog {
  width: min(720px, calc(100vw - 24px)); max-height: min(80vh, 760px); margin: 10vh auto auto; padding: 0;
  overflow: hidden; border: 1px solid var(--rule); border-radius: 3px; background: var(--ground); color: var(--ink);
}
dialog::backdrop { background: rgb(10 16 13 / .45) }
.panel { display: flex; flex-direction: column; max-height: inherit; background: var(--ground) }
.inline { border: 1px solid var(--rule); border-radius: 3px }
form { display: flex; gap: 8px; padding: 10px 12px; border-bottom: 1px solid var(--rule) }
textarea {
  flex: 1; min-width: 0; min-height: 34px; max-height: 120px; padding: 5px 6px; border: 0; background: transparent;
  resize: none; field-sizing: content;
}
textarea::placeholder { color: var(--muted); opacity: 1 }
.send { padding: 0 14px }
.close { border: 0; background: none; color: var(--muted); padding: 0 6px }
.main { display: flex; flex-direction: column; min-height: 0 }
.tools { display: flex; flex-wrap: wrap; gap: 6px; padding: 10px 12px 0 }
.tools button, .next button, .rate button {
  padding: 2px 10px; border: 1px solid var(--rule); border-radius: 3px; background: none; text-align: start;
}
.tools [aria-pressed=true], .rate [aria-pressed=true] { border-color: var(--primary); background: var(--primary); color: var(--on-primary) }
.vertical .main { flex-direction: row }
.vertical .tools { flex: 0 0 130px; flex-direction: column; flex-wrap: nowrap; padding: 12px; border-inline-end: 1px solid var(--rule) }
.log { flex: 1; min-width: 0; overflow: auto; padding: 0 16px }
article + article { border-top: 1px solid var(--rule) }
.question { margin: 14px 0 4px; font-weight: 600; overflow-wrap: anywhere }
.answer { overflow-wrap: anywhere }
.answer p, .answer ul, .answer ol, blockquote, .code, .scroll { margin: 0 0 10px }
.answer p { white-space: pre-line }
.answer ul, .answer ol { padding-inline-start: 22px }
.heading { font-weight: 600 }
blockquote { padding-inline-start: 12px; border-inline-start: 2px solid var(--rule) }
.scroll { overflow: auto; max-height: 320px }
.code { position: relative; background: var(--tint) }
.code .scroll { margin: 0 }
pre { margin: 0; padding: 10px 84px 10px 12px; font: 13px/1.5 ui-monospace, monospace; width: max-content }
code { font-family: ui-monospace, monospace; font-size: .92em }
pre code { font-size: 1em }
.copy { position: absolute; inset: 4px 4px auto auto; min-height: 28px; border: 0; background: var(--tint); color: var(--muted); font-size: 13px }
table { border-collapse: collapse }
th, td { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top }
.mark, .sources b { border-radius: 2px; background: var(--mark); color: var(--ink); font-weight: 600 }
.mark { margin-inline-start: 2px; padding: 1px 5px; font-size: 12px; text-decoration: none }
.log article { container-type: inline-size }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 18px }
@container (min-width: 440px) {
  .body:has(.sources) { grid-template-columns: minmax(0, 1fr) minmax(0, 190px) }
  .body > .answer { grid-area: 1 / 1 }
  .body > .sources { grid-area: 1 / 2 }
}
.sources { margin: 0 0 14px; padding: 0; list-style: none; font-size: 13.5px; overflow-wrap: anywhere }
.sources li { display: flex; gap: 8px; padding: 3px 0 }
.sources b { align-self: start; padding: 0 6px }
.sources span { color: var(--muted) }
.rate { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin: 0 0 14px; font-size: 13px; color: var(--muted) }
.next { display: grid; gap: 6px; justify-items: start; margin: 0 0 14px }
.note { margin: 0; padding: 8px 14px; border-top: 1px solid var(--rule); font-size: 12.5px; color: var(--muted) }
.error { margin: 0 0 12px; padding-inline-start: 12px; border-inline-start: 3px solid light-dark(#9c2517, #ff9d8a) }
.status { margin: 0; padding: 6px 14px 0; min-height: 26px; font-size: 13px; color: var(--muted) }
.busy::after { content: '▍'; color: var(--muted) }
@media (max-width: 560px) {
  dialog { width: 100vw; max-width: 100vw; height: 100dvh; max-height: none; margin: 0; border: 0; border-radius: 0 }
  dialog .panel { height: 100% }
  .main { flex: 1 }
  .vertical .main { flex-direction: column }
  .vertical .tools { flex: none; flex-flow: row wrap; padding: 10px 12px 0; border: 0 }
}
@media (prefers-reduced-motion: no-preference) {
  .busy::after { animation: blink 1s steps(2) infinite }
  @keyframes blink { 50% { opacity: 0 } }
}
@media (forced-colors: active) {
  .open, .send, .tools button, .rate button { border: 1px solid ButtonText }
}
`
