/** How a page shows the widget. They are attributes of the script, so they are not part of the configuration. */
export type EmbedOptions = {
  mode: 'button' | 'inline'
  position: 'bottom-right' | 'bottom-left'
  theme: 'page' | 'light' | 'dark' | 'auto'
  /** Text of the button. Empty: the widget's own. */
  label: string
}

/** The options in the address. */
export function readOptions(query: URLSearchParams): EmbedOptions {
  const theme = query.get('theme')
  return {
    mode: query.get('mode') === 'inline' ? 'inline' : 'button',
    position: query.get('position') === 'bottom-left' ? 'bottom-left' : 'bottom-right',
    theme: theme === 'light' || theme === 'dark' || theme === 'auto' ? theme : 'page',
    label: (query.get('label') ?? '').slice(0, 60),
  }
}

/** Attributes of the widget's element, besides the configuration. */
export function attributesOf({ mode, position, theme, label }: EmbedOptions): Record<string, string> {
  return {
    ...(mode === 'inline' ? { mode } : {}),
    ...(mode === 'button' && position === 'bottom-left' ? { position } : {}),
    ...(theme === 'page' ? {} : { theme }),
    ...(label.trim() === '' ? {} : { label: label.trim() }),
  }
}

/** The code for a page. A box in the page is an element at its place; a button needs the script alone. */
export function embedCode(configurationId: string, options: EmbedOptions, origin: string): string {
  const attributes = Object.entries(attributesOf(options))
  const text = (prefix: string) => attributes.map(([name, value]) => ` ${prefix}${name}="${escape(value)}"`).join('')
  const source = `<script async src="${origin}/embed/docent.js"`
  return options.mode === 'inline'
    ? `${source}></script>\n<docent-ask configuration="${configurationId}"${text('')}></docent-ask>`
    : `${source} data-configuration="${configurationId}"${text('data-')}></script>`
}

const escape = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
